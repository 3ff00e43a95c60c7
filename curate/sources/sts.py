"""Sets of sentence pairs with a similarity score (STS-B and its translations), read strictly.

Four layouts are told apart by what a file holds, whatever it is called: the original (tabs, seven
columns and up to two with the origin of the texts, no header, no quoting: a quote is a letter),
tabs under a header (quoted where the whole file is well-formed so, else not), quoted CSV with or
without a header, and ``hub:REPO[:config[:split]]``.
"""

from __future__ import annotations

import csv
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from curate.errors import InputError, UsageError
from curate.language import normalize
from curate.sources.files import decoded_lines
from curate.sources.hub import HubTexts, is_hub

__all__ = ["STS", "StsSet", "read_sts"]

STS = pa.schema(
    [
        pa.field("row", pa.int64(), nullable=False),
        pa.field("sentence1", pa.string(), nullable=False),
        pa.field("sentence2", pa.string(), nullable=False),
        pa.field("score", pa.float64(), nullable=False),
    ]
)

_SENTENCES = ("sentence1", "sentence2")
_SCORES = ("score", "similarity_score", "label")
_ORIGINAL = (7, 9)  # columns, and with the origin of both sentences
_SCORE_AT = 4
_HEADERS = "sentence1, sentence2 and score (or similarity_score, label)"


@dataclass(frozen=True)
class StsSet:
    """A set as `table` (`STS`; `row` counts from 0, a header left out), and its `layout`:
    ``original``, ``tsv``, ``csv`` or ``hub``. Texts are in NFC, without white space at the ends."""

    table: pa.Table
    layout: str
    source: str

    @property
    def rows(self) -> int:
        return int(self.table.num_rows)


class _Raw(NamedTuple):
    where: str
    sentences: tuple[Any, Any]
    score: Any


def read_sts(spec: str | Path, *, split: str = "") -> StsSet:
    """Read a file, or ``hub:REPO[:config[:split]]`` with the split there or in `split`.

    Raises InputError, with file and line, for a wrong number of columns, broken or unwanted quotes,
    an empty sentence, a score that is no number, and for a set without rows.
    """
    text = str(spec)
    if is_hub(text):
        layout, raws = "hub", _hub_rows(text, split)
    else:
        if split:
            raise UsageError("a file has no splits", where=text, hint="name the file of the split")
        layout, raws = _file_rows(Path(text))
    rows = [_row(number, raw) for number, raw in enumerate(raws)]
    if not rows:
        raise InputError("there are no sentence pairs here", where=text)
    return StsSet(pa.Table.from_pylist(rows, schema=STS), layout, text)


def _row(number: int, raw: _Raw) -> dict[str, object]:
    row: dict[str, object] = {"row": number, "score": _score(raw)}
    for name, cell in zip(_SENTENCES, raw.sentences, strict=True):
        sentence = normalize(cell).strip() if isinstance(cell, str) else ""
        if not sentence:
            raise InputError(f"{name} is empty", where=raw.where)
        row[name] = sentence
    return row


def _score(raw: _Raw) -> float:
    try:
        score = float(raw.score)
    except (TypeError, ValueError):
        score = math.nan
    if not math.isfinite(score):
        raise InputError(
            f"the score {str(raw.score)[:40]!r} is not a number",
            where=raw.where,
            hint=f"the columns wanted are {_HEADERS}; are there more or fewer?",
        )
    return score


def _file_rows(path: Path) -> tuple[str, Iterator[_Raw]]:
    lines = [line.rstrip("\r\n") for line in decoded_lines(path)]
    first = next((line for line in lines if line.strip()), None)
    if first is None:
        raise InputError("the file is empty", where=path)
    if "\t" not in first:
        return "csv", _quoted_rows(path, lines, ",")
    if not set(_SENTENCES) & {name.strip() for name in first.split("\t")}:
        return "original", _plain_rows(path, lines, (5, 6, _SCORE_AT), _ORIGINAL)
    try:
        return "tsv", iter(list(_quoted_rows(path, lines, "\t", strictly=False)))
    except csv.Error:
        header = first.split("\t")
        places = _places([name.strip() for name in header], f"{path}:1")
        return "tsv", _plain_rows(path, lines, places, (len(header), len(header)), skip=1)


def _places(header: Sequence[str], where: str) -> tuple[int, int, int]:
    """Where the two sentences and the score stand under a header."""
    score = next((name for name in _SCORES if name in header), None)
    missing = [name for name in _SENTENCES if name not in header]
    if missing or score is None:
        shown = ", ".join(repr(name[:40]) for name in header[:12])
        raise InputError(
            f"no column {(missing or ['score'])[0]!r}; the columns are {shown}",
            where=where,
            hint=f"wanted: {_HEADERS}",
        )
    return header.index("sentence1"), header.index("sentence2"), header.index(score)


def _plain_rows(
    path: Path,
    lines: list[str],
    places: tuple[int, int, int],
    widths: tuple[int, int],
    skip: int = 0,
) -> Iterator[_Raw]:
    """Rows of tab-separated cells in which a quote is a letter; `widths`: fewest and most cells."""
    low, high = widths
    for number, line in enumerate(lines, start=1):
        if not line.strip() or number <= skip:
            continue
        where, cells = f"{path}:{number}", line.split("\t")
        if not low <= len(cells) <= high:
            wanted = f"{low} to {high}" if low < high else str(low)
            raise InputError(
                f"{len(cells)} columns, {wanted} are wanted",
                where=where,
                hint="between the columns of this layout stand tabs, and nothing is quoted",
            )
        for at in places[:2]:
            _refuse_quoting(cells[at].strip(), where)
        yield _Raw(where, (cells[places[0]], cells[places[1]]), cells[places[2]].strip())


def _refuse_quoting(cell: str, where: str) -> None:
    """A cell in quotes, with every quote in it doubled, was written by a spreadsheet."""
    inner = cell[1:-1]
    quoted = len(cell) > 2 and cell[0] == cell[-1] == '"'
    if quoted and '"' in inner and '"' not in inner.replace('""', ""):
        raise InputError(
            "the cell is quoted as in CSV; in this layout a quote is a letter",
            where=where,
            hint="save the file again with tabs and without quoting",
        )


def _quoted_rows(
    path: Path, lines: list[str], delimiter: str, *, strictly: bool = True
) -> Iterator[_Raw]:
    """Rows quoted as in CSV: sentence1, sentence2, score, or the columns of a header.

    Broken quotes are an InputError, or csv.Error where not `strictly`.
    """
    csv.field_size_limit(sys.maxsize)
    reader = csv.reader([f"{line}\n" for line in lines], delimiter=delimiter, strict=True)
    places, width, started = None, 3, 1
    try:
        for cells in reader:
            where, started = f"{path}:{started}", reader.line_num + 1
            if not cells:
                continue
            if places is None:
                places, width, is_header = _columns(cells, where)
                if is_header:
                    continue
            if len(cells) != width:
                raise InputError(
                    f"{len(cells)} columns, {width} are wanted",
                    where=where,
                    hint=f"a sentence with {delimiter!r} in it must stand in quotes",
                )
            yield _Raw(where, (cells[places[0]], cells[places[1]]), cells[places[2]].strip())
    except csv.Error as error:
        if not strictly:
            raise
        raise InputError(
            f"broken quotes ({error})",
            where=f"{path}:{started}",
            hint='in CSV a quote within quotes is doubled: "He said ""yes""."',
        ) from error


def _columns(cells: list[str], where: str) -> tuple[tuple[int, int, int], int, bool]:
    """Places of the columns, how many there are, and whether this row is a header."""
    header = [name.strip() for name in cells]
    if set(_SENTENCES) & set(header):
        return _places(header, where), len(header), True
    return (0, 1, 2), 3, False


class _HubSts(HubTexts):
    """A split with two sentences and a score."""

    def _checked(self, dataset: Any) -> Any:
        _places(dataset.column_names, self.repo)
        return dataset.with_format(None)

    def pairs(self) -> Iterator[_Raw]:
        names = self._dataset.column_names
        first, second, score = (names[at] for at in _places(names, self.repo))
        for number, row in enumerate(self._dataset):
            yield _Raw(f"{self.repo}: row {number}", (row[first], row[second]), row[score])


def _hub_rows(spec: str, split: str) -> Iterator[_Raw]:
    if split:
        parts = spec.split(":")
        if len(parts) > 3:
            raise UsageError(f"{spec!r} names a split, and --split another", where=spec)
        spec = ":".join([*parts, *[""] * (3 - len(parts)), split])
    return _HubSts(spec, column="sentence1").pairs()
