"""Rows made fit to be sentences: no white space around them, NFC, and no control characters.

Of a block of rows only those are decoded that may need anything: they begin or end with what may
be white space, or hold a byte of a control character or of one from U+0300 on, below which every
text is in NFC.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from curate.sources.blocks import Origins, TextBlock
from curate.sources.lines import Problem

__all__ = ["TidyRows", "recut", "tidied"]

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_NEWLINE = 0x0A
_C1 = 0xC2
"""What begins U+0080 to U+00BF; the first 32 of them are control characters."""
_INNER = bytes(
    byte >= 0xCC or byte == 0x7F or (byte < 0x20 and byte not in b"\t\n") for byte in range(256)
)


def _edges(*, first: bool) -> NDArray[np.bool_]:
    """The first (or last) bytes of the characters that `str.strip` takes away."""
    found = np.zeros(256, dtype=np.bool_)
    for code in range(0x3001):
        if chr(code).isspace():
            found[chr(code).encode()[0 if first else -1]] = True
    return found


_FIRST, _LAST = _edges(first=True), _edges(first=False)


@dataclass
class TidyRows:
    """Rows as UTF-8, what is wrong with some of them, and where each is from."""

    rows: list[bytes]
    problems: dict[int, Problem]
    origins: Origins
    normalised: int = 0

    def part(self, start: int, end: int) -> TidyRows:
        """Some rows, without the count of those normalised."""
        problems = {}
        if self.problems:
            places = range(start, min(end, len(self.rows)))
            problems = {at - start: self.problems[at] for at in places if at in self.problems}
        origins = {name: array.slice(start, end - start) for name, array in self.origins.items()}
        return TidyRows(self.rows[start:end], problems, origins)


def tidied(block: TextBlock) -> TidyRows:
    """The rows of a block, stripped and in NFC; empty ones and control characters are problems."""
    if not block.count:
        return TidyRows([], {}, {})
    rows = block.data.split(b"\n")
    problems = dict(block.problems)
    suspects = _suspects(block.data, len(rows))
    normalised = _tidy(rows, suspects, problems) if len(suspects) else 0
    return TidyRows(rows, problems, block.origins, normalised)


def _suspects(data: bytes, count: int) -> NDArray[np.int64]:
    """The places of the rows that have to be looked at."""
    ended = data + b"\n"
    array = np.frombuffer(ended, dtype=np.uint8)
    ends = np.flatnonzero(array == _NEWLINE)
    hit = _LAST[array[ends - 1]]
    hit[1:] |= _FIRST[array[ends[:-1] + 1]]
    hit[0] |= _FIRST[array[0]]
    inner = np.flatnonzero(np.frombuffer(ended.translate(_INNER), dtype=np.bool_))
    if len(inner) > count:
        return np.arange(count)  # another script: nearly every row
    hit[np.searchsorted(ends, inner)] = True
    c1 = np.flatnonzero(array == _C1)
    hit[np.searchsorted(ends, c1[array[c1 + 1] < 0xA0])] = True
    return np.flatnonzero(hit)


def _tidy(rows: list[bytes], places: NDArray[np.int64], problems: dict[int, Problem]) -> int:
    """Mend the rows at `places`; how many were not in NFC."""
    if len(places) == len(rows):
        chosen: Iterable[int] = range(len(rows))
        raw = b"\n".join(rows).decode().split("\n")
    else:
        chosen = places.tolist()
        raw = b"\n".join([rows[place] for place in chosen]).decode().split("\n")
    stripped = [text.strip() for text in raw]
    whole = "\n".join(stripped)
    texts, normalised = stripped, 0
    if not unicodedata.is_normalized("NFC", whole):
        texts = [unicodedata.normalize("NFC", text) for text in stripped]
        normalised = sum(a != b for a, b in zip(stripped, texts, strict=True))
    control = _CONTROL.search(whole) is not None
    if texts == raw and not control and "" not in raw:
        return 0
    for place, before, text in zip(chosen, raw, texts, strict=True):
        if text is not before:  # `strip` gives back the text itself where it takes nothing away
            rows[place] = text.encode()
        if place in problems:
            continue
        if not text:
            problems[place] = ("empty-line", "")
        elif control and (found := _CONTROL.search(text)):
            problems[place] = ("control-character", f"U+{ord(found[0]):04X} at {found.start()}")
    return normalised


def recut(blocks: Iterable[TidyRows], size: int) -> Iterator[TidyRows]:
    """The same rows, `size` at a time (the last ones are fewer)."""
    waiting: list[TidyRows] = []
    rows = 0
    for block in blocks:
        waiting.append(block)
        rows += len(block.rows)
        if rows < size:
            continue
        whole, start = _together(waiting), 0
        while rows - start >= size:
            yield whole.part(start, start + size)
            start += size
        waiting, rows = [whole.part(start, rows)], rows - start
    if rows:
        yield _together(waiting)


def _together(blocks: list[TidyRows]) -> TidyRows:
    if len(blocks) == 1:
        return blocks[0]
    rows: list[bytes] = []
    problems: dict[int, Problem] = {}
    for block in blocks:
        if block.problems:
            shift = len(rows)
            problems |= {place + shift: problem for place, problem in block.problems.items()}
        rows += block.rows
    names = {name: None for block in blocks for name in block.origins}
    return TidyRows(rows, problems, {name: _values(blocks, name) for name in names})


def _values(blocks: list[TidyRows], name: str) -> pa.Array:
    """One of the origins; null in the blocks whose table does not tell it."""
    arrays = [
        block.origins.get(name, pa.nulls(len(block.rows), pa.string())).cast(pa.string())
        for block in blocks
    ]
    return pa.concat_arrays(arrays)
