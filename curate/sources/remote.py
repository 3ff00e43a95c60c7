"""Corpora in a store of objects (``s3://…`` and whatever else fsspec knows), read as they stream.

What a store needs to let us in comes from its own environment variables, never from a file of
ours. A read that fails on the way is tried again from where it stood.
"""

from __future__ import annotations

import errno
import hashlib
import io
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, TypeVar

from curate.errors import (
    CurateError,
    InputError,
    MissingExtraError,
    RemoteError,
    UsageError,
    first_line,
)
from curate.sources.files import MissingFile

if TYPE_CHECKING:
    from curate.sources.parts import Part

__all__ = ["list_remote", "open_remote"]

_T = TypeVar("_T")
_BLOCK = 4 << 20
_ATTEMPTS = 4
_SURE = ("ETag", "etag", "md5Hash", "content_md5", "crc32c", "checksum", "sha256")
_LIKELY = ("LastModified", "last_modified", "updated", "mtime", "created")
_ANSWERS = (FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError)


def list_remote(url: str) -> tuple[str, bool, list[Part]]:
    """The name of a corpus, whether it is one file, and the files that its URL stands for.

    A URL is written into manifests and messages: one that holds a secret is a UsageError.
    """
    from curate.engine.storage import folder_at, refuse_secrets

    refuse_secrets(url)
    path: Any = _tried(url, lambda: folder_at(url))  # some stores are called at once
    return _tried(url, lambda: _listed(path, url))


def _listed(path: Any, url: str) -> tuple[str, bool, list[Part]]:
    fs, root = path.fs, str(path.path).rstrip("/")
    if "*" in url:
        fixed = PurePosixPath(root.split("*", 1)[0] + "x").parent
        found = fs.glob(root, detail=True)
        return fixed.name or url, False, _parts(path, str(fixed), found.values())
    info = fs.info(root)
    if info["type"] != "directory":
        if info.get("size") == 0:
            raise InputError("the file is empty", where=url)
        folder, _, name = root.rpartition("/")
        return name, True, _parts(path, folder, [info])
    found = [entry for entry in fs.ls(root, detail=True) if entry["name"].rstrip("/") != root]
    return PurePosixPath(root).name or url, False, _parts(path, root, found)


def _parts(path: Any, root: str, found: Any) -> list[Part]:
    from curate.sources.parts import Part

    parts = []
    for info in found:
        if info["type"] != "directory":
            name = info["name"].removeprefix(root).lstrip("/")
            at = type(path)(path.fs.unstrip_protocol(info["name"]), **path.storage_options)
            parts.append(Part(at, name, int(info.get("size") or 0), _told(at, info)))
    return parts


def _told(path: Any, info: dict[str, Any]) -> str:
    """What the store says of an object's contents; where it says nothing they are read."""
    for names in (_SURE, _LIKELY):
        for name in names:
            if info.get(name):
                return f"{info.get('size')} {name} {info[name]}"
    digest = hashlib.sha256()
    with open_remote(path) as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    return f"{info.get('size')} {digest.hexdigest()}"


def open_remote(path: Path) -> io.BufferedReader:
    """The bytes of an object, read as they are asked for."""
    return io.BufferedReader(_Stream(path), 1 << 20)


class _Stream(io.RawIOBase):
    """An object of a store; a read that fails is made again."""

    def __init__(self, path: Any) -> None:
        self._path = path
        self._at = 0
        self._open: Any = None
        self._size: int = _tried(path, self._opened)

    def _opened(self) -> int:
        options = {"block_size": _BLOCK, "cache_type": "readahead"}
        self._open = self._path.fs.open(self._path.path, "rb", **options)
        return int(self._open.seek(0, io.SEEK_END))

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        self._at = max(0, base + offset)
        return self._at

    def readinto(self, buffer: Any) -> int:
        def read() -> bytes:
            self._open.seek(self._at)
            return bytes(self._open.read(len(buffer)))

        data = _tried(self._path, read)
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)

    def close(self) -> None:
        if self._open is not None and not self.closed:
            self._open.close()
        super().close()


def _tried(where: object, call: Callable[[], _T]) -> _T:
    """The result of a call to a store, tried again where that may help; its errors in our words."""
    try:
        import tenacity
    except ModuleNotFoundError as error:
        raise MissingExtraError("tenacity", "remote") from error
    retrying = tenacity.Retrying(
        retry=tenacity.retry_if_exception(_passing), stop=tenacity.stop_after_attempt(_ATTEMPTS),
        wait=tenacity.wait_exponential(multiplier=0.5, max=10) + tenacity.wait_random(0, 0.5),
        reraise=True,
    )  # fmt: skip
    try:
        return retrying(call)
    except CurateError:
        raise
    except Exception as error:
        raise _told_plainly(str(where), error) from error


def _passing(error: BaseException) -> bool:
    """Whether another try may help: whatever is no answer of the store, and no fault of ours."""
    if isinstance(error, (*_ANSWERS, CurateError, ValueError, TypeError, ImportError)):
        return False
    return isinstance(error, Exception) and not _lets_nobody_in(error) and not _expired(error)


def _lets_nobody_in(error: BaseException) -> bool:
    return type(error).__name__ in {"NoCredentialsError", "PartialCredentialsError"}


def _expired(error: BaseException) -> bool:
    return isinstance(error, OSError) and error.errno == errno.EBUSY


def _told_plainly(where: str, error: Exception) -> CurateError:
    from curate.engine.storage import LOG_IN

    said = first_line(error)[:200]
    if isinstance(error, FileNotFoundError):
        return MissingFile("no such file", where=where)
    if isinstance(error, PermissionError):
        return MissingFile("no permission to read this", where=where, hint=LOG_IN)
    if _lets_nobody_in(error):
        return UsageError(f"the store lets nobody in without a key ({said})", where=where,
                          hint=LOG_IN)  # fmt: skip
    if _expired(error):
        return InputError("the file was changed while it was read", where=where)
    if isinstance(error, ImportError):
        return MissingExtraError(getattr(error, "name", None) or "fsspec", "remote")
    return RemoteError(
        f"the store failed: {said}", where=where,
        hint="run the same command again: what is done is not done twice",
    )  # fmt: skip
