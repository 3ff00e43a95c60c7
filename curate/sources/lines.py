"""Lines of a text file of any size, in blocks: checked once, long lines never held."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from curate.errors import InputError
from curate.sources.files import UNREADABLE, not_utf8, open_metered, readable, unreadable

__all__ = ["LINE_LIMIT", "LineBlock", "Problem", "RawLines", "read_lines", "read_raw_lines"]

LINE_LIMIT = 1_000_000
"""Longest line (bytes) that is taken for a sentence or a row."""
# shorter than LINE_LIMIT, so that a block with no long line in it need not be searched for one
_BLOCK = 1 << 19
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

Problem = tuple[str, str]
"""A drop code and what was seen."""


@dataclass(frozen=True)
class RawLines:
    """Consecutive lines as UTF-8 bytes, with ``\\n`` between them and none at the end.

    `number` is the first one's, from 1; `problems` are the places (from 0) of the lines that were
    too long or no UTF-8: they read as empty.
    """

    number: int
    data: bytes
    problems: dict[int, Problem] = field(default_factory=dict)

    @property
    def count(self) -> int:
        return self.data.count(b"\n") + 1

    def texts(self) -> list[str]:
        return self.data.decode().split("\n")


@dataclass(frozen=True)
class LineBlock:
    """Consecutive lines without their ends.

    `number` is the first one's, from 1; `problems` are the places in `lines` (from 0) of those
    that were too long: they read as ``""``.
    """

    number: int
    lines: list[str]
    problems: dict[int, Problem] = field(default_factory=dict)


def read_lines(path: Path, *, on_bytes: Callable[[int], None] | None = None) -> Iterator[LineBlock]:
    """Stream the lines of a plain, .gz or .xz file; memory stays under a few MB.

    `on_bytes` is told how many bytes on disk have been read. Raises InputError with ``file:line``
    at the first byte that is not UTF-8; a byte order mark at the start is dropped.
    """
    for raw in read_raw_lines(readable(path), on_bytes=on_bytes):
        yield LineBlock(raw.number, raw.texts(), raw.problems)


def read_raw_lines(
    path: Path, *, on_bytes: Callable[[int], None] | None = None, strict: bool = True
) -> Iterator[RawLines]:
    """As `read_lines`, undecoded; without `strict` a line that is no UTF-8 is a problem.

    The lines before a fault of the archive come first, then the InputError; a line that the fault
    cut off does not come. A file in UTF-16 is refused either way.
    """
    with open_metered(path) as (stream, position):
        for block in _Splitter(path, strict=strict).blocks(_filled(stream, path)):
            if on_bytes:
                on_bytes(position())
            yield block


def _filled(stream: IO[bytes], path: Path) -> Iterator[bytes]:
    """Blocks of `_BLOCK` bytes (but the last); what can be read before a fault comes before it."""
    while True:
        pieces: list[bytes] = []
        size = 0
        fault: InputError | None = None
        while size < _BLOCK and fault is None:
            try:
                # one read at a time: a fault in a longer one would take what came before it along
                piece = stream.read1(_BLOCK - size)  # type: ignore[attr-defined]
            except UNREADABLE as error:
                fault = unreadable(path, error)
                continue
            if not piece:
                break
            pieces.append(piece)
            size += len(piece)
        if size:
            yield b"".join(pieces)
        if fault is not None:
            raise fault
        if size < _BLOCK:
            return


class _Splitter:
    def __init__(self, path: Path, *, strict: bool) -> None:
        self.path, self.strict = path, strict
        self.number = 1
        self.rest = b""
        self.skipped = 0
        self.decoder = codecs.getincrementaldecoder("utf-8")("strict" if strict else "replace")

    def blocks(self, stream: Iterator[bytes]) -> Iterator[RawLines]:
        first = True
        for block in stream:
            data = block
            if first:
                data, first = self._begun(data), False
            if self.skipped:
                data, finished = self._skip(data)
                if finished:
                    yield finished
            self.rest += data
            cut = self.rest.rfind(b"\n")
            if cut >= 0:
                yield self._split(self.rest[:cut])
                self.rest = self.rest[cut + 1 :]
            if len(self.rest) > LINE_LIMIT:
                self.rest, _ = self._skip(self.rest)
        if self.skipped:
            yield self._long_line()
        elif self.rest:
            yield self._split(self.rest)

    def _begun(self, data: bytes) -> bytes:
        """The first bytes without a byte order mark."""
        if data.startswith(_UTF16) and not self.strict:
            raise InputError("the file is UTF-16, not UTF-8", where=f"{self.path}:1")
        return data.removeprefix(codecs.BOM_UTF8)

    def _skip(self, data: bytes) -> tuple[bytes, RawLines | None]:
        """Pass over a line that is too long: what follows it, and its block once it has ended."""
        cut = data.find(b"\n")
        part = data if cut < 0 else data[:cut]
        try:
            self.decoder.decode(part, final=cut >= 0)
        except UnicodeDecodeError as error:
            raise not_utf8(self.path, self.number, error) from error
        self.skipped += len(part)
        return (b"", None) if cut < 0 else (data[cut + 1 :], self._long_line())

    def _long_line(self) -> RawLines:
        block = RawLines(self.number, b"", {0: _too_long(self.skipped)})
        self.number += 1
        self.skipped = 0
        self.decoder.reset()
        return block

    def _split(self, data: bytes) -> RawLines:
        problems: dict[int, Problem] = {}
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as error:
            if self.strict:
                at = self.number + data.count(b"\n", 0, error.start)
                raise not_utf8(self.path, at, error, data if self.number == 1 else b"") from error
            data = self._without_wrong_bytes(data, problems)
        if len(data) > LINE_LIMIT:
            data = _without_long_lines(data, problems)
        block = RawLines(self.number, data, problems)
        self.number += block.count
        return block

    def _without_wrong_bytes(self, data: bytes, problems: dict[int, Problem]) -> bytes:
        lines = data.split(b"\n")
        for place, line in enumerate(lines):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                byte = f"byte 0x{line[error.start]:02x} at {error.start}"
                problems[place] = ("not-utf8", f"line {self.number + place}: {byte}")
                lines[place] = b""
        return b"\n".join(lines)


def _without_long_lines(data: bytes, problems: dict[int, Problem]) -> bytes:
    lines = data.split(b"\n")
    for place, line in enumerate(lines):
        if len(line) > LINE_LIMIT:
            lines[place] = b""
            problems[place] = _too_long(len(line))
    return b"\n".join(lines)


def _too_long(size: int) -> Problem:
    return "line-too-long", f"{size} bytes, the limit is {LINE_LIMIT}"
