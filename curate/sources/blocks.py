"""Rows of a corpus as they were read: their bytes, what is wrong with some, where each is from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from curate.errors import InputError
from curate.sources.lines import LINE_LIMIT, Problem

__all__ = [
    "ORIGINS",
    "Origins",
    "TextBlock",
    "arrow_block",
    "is_text",
    "origin_columns",
    "text_block",
]

ORIGINS: Mapping[str, tuple[str, ...]] = {"source": ("source",), "licence": ("licence", "license")}
"""What a table may say of each row, and how its columns may be called."""

Origins = Mapping[str, pa.Array]
"""By a name of `ORIGINS`, a string a row; null or "" where the table has none."""


@dataclass(frozen=True)
class TextBlock:
    """Consecutive rows: `count` texts as UTF-8, with ``\\n`` between them and nowhere else.

    `problems` are the rows (from 0, in the block) that are in trouble.
    """

    data: bytes
    count: int
    problems: dict[int, Problem] = field(default_factory=dict)
    origins: Origins = field(default_factory=dict)


def origin_columns(names: Sequence[str], wanted: Sequence[str], text: str) -> dict[str, str]:
    """The columns among `names` that say what is `wanted` of a row, by what they say.

    `text` is the column of the text, which says nothing else.
    """
    found = {}
    for origin in wanted:
        spelt = [name for name in ORIGINS[origin] if name in names and name != text]
        if spelt:
            found[origin] = spelt[0]
    return found


def text_block(
    texts: list[str],
    problems: dict[int, Problem],
    origins: Mapping[str, list[str | None]] | None = None,
) -> TextBlock:
    """A block of decoded texts; a line feed within one becomes a space."""
    joined = "\n".join(texts)
    if joined.count("\n") >= max(1, len(texts)):
        joined = "\n".join(text.replace("\n", " ") for text in texts)
    try:
        data = joined.encode()
    except UnicodeEncodeError:
        data = "\n".join(_without_halves(joined.split("\n"), problems)).encode()
    arrays = {name: _cells(name, values, problems) for name, values in (origins or {}).items()}
    return TextBlock(data, len(texts), problems, arrays)


def _cells(name: str, values: list[str | None], problems: dict[int, Problem]) -> pa.Array:
    """One of the origins; a row whose cell is no text becomes a problem."""
    try:
        return pa.array(values, pa.string())
    except UnicodeEncodeError:
        return pa.array(_without_halves(values, problems, f"{name}: "), pa.string())


def _without_halves(
    texts: Iterable[str | None], problems: dict[int, Problem], what: str = ""
) -> list[str]:
    """JSON can spell half a character, which no text can hold: such rows read as empty."""
    whole = []
    for place, value in enumerate(texts):
        text = value or ""
        try:
            text.encode()
        except UnicodeEncodeError as error:
            half = f"U+{ord(text[error.start]):04X} at {error.start} is half a pair"
            problems.setdefault(place, ("bad-row", what + half))
            text = ""
        whole.append(text)
    return whole


def is_text(kind: pa.DataType) -> bool:
    """Whether a column of Arrow holds strings, plain or by dictionary."""
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return bool(
        pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    )


def arrow_block(
    table: pa.Table | pa.RecordBatch, column: str, origins: Mapping[str, str],
    *, where: Path | str, row: int = 0, strict: bool = True,
) -> TextBlock:  # fmt: skip
    """A block of a table's texts in `column`, and of the columns that tell its `origins`.

    Null reads as empty, over-long texts are problems. Bytes that are no UTF-8, which Arrow does not
    check, are an InputError with `where`, or problems without `strict`; `row` is the first one's
    number, for the message.
    """
    count = table.num_rows
    values = _strings(table.column(column)).cast(pa.large_binary()).fill_null(b"")
    problems: dict[int, Problem] = {}
    sizes = pc.binary_length(values)
    if count and pc.max(sizes).as_py() > LINE_LIMIT:
        long = pc.greater(sizes, LINE_LIMIT)
        for place in pc.indices_nonzero(long).to_pylist():
            size = sizes[place].as_py()
            problems[place] = ("line-too-long", f"{size} bytes, the limit is {LINE_LIMIT}")
        values = pc.if_else(long, pa.scalar(b"", pa.large_binary()), values)
    data = _joined(values)
    if data.count(b"\n") >= max(1, count):
        data = _joined(pc.replace_substring(values, pattern="\n", replacement=" "))
    try:
        data.decode()
    except UnicodeDecodeError:
        data = b"\n".join(_without_wrong_bytes(data.split(b"\n"), problems, row))
    told = {
        name: _checked(_strings(table.column(spelt)), problems, row, name)
        for name, spelt in origins.items()
    }
    wrong = [seen for code, seen in problems.values() if code == "not-utf8"]
    if strict and wrong:
        raise InputError(f"not UTF-8: {wrong[0]}", where=where)
    return TextBlock(data, count, problems, told)


def _checked(values: pa.Array, problems: dict[int, Problem], row: int, name: str) -> pa.Array:
    """One of the origins; a row whose cell is no UTF-8 becomes a problem."""
    try:
        values.validate(full=True)
    except pa.ArrowInvalid:
        cells = values.cast(pa.large_binary()).fill_null(b"").to_pylist()
        right = _without_wrong_bytes(cells, problems, row, f", {name}")
        return pa.array(right, pa.large_binary()).cast(pa.large_string())
    return values


def _strings(values: pa.Array | pa.ChunkedArray) -> pa.Array:
    """A column of strings as one array, in the one layout that all kernels know."""
    if isinstance(values, pa.ChunkedArray):
        values = values.combine_chunks()
    return values.cast(pa.large_string())


def _joined(values: pa.Array) -> bytes:
    """The values with ``\\n`` between them."""
    whole = pa.LargeListArray.from_arrays(pa.array([0, len(values)], pa.int64()), values)
    return bytes(pc.binary_join(whole, pa.scalar(b"\n", pa.large_binary()))[0].as_buffer())


def _without_wrong_bytes(
    texts: list[bytes], problems: dict[int, Problem], row: int, what: str = ""
) -> list[bytes]:
    """The texts without those that are no UTF-8, which become problems."""
    for place, text in enumerate(texts):
        try:
            text.decode()
        except UnicodeDecodeError as error:
            byte = f"byte 0x{text[error.start]:02x} at {error.start}"
            problems[place] = ("not-utf8", f"row {row + place}{what}: {byte}")
            texts[place] = b""
    return texts
