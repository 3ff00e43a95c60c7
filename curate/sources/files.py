"""Open what a user names: plain, .gz or .xz; strict UTF-8, with file and line in every error.

A path here is one of this machine, or of a store (`curate.sources.remote`): both open alike.
"""

from __future__ import annotations

import gzip
import hashlib
import lzma
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from curate.errors import InputError

__all__ = [
    "UNREADABLE",
    "MissingFile",
    "decoded_lines",
    "not_utf8",
    "open_binary",
    "open_metered",
    "open_raw",
    "plain_suffix",
    "readable",
    "sha256_file",
    "unreadable",
]

UNREADABLE = (gzip.BadGzipFile, lzma.LZMAError, zlib.error, EOFError)
"""What reading a broken archive raises."""

_COMPRESSED: dict[str, Callable[[IO[bytes]], IO[bytes]]] = {
    ".gz": lambda raw: cast("IO[bytes]", gzip.GzipFile(fileobj=raw, mode="rb")),
    ".xz": lambda raw: cast("IO[bytes]", lzma.LZMAFile(raw)),  # noqa: SIM115
}
_BOMS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}
_BLOCK = 1 << 20


class MissingFile(InputError):
    """A file that is not there, or that cannot be opened."""


def plain_suffix(path: Path) -> str:
    """The suffix that tells the format: ``.tsv`` for ``pairs.tsv`` and ``pairs.tsv.gz`` alike."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in _COMPRESSED:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def readable(path: Path) -> Path:
    """`path` itself, or an InputError where it is missing, a folder or empty."""
    if not path.exists():
        raise MissingFile("no such file", where=path)
    if path.is_dir():
        raise InputError("this is a folder, a file is wanted", where=path)
    if path.stat().st_size == 0:
        raise InputError("the file is empty", where=path)
    return path


@contextmanager
def open_binary(path: Path) -> Iterator[IO[bytes]]:
    """The decompressed bytes of a file; a broken archive is an InputError."""
    with open_metered(path) as (stream, _):
        yield stream


@contextmanager
def open_metered(path: Path) -> Iterator[tuple[IO[bytes], Callable[[], int]]]:
    """As `open_binary`, and a function that tells how many bytes on disk have been read."""
    opener = _COMPRESSED.get(path.suffix.lower())
    with open_raw(path) as raw:
        try:
            if opener is None:
                yield raw, raw.tell
                return
            with opener(raw) as stream:
                yield stream, raw.tell
        except UNREADABLE as error:
            raise unreadable(path, error) from error


def open_raw(path: Path) -> IO[bytes]:
    """The bytes of a file as they lie there; MissingFile where it is gone or not to be read."""
    if hasattr(path, "fs"):
        from curate.sources.remote import open_remote

        return cast("IO[bytes]", open_remote(path))
    try:
        return path.open("rb")
    except FileNotFoundError as error:
        raise MissingFile("no such file", where=path) from error
    except PermissionError as error:
        raise MissingFile("no permission to read this file", where=path) from error
    except OSError as error:  # a folder, a link in a circle, a disk that is gone
        raise MissingFile(f"cannot be opened ({error.strerror})", where=path) from error


def unreadable(path: Path, error: BaseException) -> InputError:
    """The one error for bytes that are no whole archive."""
    kind = path.suffix.lower().lstrip(".")
    return InputError(f"not a whole {kind} file ({error})", where=path)


def not_utf8(
    path: Path | str, line: int, error: UnicodeDecodeError, head: bytes = b""
) -> InputError:
    """The one error for bytes that are no UTF-8; `line` counts from 1."""
    other = _BOMS.get(head[:2])
    what = f"the file is {other}, not UTF-8" if other else "not UTF-8"
    byte = error.object[error.start]
    return InputError(
        f"{what}: byte 0x{byte:02x} ({error.reason})",
        where=f"{path}:{line}",
        hint="convert it first, for example: iconv -f latin1 -t utf-8 FILE > NEW",
    )


def decoded_lines(path: Path) -> Iterator[str]:
    """The lines of a text file with their ends, a byte order mark removed.

    Meant for tables, which are read whole; `curate.sources.lines` reads corpora of any size.
    """
    with open_binary(readable(path)) as stream:
        for number, raw in enumerate(stream, start=1):
            try:
                line = raw.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                raise not_utf8(path, number, error, raw) from error
            yield line


def sha256_file(path: Path) -> str:
    """SHA-256 (hexadecimal) of a file's bytes as they lie on disk."""
    digest = hashlib.sha256()
    with open_raw(path) as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
