"""A folder as the target of a release: every version kept whole, the newest on top.

``TO/versions/v1.0.0`` is a release as it was published; ``TO/versions.json`` names the versions
that count; the files of the newest one lie in ``TO`` itself too, in the layout of a repository on
the Hub. Data that versions share takes its place on the disk once, where it has hard links; texts,
which people open and change in place, are copies.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from curate.engine import replacing, write_json
from curate.errors import InputError, UsageError
from curate.hub.check import check_release
from curate.hub.layout import MANIFEST, VERSIONS, VERSIONS_INDEX
from curate.hub.manifest import read_release_manifest, release_files, release_identity
from curate.hub.publish.folder_files import (
    is_data,
    link_same,
    put_file,
    remove_empty,
    whole_file,
)
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
        if self._folder.exists() and not self._folder.is_dir():
            raise _no_folder(self.name)
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
        if self._folder.exists() and not self._folder.is_dir():
            raise _no_folder(self.name)
        ours = (f".{VERSIONS_INDEX}.", _LOCK)  # also the index, half written
        names = [path.name for path in self._folder.iterdir()] if self._folder.exists() else []
        if any(name != VERSIONS and not name.startswith(ours) for name in names):
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
        files = read_release_manifest(place)["files"]
        for name in names:
            (into / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(whole_file(place / name, files.get(name)), into / name)

    def prepare(self) -> str | None:
        return self.standing().head

    def commit(
        self, staged: Path, names: Iterable[str], *, parent: str | None, gone: Iterable[str],
        message: str,
    ) -> str:  # fmt: skip
        manifest = read_release_manifest(staged)
        place = self._place(str(manifest["version"]))
        building = place.with_name(f".{place.name}.building")
        if place.exists() and release_identity(place) is None:
            raise UsageError("this is no release, and in the way", where=place, hint="move it away")
        for old in (building, place):  # of a run that was stopped: a published one never comes here
            shutil.rmtree(old, ignore_errors=True)
        try:
            known = self._data_of(parent)
            for name in names:
                (building / name).parent.mkdir(parents=True, exist_ok=True)
                earlier = known.get(manifest["files"].get(name, {}).get("sha256", ""))
                if earlier is None or not link_same(earlier, building / name, staged / name):
                    shutil.copyfile(staged / name, building / name)
            building.rename(place)
        except BaseException:  # also where it is interrupted: half a copy is of no use
            shutil.rmtree(building, ignore_errors=True)
            raise
        return sha256_file(place / MANIFEST)

    def _data_of(self, revision: str | None) -> dict[str, Path]:
        """The files of data of a version by their hashes."""
        if revision is None:
            return {}
        place = self._where(revision)
        files = read_release_manifest(place)["files"]
        return {fact["sha256"]: place / name for name, fact in files.items() if is_data(name)}

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
                put_file(place / name, temporary, link=is_data(name))
        for old in self._of_versions(index) - set(names):
            (self._folder / old).unlink(missing_ok=True)
            remove_empty((self._folder / old).parent, below=self._folder)

    def _of_versions(self, index: Iterable[str]) -> set[str]:
        """Every file of every version; what else lies in the folder is not ours to delete."""
        places = [self._place(version) for version in index]
        return {name for place in places if place.is_dir() for name in release_files(place)}


def _no_folder(where: str) -> UsageError:
    return UsageError("this is no folder", where=where, hint="name another --to")
