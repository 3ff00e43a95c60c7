"""Folders on this machine or in a store of objects (``s3://…``), behind one kind of path."""

from __future__ import annotations

import errno
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, cast

from curate.errors import (
    CurateError,
    MissingExtraError,
    RemoteError,
    UsageError,
    first_line,
)

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

__all__ = [
    "LOG_IN",
    "alone",
    "folder_at",
    "is_remote",
    "make_folder",
    "not_written",
    "refuse_secrets",
    "remove_folder",
    "remove_remains",
    "replacing",
    "settled",
]

_LOCAL = ("file://", "local://")
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
LOG_IN = "put what the store needs to let you in into the environment (S3: AWS_ACCESS_KEY_ID, …)"
"""The hint where a store asks who it is."""
_SECRET = (
    (re.compile(r"://[^/:@]*:(?!:).*@"), "://…@", "a password"),
    (re.compile(r"^(https?://[^?]*)\?.*"), r"\1?…", "a query, which may be a signature"),
)
_TEMPORARY = re.compile(r"\..+\.\d+\.tmp")


def folder_at(spec: str | Path) -> Path:
    """A folder by its path, or by the URL of any store that fsspec knows.

    Of a store it is a `upath.UPath`, which is used as a `pathlib.Path` is; its secrets come from
    the environment. Raises MissingExtraError where the package for it is not installed, UsageError
    for a URL that holds a secret.
    """
    text = str(spec)
    if isinstance(spec, Path) or "://" not in text:
        return Path(spec)
    if text.startswith(_LOCAL):
        return Path(text.split("://", 1)[1])
    refuse_secrets(text)
    try:
        from upath import UPath
    except ImportError as error:
        raise MissingExtraError("universal-pathlib", "remote") from error
    try:
        # parts appear that other processes wrote: no listing may be remembered
        path: Any = UPath(text, use_listings_cache=False)
        _ = path.fs  # finds the package for this kind of store
    except ImportError as error:
        raise MissingExtraError(_package(text), "remote") from error
    except ValueError as error:
        raise UsageError(f"no store is known for {text!r}", hint=str(error)) from error
    return cast("Path", path)


def refuse_secrets(url: str) -> None:
    """UsageError for a URL with a password or a signature: it would stand in files and messages."""
    for pattern, shown, what in _SECRET:
        if pattern.search(url):
            raise UsageError(
                f"the address holds {what}", where=pattern.sub(shown, url),
                hint=LOG_IN,
            )  # fmt: skip


def _package(url: str) -> str:
    from fsspec.registry import known_implementations

    known = known_implementations.get(url.split("://", 1)[0], {})
    return str(known.get("class", "fsspec")).split(".", 1)[0]


def is_remote(path: Path) -> bool:
    """Whether a path of `folder_at` lies in a store."""
    return hasattr(path, "fs")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary local path that becomes `path` at the end, or nothing at all on an error.

    On a disk the temporary file lies beside `path`; for a store it is sent as a whole, so that no
    half-written object is ever seen there. Raises CurateError where no space is left.
    """
    try:
        with _sent(path) if is_remote(path) else _renamed(path) as temporary:
            yield temporary
    except OSError as error:
        if error.errno not in _FULL:
            raise
        raise not_written(error, path) from error


@contextmanager
def _sent(path: Path) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="curate-") as folder:
        local = Path(folder) / path.name
        yield local
        with settled(path):
            cast("Any", path).fs.put_file(str(local), cast("Any", path).path)


@contextmanager
def _renamed(path: Path) -> Iterator[Path]:
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def remove_remains(folder: Path) -> None:
    """Remove the temporary files that killed processes have left in a folder of this machine."""
    if is_remote(folder) or not folder.is_dir():
        return
    for path in folder.glob(".*.tmp"):
        if _TEMPORARY.fullmatch(path.name):
            path.unlink(missing_ok=True)


@contextmanager
def settled(path: Path) -> Iterator[None]:
    """Within it, what a store answers wrong, or not at all, is a RemoteError with the path.

    Every kind of store has errors of its own, few of which are an OSError: hold no more than calls
    of the store in it.
    """
    try:
        yield
    except CurateError:
        raise
    except Exception as error:
        if not is_remote(path):
            raise
        said = first_line(error)
        raise RemoteError(
            f"the store failed: {said}", where=path,
            hint="what is finished is kept: run the same command again",
        ) from error  # fmt: skip


def not_written(error: OSError, out: Path) -> CurateError:
    """A disk that is full (or a quota that is spent) said plainly; any other error as it is."""
    if error.errno in _FULL:
        return CurateError(
            f"no space is left to write ({os.strerror(error.errno or 0)})",
            where=out,
            hint="the finished parts are kept: make room and run the same command again",
        )
    return CurateError(str(error), where=out)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Within it no other run writes to a folder of this machine: UsageError where one is at work.

    The lock ends with the process, however that ends. Stores know no locks; there, and on a disk
    without them, nothing is asked.
    """
    if is_remote(folder) or fcntl is None:
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):
            _lock(handle, folder)
        yield
    finally:
        os.close(handle)


def _lock(handle: int, folder: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise UsageError(
            "another run is at work in this folder",
            where=folder,
            hint="wait until it has ended, or name another folder with --out",
        ) from error


def make_folder(path: Path) -> None:
    """Make a folder where there are such; in a store, where it might make a bucket, nothing."""
    if not is_remote(path):
        path.mkdir(parents=True, exist_ok=True)


def remove_folder(path: Path) -> None:
    """Remove a folder with all it holds, if it is there."""
    if is_remote(path):
        with settled(path), suppress(FileNotFoundError):
            cast("Any", path).fs.rm(cast("Any", path).path, recursive=True)
    else:
        shutil.rmtree(path, ignore_errors=True)
