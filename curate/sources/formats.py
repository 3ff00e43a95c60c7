"""Corpus files by format: text, CSV/TSV, jsonl, parquet, each as blocks of raw rows."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curate.errors import InputError
from curate.sources.blocks import ORIGINS, TextBlock, origin_columns, text_block
from curate.sources.files import plain_suffix
from curate.sources.lines import Problem, RawLines, read_raw_lines

__all__ = ["KNOWN", "TABLES", "OnBytes", "Reading", "no_column", "read_texts"]

OnBytes = Callable[[int], None]
TABLES = frozenset({".tsv", ".tab", ".csv", ".jsonl", ".ndjson", ".parquet"})
"""Suffixes of files that hold columns."""
KNOWN = TABLES | {".txt"}
_QUOTED = re.compile(r'"(?:[^"]|"")*""(?:[^"]|"")*"', re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How a file is read: the `column` of the text, and which of `ORIGINS` are to be carried.

    Without `strict` a row that is no UTF-8 is a problem, not an InputError. `on_bytes` is told how
    many bytes on disk have been read.
    """

    column: str = "text"
    carried: Sequence[str] = tuple(ORIGINS)
    strict: bool = True
    on_bytes: OnBytes = lambda done: None

    def lines(self, path: Path) -> Iterator[RawLines]:
        return read_raw_lines(path, on_bytes=self.on_bytes, strict=self.strict)


def read_texts(path: Path, reading: Reading) -> Iterator[TextBlock]:
    """Stream the texts of a corpus file; the suffix (before .gz, .xz) tells the format.

    ``.tsv .tab .csv .jsonl .parquet`` hold the text in a column; any other file has a text a line.
    Raises InputError where the file is no such thing or breaks off; what came before is yielded.
    """
    suffix = plain_suffix(path)
    if suffix in {".tsv", ".tab"}:
        return _tsv(path, reading)
    if suffix == ".csv":
        from curate.sources.csv_rows import read_csv

        return read_csv(path, reading)
    if suffix in {".jsonl", ".ndjson"}:
        return _jsonl(path, reading)
    if suffix == ".parquet":
        from curate.sources.parquet_rows import read_parquet_texts

        return read_parquet_texts(path, reading)
    return (TextBlock(b.data, b.count, b.problems) for b in reading.lines(path))


def no_column(path: Path, column: str, names: Sequence[str]) -> InputError:
    """The one error for a table that lacks the column of the text."""
    shown = ", ".join(repr(name[:40]) for name in names[:12])
    return InputError(
        f"no column {column!r}; the columns are {shown}",
        where=f"{path}:1",
        hint="name the column that holds the text with --column",
    )


def _tsv(path: Path, reading: Reading) -> Iterator[TextBlock]:
    header: list[str] = []
    for block in reading.lines(path):
        lines, problems = block.texts(), block.problems
        if not header:
            header = [_unquoted(cell) for cell in lines.pop(0).rstrip("\r").split("\t")]
            if reading.column not in header:
                raise no_column(path, reading.column, header)
            at = header.index(reading.column)
            columns = origin_columns(header, reading.carried, reading.column)
            places = {name: header.index(column) for name, column in columns.items()}
            problems = {place - 1: problem for place, problem in problems.items()}
        texts = []
        origins: dict[str, list[str | None]] = {name: [] for name in places}
        for place, line in enumerate(lines):
            cells = line.rstrip("\r").split("\t")
            if at >= len(cells) and line and place not in problems:
                problems[place] = ("bad-row", f"{len(cells)} cells, the text is cell {at + 1}")
            texts.append(_unquoted(cells[at]) if at < len(cells) else "")
            for name, cell in places.items():
                origins[name].append(_unquoted(cells[cell]) if cell < len(cells) else None)
        yield text_block(texts, problems, origins)


def _unquoted(cell: str) -> str:
    """A cell without CSV's quotes, where they were put because the cell holds quotes itself."""
    return cell[1:-1].replace('""', '"') if _QUOTED.fullmatch(cell) else cell


def _jsonl(path: Path, reading: Reading) -> Iterator[TextBlock]:
    for block in reading.lines(path):
        yield _json_block(path, reading, block)


def _json_block(path: Path, reading: Reading, block: RawLines) -> TextBlock:
    texts: list[str] = []
    problems: dict[int, Problem] = dict(block.problems)
    origins: dict[str, list[str | None]] = {name: [] for name in reading.carried}
    for place, line in enumerate(block.texts()):
        row, problem = _json_row(line, reading.column) if line.strip() else ({}, None)
        if problem and place not in problems:
            if block.number + place == 1:
                what = f"not JSON lines with a text in {reading.column!r}: {problem}"
                raise InputError(what, where=f"{path}:1")
            problems[place] = ("bad-row", problem)
        texts.append(row.get(reading.column, ""))
        for name, values in origins.items():
            values.append(_first_text(row, ORIGINS[name]))
    return text_block(texts, problems, origins)


def _json_row(line: str, column: str) -> tuple[dict[str, Any], str | None]:
    try:
        value = json.loads(line)
    except (json.JSONDecodeError, RecursionError, ValueError) as error:
        return {}, f"no JSON ({error})"
    if isinstance(value, dict) and isinstance(value.get(column), str):
        return value, None
    names = ", ".join(map(repr, value)) if isinstance(value, dict) else type(value).__name__
    return {}, f"no text in {column!r}, there is: {names[:200]}"


def _first_text(row: dict[str, Any], names: Sequence[str]) -> str | None:
    found = (row[name] for name in names if isinstance(row.get(name), str))
    return next(found, None)
