"""What a release is published to: a Hub repository or a folder, behind one protocol."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from curate.sources.files import sha256_file

__all__ = ["FileFact", "StaleParentError", "Standing", "Target", "file_facts"]

_CHUNK = 1 << 20


class StaleParentError(Exception):
    """Somebody committed to the target since its standing was read."""


@dataclass(frozen=True, slots=True)
class FileFact:
    """A file's size in bytes and its hash, by whichever of the two algorithms is known.

    `blob` is git's SHA-1 of the file, which the Hub gives for small files; `sha256` is what it
    gives for large ones.
    """

    size: int
    sha256: str | None = None
    blob: str | None = None

    def same(self, other: FileFact) -> bool:
        """Whether both are the same bytes; a hash that only one of them knows tells nothing."""
        if self.size != other.size:
            return False
        if self.sha256 and other.sha256:
            return self.sha256 == other.sha256
        return bool(self.blob) and self.blob == other.blob


@dataclass(frozen=True)
class Standing:
    """What is there before publishing: tagged versions, and the head to build on.

    `tags` gives the revision of every version (``1.0.0``, without the v of the tag). `head` is
    None where nothing was ever committed.
    """

    exists: bool
    head: str | None = None
    tags: Mapping[str, str] = field(default_factory=dict)


class Target(Protocol):
    """Where versions of a release are kept. A revision is an opaque string (a commit id)."""

    @property
    def name(self) -> str:
        """How messages call it."""
        ...

    @property
    def repository(self) -> str | None:
        """``NS/NAME`` on the Hub, which the documents then name; None for a folder."""
        ...

    def standing(self) -> Standing:
        """What is there now. Raises UsageError where it cannot be published to at all."""
        ...

    def files(self, revision: str) -> dict[str, FileFact]:
        """Every file of a revision that belongs to the release."""
        ...

    def fetch(self, revision: str, names: Iterable[str], into: Path) -> None:
        """Write the named files of a revision under `into`."""
        ...

    def prepare(self) -> str | None:
        """Make the target ready for a commit and return its head."""
        ...

    def commit(
        self, staged: Path, names: Iterable[str], *, parent: str | None, gone: Iterable[str],
        message: str,
    ) -> str:  # fmt: skip
        """Put all files in place in one step; returns the revision. Raises StaleParentError."""
        ...

    def reload(self, revision: str, manifest: Mapping[str, Any]) -> None:
        """Read the revision back as a user would; an error where it differs from `manifest`."""
        ...

    def tag(self, version: str, revision: str) -> None:
        """Name the revision ``v`` + `version`, once for ever."""
        ...

    def settle(self) -> None:
        """What may be done only after the tag: open settings, tidy up."""
        ...


def file_facts(folder: Path, names: Iterable[str]) -> dict[str, FileFact]:
    """Size and both hashes of files of a folder."""
    return {name: _fact(folder / name) for name in names}


def _fact(path: Path) -> FileFact:
    size = path.stat().st_size
    blob = hashlib.sha1(f"blob {size}\0".encode(), usedforsecurity=False)
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            blob.update(chunk)
    return FileFact(size, sha256=sha256_file(path), blob=blob.hexdigest())
