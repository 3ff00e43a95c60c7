"""CSV out and in: UTF-8 with a byte order mark, as spreadsheets want it; read however saved."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path

from curate.annotation.campaign import Campaign
from curate.annotation.files.given import INFO, Given, answer_columns
from curate.annotation.files.guard import guarded_cell
from curate.annotation.files.returned import Returned
from curate.annotation.files.table import NEEDED, Row, check_header, returned_rows
from curate.errors import InputError
from curate.sources.delimited import Delimited, parse_delimited
from curate.sources.files import not_utf8

__all__ = ["read", "write"]

_DELIMITERS = ",;\t"
_HINT = "one delimiter was changed for another inside the file? export it again"


def write(campaign: Campaign, lang: str, tasks: Sequence[Given], path: Path) -> None:
    """Write tasks as CSV, every cell guarded against being taken for a formula."""
    answers = answer_columns(list(dict.fromkeys(one.task.stage for one in tasks)))
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*INFO, *answers])
        for one in tasks:
            cells = [one.cells[name] for name in INFO]
            cells += [one.prefilled.get(name, "") for name in answers]
            writer.writerow([guarded_cell(cell) for cell in cells])


def read(campaign: Campaign, path: Path) -> list[Returned]:
    """Read a CSV file as a spreadsheet saved it: comma, semicolon or tab; UTF-8 or UTF-16."""
    lines = _lines(path)
    declared = re.fullmatch(r"\"?sep=(.)\"?\s*", lines[0]) if lines else None
    first = 1 if declared else 0  # Excel's own line; it shows none of it
    if len(lines) <= first:
        raise InputError("the file is empty", where=path)
    delimiter = declared[1] if declared else _delimiter(lines[0])
    table = parse_delimited(path, lines[first:], delimiter)
    header = [name.strip().lower() for name in table.header]
    check_header(header, f"{path}:{first + 1}")
    rows = _rows(path, header, table, lines, first)
    return returned_rows(campaign, header, rows, f"{path}:{first + 1}")


def _lines(path: Path) -> list[str]:
    raw = path.read_bytes()
    if raw[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        try:
            text = raw.decode("utf-16")
        except UnicodeDecodeError as error:
            raise InputError(f"broken UTF-16 ({error.reason})", where=path) from error
    else:
        try:
            text = raw.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = raw[: error.start].count(b"\n") + 1
            broken = not_utf8(path, line, error)
            broken.hint = "save it as CSV UTF-8, or work in the XLSX form"
            raise broken from error
    return list(io.StringIO(text, newline="\n"))


def _delimiter(first: str) -> str:
    """The delimiter under which the header holds our columns; a comma where none does."""
    for delimiter in _DELIMITERS:
        header = next(csv.reader([first], delimiter=delimiter), [])
        if set(NEEDED) <= {name.strip().lower() for name in header}:
            return delimiter
    return max(_DELIMITERS, key=first.count)


def _rows(
    path: Path, header: Sequence[str], table: Delimited, lines: Sequence[str], first: int
) -> list[Row]:
    rows = []
    end = first + 1
    for cells, last in zip(table.rows, table.lines, strict=True):
        line = end + 1
        while not lines[line - 1].strip("\r\n"):
            line += 1  # empty lines between rows
        end = last + first
        where = f"{path}:{line}"
        if any(cell.strip() for cell in cells[len(header) :]):
            message = f"{len(cells)} cells under a header of {len(header)}"
            raise InputError(message, where=where, hint=_HINT)
        # Some spreadsheets leave out empty cells at the end of a row.
        filled = [*cells, *[""] * (len(header) - len(cells))]
        by_name = dict(zip(header, filled, strict=False))
        rows.append(Row(where, f"{path.name}:{line}", by_name, {}))
    return rows
