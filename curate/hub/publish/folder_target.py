"""A folder as the target of a release: every version kept whole, the newest on top.

``TO/versions/v1.0.0`` is a release as it was published; ``TO/versions.json`` names the versions
that count; the files of the newest one lie in ``TO`` itself too, in the layout of a repository on
the Hub. Files that versions share take their place on the disk once, where it has hard links.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from curate.engine import replacing, write_json
from curate.errors import InputError, UsageError
from curate.hub.check import check_release
from curate.hub.layout import MANIFEST, VERSIONS, VERSIONS_INDEX
from curate.hub.manifest import read_release_manifest, release_files
from curate.hub.publish.target import FileFact, Standing, file_facts
from curate.hub.versions import newest, tag_of
from curate.sources.files import sha256_file

__all__ = ["FolderTarget"]

_LOCK = ".publishing"


class FolderTarget:
    """A folder that holds versions of one release; a revision is the hash of its manifest."""

    def __init__(self, folder: Path) -> None:
        self._folder = Path(folder)

    @property
    def name(self) -> str:
        return str(self._folder)

    @property
    def repository(self) -> str | None:
        return None

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep every other publisher out of the folder. Raises UsageError for the second."""
        self._folder.mkdir(parents=True, exist_ok=True)
        try:
            import fcntl
        except ModuleNotFoundError:  # Windows has no such locks: the user must see to it
            yield
            return
        with (self._folder / _LOCK).open("w") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise UsageError("another publish is at work here", where=self.name) from error
            yield

    def standing(self) -> Standing:
        index = self._index()
        if index is None:
            self._must_be_free()
            return Standing(exists=False)
        last = newest(index)
        return Standing(exists=True, head=index[last] if last else None, tags=index)

    def _must_be_free(self) -> None:
        held = self._folder.exists() and [
            path for path in self._folder.iterdir() if path.name not in {VERSIONS, _LOCK}
        ]
        if not self._folder.is_dir() and self._folder.exists():
            raise UsageError("this is no folder", where=self.name, hint="name another --to")
        if held:
            raise UsageError(
                "this folder holds other things, and no versions.json", where=self.name,
                hint="publish to a folder of its own: --to DIR",
            )  # fmt: skip

    def _index(self) -> dict[str, str] | None:
        path = self._folder / VERSIONS_INDEX
        if not path.exists():
            return None
        try:
            versions = json.loads(path.read_text(encoding="utf-8"))["versions"]
            return {str(version): str(entry["manifest"]) for version, entry in versions.items()}
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise InputError("not the index of published versions", where=path) from error

    def _place(self, version: str) -> Path:
        return self._folder / VERSIONS / tag_of(version)

    def _where(self, revision: str) -> Path:
        for place in sorted((self._folder / VERSIONS).glob("v*")):
            manifest = place / MANIFEST
            if manifest.is_file() and sha256_file(manifest) == revision:
                return place
        raise InputError(
            "a published version is not there, or was changed by hand", where=self.name,
            hint="put back its folder under versions/",
        )  # fmt: skip

    def files(self, revision: str) -> dict[str, FileFact]:
        place = self._where(revision)
        return file_facts(place, [*release_files(place), MANIFEST])

    def fetch(self, revision: str, names: Iterable[str], into: Path) -> None:
        place = self._where(revision)
        for name in names:
            (into / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(place / name, into / name)

    def prepare(self) -> str | None:
        return self.standing().head

    def commit(
        self, staged: Path, names: Iterable[str], *, parent: str | None, gone: Iterable[str],
        message: str,
    ) -> str:  # fmt: skip
        place = self._place(str(read_release_manifest(staged)["version"]))
        building = place.with_name(f".{place.name}.building")
        for old in (building, place):  # of a run that was stopped: a published one never comes here
            shutil.rmtree(old, ignore_errors=True)
        for name in names:
            (building / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(staged / name, building / name)
        building.rename(place)
        return sha256_file(place / MANIFEST)

    def reload(self, revision: str, manifest: Mapping[str, Any]) -> None:
        place = self._where(revision)
        for problem in check_release(place, pairs=False):
            if problem.level == "error":
                raise InputError(f"{problem.code}: {problem.message}", where=place / problem.where)

    def tag(self, version: str, revision: str) -> None:
        index = {**(self._index() or {}), version: revision}
        entries = {own: {"manifest": digest} for own, digest in index.items()}
        write_json(self._folder / VERSIONS_INDEX, {"newest": newest(index), "versions": entries})

    def settle(self) -> None:
        """Put the newest version's files on top, each whole, its manifest last."""
        index = self._index() or {}
        last = newest(index)
        if last is None:
            return
        place = self._where(index[last])
        names = [*release_files(place), MANIFEST]
        for name in names:
            (self._folder / name).parent.mkdir(parents=True, exist_ok=True)
            with replacing(self._folder / name) as temporary:
                _link(place / name, temporary)
        for old in set(release_files(self._folder)) - set(names):
            (self._folder / old).unlink()


def _link(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:  # another file system, or one without links
        shutil.copyfile(source, target)
