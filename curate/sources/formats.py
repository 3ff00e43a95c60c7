"""Corpus files by format: text, CSV/TSV, jsonl, parquet, each as blocks of raw texts."""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from curate.errors import InputError
from curate.sources.files import plain_suffix
from curate.sources.lines import LINE_LIMIT, LineBlock, Problem, read_lines
from curate.sources.tables import read_parquet_schema

__all__ = ["OnBytes", "TextBlock", "read_texts"]

OnBytes = Callable[[int], None]
_ROWS = 4096
_QUOTED = re.compile(r'"(?:[^"]|"")*""(?:[^"]|"")*"', re.DOTALL)


@dataclass(frozen=True)
class TextBlock:
    """Consecutive rows: their texts as they stand, and (from 0, in the block) those in trouble."""

    texts: list[str]
    problems: dict[int, Problem] = field(default_factory=dict)


def read_texts(
    path: Path, *, column: str = "text", on_bytes: OnBytes | None = None
) -> Iterator[TextBlock]:
    """Stream the texts of a corpus file; the suffix (before .gz, .xz) tells the format.

    ``.tsv .tab .csv .jsonl .parquet`` hold the text in `column`; any other file has a text a line.
    """
    suffix = plain_suffix(path)
    if suffix in {".tsv", ".tab"}:
        return _tsv(path, column, on_bytes)
    if suffix == ".csv":
        return _csv(path, column, on_bytes)
    if suffix in {".jsonl", ".ndjson"}:
        return _jsonl(path, column, on_bytes)
    if suffix == ".parquet":
        return _parquet(path, column)
    return (TextBlock(b.lines, b.problems) for b in read_lines(path, on_bytes=on_bytes))


def _no_column(path: Path, column: str, names: list[str]) -> InputError:
    shown = ", ".join(repr(name[:40]) for name in names[:12])
    return InputError(
        f"no column {column!r}; the columns are {shown}",
        where=f"{path}:1",
        hint="name the column that holds the text with --column",
    )


def _tsv(path: Path, column: str, on_bytes: OnBytes | None) -> Iterator[TextBlock]:
    at = -1
    for block in read_lines(path, on_bytes=on_bytes):
        lines, problems = block.lines, block.problems
        if at < 0:
            header = [_unquoted(cell) for cell in lines[0].rstrip("\r").split("\t")]
            if column not in header:
                raise _no_column(path, column, header)
            at, lines = header.index(column), lines[1:]
            problems = {place - 1: problem for place, problem in problems.items()}
        texts = []
        for place, line in enumerate(lines):
            cells = line.rstrip("\r").split("\t")
            if at >= len(cells) and line and place not in problems:
                problems[place] = ("bad-row", f"{len(cells)} cells, the text is cell {at + 1}")
            texts.append(_unquoted(cells[at]) if at < len(cells) else "")
        yield TextBlock(texts, problems)


def _unquoted(cell: str) -> str:
    """A cell without CSV's quotes, where they were put because the cell holds quotes itself."""
    return cell[1:-1].replace('""', '"') if _QUOTED.fullmatch(cell) else cell


def _csv(path: Path, column: str, on_bytes: OnBytes | None) -> Iterator[TextBlock]:
    csv.field_size_limit(sys.maxsize)
    long_lines: list[Problem] = []

    def lines() -> Iterator[str]:
        for block in read_lines(path, on_bytes=on_bytes):
            for place, line in enumerate(block.lines):
                if place in block.problems:
                    long_lines.append(block.problems[place])
                yield line + "\n"

    reader = csv.reader(lines())
    header = next(reader, [])
    if column not in header:
        raise _no_column(path, column, header)
    at = header.index(column)
    texts: list[str] = []
    problems: dict[int, Problem] = {}
    for row in reader:
        if long_lines:
            problems[len(texts)] = long_lines.pop()
        elif row and at >= len(row):
            problems[len(texts)] = ("bad-row", f"{len(row)} cells, the text is cell {at + 1}")
        texts.append(row[at] if at < len(row) else "")
        if len(texts) == _ROWS:
            yield TextBlock(texts, problems)
            texts, problems = [], {}
    yield TextBlock(texts, problems)


def _jsonl(path: Path, column: str, on_bytes: OnBytes | None) -> Iterator[TextBlock]:
    for block in read_lines(path, on_bytes=on_bytes):
        yield TextBlock(*_json_texts(path, column, block))


def _json_texts(path: Path, column: str, block: LineBlock) -> tuple[list[str], dict[int, Problem]]:
    texts, problems = [], dict(block.problems)
    for place, line in enumerate(block.lines):
        text, problem = _json_text(line, column) if line.strip() else ("", None)
        if problem and place not in problems:
            if block.number + place == 1:
                raise InputError(
                    f"not JSON lines with a text in {column!r}: {problem}", where=f"{path}:1"
                )
            problems[place] = ("bad-row", problem)
        texts.append(text)
    return texts, problems


def _json_text(line: str, column: str) -> tuple[str, str | None]:
    try:
        value = json.loads(line)
    except (json.JSONDecodeError, RecursionError) as error:
        return "", f"no JSON ({error})"
    text = value.get(column) if isinstance(value, dict) else None
    if not isinstance(text, str):
        names = ", ".join(map(repr, value)) if isinstance(value, dict) else type(value).__name__
        return "", f"no text in {column!r}, there is: {names[:200]}"
    return text, None


def _parquet(path: Path, column: str) -> Iterator[TextBlock]:
    names = read_parquet_schema(path)
    if column not in names.names:
        raise _no_column(path, column, names.names)
    kind = names.field(column).type
    if not (
        pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_dictionary(kind)
    ):
        raise InputError(f"the column {column!r} holds {kind}, not text", where=path)
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=_ROWS, columns=[column]):
            yield arrow_texts(batch.column(0))


def arrow_texts(values: pa.Array) -> TextBlock:
    """A block from an Arrow array of strings; null reads as empty, over-long texts as problems."""
    texts = [text or "" for text in values.to_pylist()]
    problems: dict[int, Problem] = {}
    for place, text in enumerate(texts):
        if len(text) * 4 > LINE_LIMIT and (size := len(text.encode())) > LINE_LIMIT:
            texts[place] = ""
            problems[place] = ("line-too-long", f"{size} bytes, the limit is {LINE_LIMIT}")
    return TextBlock(texts, problems)
