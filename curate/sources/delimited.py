"""CSV and TSV tables of any origin, read strictly: header first, every row counted."""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from curate.errors import InputError
from curate.sources.files import decoded_lines, plain_suffix

if TYPE_CHECKING:
    from _csv import Reader

__all__ = ["Delimited", "guarded", "parse_delimited", "read_delimited"]

_FORMULA = ("=", "+", "-", "@", "\t", "\r")

_DELIMITERS = {".csv": ",;\t", ".tsv": "\t", ".tab": "\t"}
_UNKNOWN = "\t,;"
_SHOWN = 12


def guarded(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula: an apostrophe before ``= + - @``."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


@dataclass(frozen=True)
class Delimited:
    """A header and its rows; `lines` are the file lines (from 1) on which the rows end."""

    header: list[str]
    rows: list[list[str]]
    lines: list[int]


def read_delimited(path: Path, *, wanted: Sequence[str]) -> Delimited:
    """Read a table whose header holds the `wanted` columns.

    The delimiter is the one under which the header holds them: tab for ``.tsv``; comma, semicolon
    or tab for ``.csv``. A TSV may or may not use CSV's quotes: it is read as quoted if the whole
    file is well-formed that way, else as plain cells. Cells of any length are read.

    Raises InputError for wrong encoding, an empty file, missing columns, broken quotes.
    """
    lines = list(decoded_lines(path))
    if not any(line.strip() for line in lines):
        raise InputError("the file is empty", where=path)
    delimiter = _delimiter(path, lines[0], wanted)
    return parse_delimited(path, lines, delimiter)


def _delimiter(path: Path, first: str, wanted: Sequence[str]) -> str:
    headers = {}
    for delimiter in _DELIMITERS.get(plain_suffix(path), _UNKNOWN):
        headers[delimiter] = next(csv.reader([first], delimiter=delimiter), [])
        if set(wanted) <= set(headers[delimiter]):
            return delimiter
    header = max(headers.values(), key=len)
    missing = [name for name in wanted if name not in header]
    shown = ", ".join(repr(name[:40]) for name in header[:_SHOWN])
    more = f" and {len(header) - _SHOWN} more" if len(header) > _SHOWN else ""
    raise InputError(
        f"no column {' and no column '.join(map(repr, missing))}; the columns are {shown}{more}",
        where=f"{path}:1",
        hint="name the two columns with --columns A,B",
    )


def parse_delimited(path: Path, lines: list[str], delimiter: str) -> Delimited:
    """The header and the rows of `lines`, read as `read_delimited` says; `path` is for errors."""
    table = _parse(path, lines, delimiter)
    if not table.rows:
        raise InputError("the file holds a header and no rows", where=path)
    return table


def _parse(path: Path, lines: list[str], delimiter: str) -> Delimited:
    csv.field_size_limit(sys.maxsize)
    try:
        return _rows(csv.reader(lines, delimiter=delimiter, strict=True))
    except csv.Error as error:
        if delimiter != "\t":
            line = _broken_line(lines, delimiter)
            raise InputError(f"broken quotes ({error})", where=f"{path}:{line}") from error
    return _rows(csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE))


def _rows(reader: Reader) -> Delimited:
    header = next(reader)
    rows, ends = [], []
    for row in reader:
        if row:
            rows.append(row)
            ends.append(reader.line_num)
    return Delimited(header, rows, ends)


def _broken_line(lines: list[str], delimiter: str) -> int:
    """The line on which the row with the broken quotes starts."""
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    started = 1
    try:
        for _ in reader:
            started = reader.line_num + 1
    except csv.Error:
        return started
    return started
