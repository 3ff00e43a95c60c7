"""Lines of a text file of any size, in blocks: decoded once, long lines never held."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from curate.sources.files import not_utf8, open_metered, readable

__all__ = ["LINE_LIMIT", "LineBlock", "Problem", "read_lines"]

LINE_LIMIT = 1_000_000
"""Longest line (bytes) that is taken for a sentence or a row."""
_BLOCK = 1 << 20

Problem = tuple[str, str]
"""A drop code and what was seen."""


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
    with open_metered(readable(path)) as (stream, position):
        for block in _Splitter(path).blocks(stream):
            if on_bytes:
                on_bytes(position())
            yield block


class _Splitter:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.number = 1
        self.rest = b""
        self.skipped = 0
        self.decoder = codecs.getincrementaldecoder("utf-8")()

    def blocks(self, stream: IO[bytes]) -> Iterator[LineBlock]:
        first = True
        while data := stream.read(_BLOCK):
            if first:
                data, first = data.removeprefix(codecs.BOM_UTF8), False
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

    def _skip(self, data: bytes) -> tuple[bytes, LineBlock | None]:
        """Pass over a line that is too long: what follows it, and its block once it has ended."""
        cut = data.find(b"\n")
        part = data if cut < 0 else data[:cut]
        try:
            self.decoder.decode(part, final=cut >= 0)
        except UnicodeDecodeError as error:
            raise not_utf8(self.path, self.number, error) from error
        self.skipped += len(part)
        return (b"", None) if cut < 0 else (data[cut + 1 :], self._long_line())

    def _long_line(self) -> LineBlock:
        block = LineBlock(self.number, [""], {0: _too_long(self.skipped)})
        self.number += 1
        self.skipped = 0
        self.decoder.reset()
        return block

    def _split(self, data: bytes) -> LineBlock:
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            at = self.number + data.count(b"\n", 0, error.start)
            raise not_utf8(self.path, at, error, data if self.number == 1 else b"") from error
        lines = text.split("\n")
        block = LineBlock(self.number, lines)
        if len(data) > LINE_LIMIT:
            for place, line in enumerate(lines):
                if len(line) * 4 > LINE_LIMIT and (size := len(line.encode())) > LINE_LIMIT:
                    lines[place] = ""
                    block.problems[place] = _too_long(size)
        self.number += len(lines)
        return block


def _too_long(size: int) -> Problem:
    return "line-too-long", f"{size} bytes, the limit is {LINE_LIMIT}"
