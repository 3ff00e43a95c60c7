"""CSV corpora of any size: quoted cells over several lines, and quotes that never end."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from pathlib import Path

from curate.sources.blocks import TextBlock, origin_columns, text_block
from curate.sources.formats import Reading, no_column
from curate.sources.lines import LINE_LIMIT, Problem

__all__ = ["read_csv"]

_ROWS = 4096


class _TooLong(Exception):
    """The quotes of a row do not end within `LINE_LIMIT`."""


class _Lines:
    """The lines of a file for one reader of CSV; `problem` is of the lines since `begin`.

    `over` once a line was asked for and there was none.
    """

    def __init__(self, path: Path, reading: Reading) -> None:
        self._lines = self._read(path, reading)
        self._taken = 0
        self.problem: Problem | None = None
        self.over = False

    def _read(self, path: Path, reading: Reading) -> Iterator[str]:
        for block in reading.lines(path):
            for place, line in enumerate(block.texts()):
                self.problem = self.problem or block.problems.get(place)
                yield line + "\n"

    def begin(self) -> None:
        """A row begins."""
        self._taken = 0
        self.problem = None

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if self._taken > LINE_LIMIT:
            raise _TooLong
        line = next(self._lines, None)
        if line is None:
            self.over = True
            raise StopIteration
        self._taken += len(line)
        return line


def read_csv(path: Path, reading: Reading) -> Iterator[TextBlock]:
    """The texts of a CSV file with a header; a row that breaks the format is a problem.

    A row whose quotes do not end within `LINE_LIMIT` characters ends there; the next line begins
    another. A file of no lines has no rows.
    """
    csv.field_size_limit(sys.maxsize)
    lines = _Lines(path, reading)
    rows = _rows(lines)
    header, _ = next(rows, (None, None))
    if header is None:
        return
    if reading.column not in header:
        raise no_column(path, reading.column, header)
    at = header.index(reading.column)
    columns = origin_columns(header, reading.carried, reading.column)
    cells = {name: header.index(column) for name, column in columns.items()}
    block = _Block(at, cells)
    for row, problem in rows:
        block.add(row, problem)
        if len(block.texts) == _ROWS:
            yield block.made()
            block = _Block(at, cells)
    yield block.made()


def _rows(lines: _Lines) -> Iterator[tuple[list[str], Problem | None]]:
    """The cells of each row and, where it breaks the format, what is wrong."""
    reader = csv.reader(lines)
    while True:
        lines.begin()
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield [], lines.problem or ("bad-row", f"no CSV ({error})")
        except _TooLong:
            yield [], ("bad-row", f"quotes that do not end within {LINE_LIMIT} characters")
        else:
            if lines.over:  # the reader asked for a line to end its quotes with
                yield [], lines.problem or ("bad-row", "quotes that do not end")
                return
            yield row, lines.problem


class _Block:
    def __init__(self, at: int, cells: dict[str, int]) -> None:
        self._at, self._cells = at, cells
        self.texts: list[str] = []
        self._problems: dict[int, Problem] = {}
        self._origins: dict[str, list[str | None]] = {name: [] for name in cells}

    def add(self, row: list[str], problem: Problem | None) -> None:
        here = len(self.texts)
        if problem:
            self._problems[here] = problem
        elif row and self._at >= len(row):
            what = f"{len(row)} cells, the text is cell {self._at + 1}"
            self._problems[here] = ("bad-row", what)
        self.texts.append(row[self._at] if self._at < len(row) else "")
        for name, cell in self._cells.items():
            self._origins[name].append(row[cell] if cell < len(row) else None)

    def made(self) -> TextBlock:
        return text_block(self.texts, self._problems, self._origins)
