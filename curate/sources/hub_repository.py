"""One data set repository on the Hugging Face Hub: its versions, and a download of one of them."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from curate.errors import InputError, RemoteError, UsageError
from curate.sources.hub_calls import Calls, short_reason, status_of

__all__ = ["HubRepository"]

_VERSION = re.compile(r"v(\d+)\.(\d+)\.(\d+)")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_NEEDED = ["data/**", "README.md", "manifest.json"]
_MAIN = "main"
_SHOWN = 5
_LOOK_UP = "ask the Hub for it (no file or folder here has this name)"


class HubRepository:
    """One repository of the Hub, and what of it is in the cache."""

    def __init__(self, name: str, client: Any, *, whole: bool) -> None:
        self.name, self._client, self._whole = name, client, whole
        self._calls = Calls(name, on_wait=self._say_wait)

    def _say_wait(self, seconds: float, why: str) -> None:
        _say(f"{self.name}: {why}; trying again in {seconds:.0f} s")

    def release(self, tag: str) -> tuple[Path, str]:
        """The folder in the cache and the version, at the tag or at the newest one.

        A version is a tag vX.Y.Z, or else the commit. Raises the errors that
        `curate.sources.hub_release.find_release` names.
        """
        if self._client.is_offline_mode():
            return self._cached(tag or self._newest_cached(), "HF_HUB_OFFLINE is set")
        try:
            chosen = self._choose(tag)
            folder = self._calls("download it", self._download, chosen)
        except RemoteError as error:
            try:
                folder, version = self._cached(tag or self._newest_cached(), error.message)
            except InputError:
                raise error from None
            _say(f"{error}; using {version} as it is in the cache")
            return folder, version
        return self._found(chosen, folder)

    def _found(self, revision: str, folder: Path) -> tuple[Path, str]:
        """`folder` is the cache's ``snapshots/COMMIT``; a branch says too little of a version."""
        return folder, revision if _VERSION.fullmatch(revision) else folder.name

    def _choose(self, tag: str) -> str:
        """The revision to take; UsageError where there is no such tag."""
        api = self._client.HfApi()
        refs = self._calls(_LOOK_UP, self._asked, api.list_repo_refs)
        tags: set[str] = {ref.name for ref in refs.tags}
        versions = sorted((t for t in tags if _VERSION.fullmatch(t)), key=_number, reverse=True)
        if not tag and versions:
            _say(f"{self.name}: taking the newest version, {versions[0]}")
            return versions[0]
        if not tag:
            _say(f"{self.name}: no version is tagged (vX.Y.Z): taking {_MAIN} as it is now")
            return _MAIN
        if tag in tags or tag in {ref.name for ref in refs.branches} or _COMMIT.fullmatch(tag):
            return tag
        some = versions[:_SHOWN] or sorted(tags)[:_SHOWN]
        more = ", …" if len(versions) > _SHOWN else ""
        there = f"there are {', '.join(some)}{more}" if some else "nothing is tagged there"
        raise UsageError(f"no tag {tag!r}; {there}", where=self.name)

    def _asked(self, function: Any) -> Any:
        return self._translated(function, self.name, repo_type="dataset")

    def _download(self, revision: str, *, cache_only: bool = False) -> Path:
        """The folder in the cache; UsageError, or the errors of the client."""
        wanted: dict[str, Any] = {} if self._whole else {"allow_patterns": _NEEDED}
        try:
            folder = self._translated(
                self._client.snapshot_download, self.name, repo_type="dataset", revision=revision,
                local_files_only=cache_only, **wanted,
            )  # fmt: skip
        except self._client.errors.LocalEntryNotFoundError as error:
            # the client wraps what went wrong on the way; what it was decides what is done
            if cache_only or not isinstance(error.__cause__, Exception):
                raise
            raise error.__cause__ from None
        except self._client.errors.HTTPError:
            raise
        except OSError as error:
            if error.errno is None:  # fewer bytes than were announced
                raise ConnectionError(short_reason(error)) from None
            what = f"the Hub's cache cannot be written: {error.strerror}"
            where = error.filename or self.name
            raise InputError(what, where=where, hint="HF_HOME names its folder") from None
        return Path(folder)

    def _translated(self, function: Any, *args: Any, **options: Any) -> Any:
        """Call the client; its answers about rights and names as errors of ours."""
        errors = self._client.errors
        log_in = "log in with `hf auth login`, or set HF_TOKEN"
        try:
            return function(*args, **options)
        except errors.GatedRepoError as error:
            raise UsageError(
                f"this data set is gated: {short_reason(error)}", where=self.name,
                hint=f"accept its conditions on its page, then {log_in}",
            ) from None  # fmt: skip
        except errors.RepositoryNotFoundError:
            raise UsageError(
                "no such file or folder here, and no such data set on the Hub", where=self.name,
                hint=f"check the name; if it is private, {log_in}",
            ) from None  # fmt: skip
        except errors.RevisionNotFoundError:
            what = f"no revision {options.get('revision')!r}"
            raise UsageError(what, where=self.name) from None
        except errors.HfHubHTTPError as error:
            if status_of(error) not in {401, 403}:
                raise
            what = f"no right to read this: {short_reason(error)}"
            raise UsageError(what, where=self.name, hint=log_in) from None

    def _cached(self, revision: str, why: str) -> tuple[Path, str]:
        """What the cache has of it; InputError where that is not all."""
        try:
            return self._found(revision, self._download(revision, cache_only=True))
        except self._client.errors.LocalEntryNotFoundError:
            raise InputError(
                f"no such file or folder, and {revision} is not in the Hub's cache: {why}",
                where=self.name, hint="run this once with a connection to the Hub",
            ) from None  # fmt: skip

    def _newest_cached(self) -> str:
        """The newest version in the cache, as far as it goes."""
        cache = Path(self._client.constants.HF_HUB_CACHE)
        refs = cache / f"datasets--{self.name.replace('/', '--')}" / "refs"
        found = [path.name for path in refs.glob("v*") if _VERSION.fullmatch(path.name)]
        if not found:
            return _MAIN
        newest = max(found, key=_number)
        _say(f"{self.name}: taking {newest}, the newest in the cache")
        return newest


def _number(tag: str) -> tuple[int, ...]:
    found = _VERSION.fullmatch(tag)
    return tuple(map(int, found.groups())) if found else ()


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
