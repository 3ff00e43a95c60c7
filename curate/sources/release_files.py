"""Whether downloaded files are those that a release's manifest describes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from curate.errors import InputError
from curate.sources.files import sha256_file

__all__ = ["verify_release"]

_MANIFEST = "manifest.json"
_CARD = "README.md"
_HINT = "remove {} and try again; if it stays so, do not trust this release"


def verify_release(folder: Path, *, whole: bool, where: str) -> None:
    """Compare sizes and SHA-256 of the data and the card (with `whole`: all) with the manifest.

    A folder without a manifest is no release of ours and is taken as it is. Raises InputError for a
    file that differs, is missing, or is data that the manifest does not know.
    """
    path = folder / _MANIFEST
    if not path.is_file():
        return
    described = _described(path, where)
    wanted = {name for name in described if whole or _is_read(name)}
    there = {file.relative_to(folder).as_posix() for file in folder.glob("data/**/*")
             if file.is_file()}  # fmt: skip
    hint = _HINT.format(folder)
    for name in sorted(there - set(described)):
        raise InputError(f"{name} is not in the manifest", where=where, hint=hint)
    for name in sorted(wanted):
        problem = _problem(folder / name, described[name])
        if problem:
            raise InputError(f"{name} {problem}", where=where, hint=hint)


def _is_read(name: str) -> bool:
    return name.startswith("data/") or name == _CARD


def _described(path: Path, where: str) -> Mapping[str, Mapping[str, Any]]:
    try:
        files = json.loads(path.read_text(encoding="utf-8"))["files"]
        well = all(isinstance(entry["sha256"], str) for entry in files.values())
    except (ValueError, KeyError, TypeError, AttributeError):
        well = False
    if not well:
        raise InputError("manifest.json is not the manifest of a release", where=where)
    for name in files:
        if Path(name).is_absolute() or ".." in Path(name).parts:
            raise InputError(f"the manifest names a path outside: {name!r}", where=where)
    return dict(files)


def _problem(path: Path, entry: Mapping[str, Any]) -> str:
    """What is wrong with a file; "" where nothing is."""
    if not path.is_file():
        return "is missing"
    if "bytes" in entry and path.stat().st_size != entry["bytes"]:
        return f"has {path.stat().st_size:,} bytes; the manifest says {entry['bytes']:,}"
    if sha256_file(path) != entry["sha256"]:
        return "does not have the SHA-256 that the manifest says"
    return ""
