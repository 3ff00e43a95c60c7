"""The files that one corpus is in: a file, a folder or a pattern, here or in a store."""

from __future__ import annotations

import glob
import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from curate.errors import InputError, UsageError
from curate.sources.files import MissingFile, open_raw, plain_suffix, readable, sha256_file
from curate.sources.formats import KNOWN, TABLES

__all__ = ["Part", "Parts", "changed_parts", "find_parts"]

_LISTED = 100
"""So many parts are named one by one in a manifest."""
_SHOWN = 5
_MANIFEST, _SENTENCES = "manifest.json", "sentences.parquet"


@dataclass(frozen=True)
class Part:
    """One file: where it is, its name below the corpus, its bytes.

    `told` is what the store says of its contents; "" of a file of this machine, which is read.
    """

    path: Path
    name: str
    size: int
    told: str = ""

    def content_hash(self) -> str:
        """SHA-256 of its bytes, or of what the store tells of them; one word where it is gone."""
        if self.told:
            return hashlib.sha256(self.told.encode()).hexdigest()
        try:
            return sha256_file(self.path)
        except MissingFile:
            return "missing"


@dataclass
class Parts:
    """The parts of a corpus in the order in which they are read, and what was `left_out`."""

    name: str
    parts: Sequence[Part]
    whole: bool = False
    """Whether the corpus is one file, named as such."""
    left_out: tuple[str, ...] = ()
    _hashes: dict[str, str] = field(default_factory=dict)

    @property
    def size(self) -> int:
        return sum(part.size for part in self.parts)

    @property
    def tables(self) -> bool:
        """Whether any part may have columns."""
        return any(plain_suffix(part.path) in TABLES for part in self.parts)

    def hashes(self) -> Mapping[str, str]:
        """The hash of each part by its name; every file is read once for it."""
        if not self._hashes:
            self._hashes = {part.name: part.content_hash() for part in self.parts}
        return self._hashes

    def fingerprint(self) -> str:
        """One file's own hash; else one of all names and hashes, in order."""
        hashes = self.hashes()
        if self.whole:
            return next(iter(hashes.values()))
        named = "".join(f"{name}\t{value}\n" for name, value in hashes.items())
        return f"parts-{hashlib.sha256(named.encode()).hexdigest()}"

    def settings(self) -> dict[str, Any]:
        """What tells a part that changed from its neighbours, where they are few."""
        if self.whole or not self.parts:
            return {}
        if len(self.parts) > _LISTED:
            return {"n_parts": len(self.parts)}
        return {"parts": {name: value[:16] for name, value in self.hashes().items()}}


def find_parts(spec: str | Path) -> Parts:
    """What `spec` names: a file, a folder of files, or a pattern (``texts/*.parquet``).

    A URL of any store that fsspec knows may stand for a path; what it needs to be let in comes from
    the environment. Parts are in order of name. Of a folder the files with a suffix of a corpus are
    taken, and not those of its folders; of a folder that a run has filled with sentences, these
    alone. Hidden files, and those whose name (or folder's) begins with ``_``, which mark that other
    files are whole, are left out of folders and patterns alike.

    Raises InputError where nothing is found, UsageError for a URL with a password,
    MissingExtraError where a package for the store is not installed, RemoteError where it does not
    answer.
    """
    text = str(spec)
    if not text:
        raise UsageError("no corpus is named", hint="name a file, a folder, a pattern or a URL")
    for scheme in ("file://", "local://"):
        if text.startswith(scheme):
            return _local(text.removeprefix(scheme))
    if "://" in text and not isinstance(spec, Path):
        from curate.sources.remote import list_remote

        name, whole, listed = list_remote(text)
        return _chosen(name, listed, where=text, whole=whole, every="*" in text)
    return _local(text)


def _local(text: str) -> Parts:
    path = Path(text)
    if path.is_dir():
        children = [Part(child, _spelt(child.name), 0) for child in path.iterdir()]
        return _chosen(_spelt(path.resolve().name), _files(children), where=path)
    if path.exists() or not glob.has_magic(text):
        size = readable(path).stat().st_size
        name = _spelt(path.name)
        return Parts(name, [Part(path, name, size)], whole=True)
    root = _fixed(path)
    # a set: two ** in a pattern find a file more than once
    found = {Path(name) for name in glob.glob(text, recursive=True)}  # noqa: PTH207 (a pattern may begin at the root)
    listed = [Part(name, _spelt(name.relative_to(root).as_posix()), 0) for name in found]
    return _chosen(_spelt(root.name or text), _files(listed), where=text, every=True)


def _spelt(name: str) -> str:
    """A file's name as text: bytes that are no UTF-8 as ``\\xff``."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _fixed(pattern: Path) -> Path:
    """The folder that a pattern begins with."""
    parts: list[str] = []
    for part in pattern.parts[:-1]:
        if glob.has_magic(part):
            break
        parts.append(part)
    return Path(*parts)


def _is_hidden(name: str) -> bool:
    return any(piece.startswith((".", "_")) for piece in name.split("/"))


def _files(found: Iterable[Part]) -> list[Part]:
    """Those that are no folders, with their sizes; a link to nothing is a file of no bytes."""
    files = []
    for part in found:
        if not part.path.is_dir():
            size = part.path.stat().st_size if part.path.exists() else 0
            files.append(Part(part.path, part.name, size))
    return files


def _chosen(
    name: str, listed: Sequence[Part], *, where: str | Path, whole: bool = False,
    every: bool = False,
) -> Parts:  # fmt: skip
    """The parts among the files `listed`; `every` one of a pattern, whatever its suffix."""
    if whole:
        return Parts(name, listed, whole=True)
    kept = [
        part for part in listed
        if not _is_hidden(part.name) and (every or plain_suffix(Path(part.name)) in KNOWN)
    ]  # fmt: skip
    if not every:
        kept = _sentences_of_run(listed) or kept
    if not kept:
        known = " ".join(sorted(KNOWN))
        what = "no file matches" if every else f"no parts in this folder ({known})"
        raise MissingFile(what, where=where, hint="name the files by a pattern: 'FOLDER/*'")
    if not any(part.size for part in kept):
        raise InputError("every part is empty", where=where)
    kept.sort(key=lambda part: part.name)
    taken = {part.name for part in kept}
    out = sorted({part.name for part in listed} - taken)
    return Parts(name, kept, left_out=tuple(out))


def _sentences_of_run(listed: Iterable[Part]) -> list[Part]:
    """The sentences of a run folder, beside which the sentences lie that it has dropped."""
    named = {part.name: part for part in listed}
    if _MANIFEST not in named or _SENTENCES not in named:
        return []
    with open_raw(named[_MANIFEST].path) as stream:
        try:
            written = _SENTENCES in json.load(stream)["files"]
        except (ValueError, KeyError, TypeError):
            written = False  # the manifest of another program
    return [named[_SENTENCES]] if written else []


def changed_parts(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """Which parts changed between two `Corpus.settings`, in words; "" where that is not known."""
    old, new = before.get("parts"), now.get("parts")
    if not isinstance(old, dict) or not isinstance(new, dict):
        counts = [len(s["parts"]) if "parts" in s else s.get("n_parts", 1) for s in (before, now)]
        return "{} parts then, {} now".format(*counts) if counts[0] != counts[1] else ""
    said = {
        "gone": [name for name in old if name not in new],
        "changed": [name for name in old if name in new and old[name] != new[name]],
        "new": [name for name in new if name not in old],
    }
    return "; ".join(f"{_some(names)} {word}" for word, names in said.items() if names)


def _some(names: list[str]) -> str:
    shown = ", ".join(names[:_SHOWN])
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{shown}{more} {'are' if len(names) > 1 else 'is'}"
