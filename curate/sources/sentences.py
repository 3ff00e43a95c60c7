"""Tables of sentences: ids, the rows that repeat an earlier one, and drops of what is none."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from curate import schema
from curate.sources.blocks import Origins
from curate.sources.duplicates import Seen
from curate.sources.lines import Problem
from curate.sources.tidy import TidyRows

__all__ = ["CORPUS", "READING", "SentenceTables", "admit", "drops_table"]

CORPUS = pa.schema(
    [
        *schema.SENTENCES,
        pa.field("row", pa.int64(), nullable=False),
        pa.field("problem", pa.string()),
        pa.field("detail", pa.string()),
    ]
)
"""Sentences with their row in the corpus (from 0); where `problem` is a drop code, `detail` says
what was seen, `text` and (unless it is a duplicate) `sent_id` are empty.

The codes are ``empty-line``, ``line-too-long``, ``control-character``, ``bad-row`` (a row that its
format does not allow), ``duplicate``; and where a run goes on past broken parts, ``not-utf8``,
``corrupt-part`` (the rest of a file that breaks off, or is not what it claims) and
``missing-part`` (a file that was there when the run began, and is not)."""

READING = "read"
"""The stage of the drops of rows that are no sentences, or sentences seen before."""

_DUPLICATE = ("duplicate", "the same sentence stands further up")
_SIZES = [size.to_bytes(8, "big") for size in range(4096)]
_ID_SIZE = 21


class SentenceTables:
    """Makes tables of `CORPUS`, one after another, and remembers what sentences they held.

    `fallback` gives the ``source`` and ``licence`` of the rows whose table does not tell theirs.
    """

    def __init__(self, lang: str, fallback: Mapping[str, str]) -> None:
        self._lang, self._fallback = lang, dict(fallback)
        self._seen = Seen()
        encoded = lang.encode()
        self._hash = hashlib.blake2b(digest_size=10)
        self._hash.update(len(encoded).to_bytes(8, "big") + encoded)

    def table(self, tidy: TidyRows, number: int) -> pa.Table:
        """The table of some rows, the first of which is `number`; `tidy` is used up."""
        rows, problems, count = tidy.rows, tidy.problems, len(tidy.rows)
        for place in problems:
            rows[place] = b""
        digests = self._digests(rows)
        good = np.ones(count, dtype=np.bool_)
        good[list(problems)] = False
        without_id = ~good
        places = np.flatnonzero(good)
        keys = digests[places, :8].copy().view(np.uint64).ravel()
        for place in places[~self._seen.first(keys)].tolist():
            problems[place] = _DUPLICATE
            rows[place] = b""
        columns = [
            _ids(digests, without_id), pa.repeat(self._lang, count), _strings(rows),
            self._origin("source", tidy.origins, count),
            self._origin("licence", tidy.origins, count),
            np.arange(number, number + count), *_told(problems, count),
        ]  # fmt: skip
        return pa.table(columns, schema=CORPUS)

    def _digests(self, rows: Iterable[bytes]) -> NDArray[np.uint8]:
        """What `schema.sentence_id` hashes, as (n, 10) bytes; `rows` are in NFC."""
        begun, sizes = self._hash.copy, _SIZES
        limit = len(sizes)
        digests = []
        for row in rows:
            size = len(row)
            digest = begun()
            digest.update((sizes[size] if size < limit else size.to_bytes(8, "big")) + row)
            digests.append(digest.digest())
        return np.frombuffer(b"".join(digests), dtype=np.uint8).reshape(-1, 10)

    def _origin(self, name: str, origins: Origins, count: int) -> pa.Array:
        fallback = self._fallback[name]
        if name not in origins:
            return pa.repeat(fallback, count)
        cells = pc.utf8_trim_whitespace(origins[name])
        empty = pc.fill_null(pc.equal(cells, ""), True)
        return pc.if_else(empty, fallback, cells).cast(pa.string())


def _ids(digests: NDArray[np.uint8], without: NDArray[np.bool_]) -> pa.Array:
    """The ids of rows (n, 10), empty where a row has none."""
    spelt = np.empty((len(digests), _ID_SIZE), dtype=np.uint8)
    spelt[:, 0] = ord("s")
    spelt[:, 1:] = np.frombuffer(digests.tobytes().hex().encode(), np.uint8).reshape(-1, 20)
    sizes = np.where(without, 0, _ID_SIZE)
    return _array(sizes, (spelt[~without] if without.any() else spelt).tobytes())


def _strings(values: list[bytes]) -> pa.Array:
    sizes = np.fromiter(map(len, values), dtype=np.int64, count=len(values))
    return _array(sizes, b"".join(values))


def _array(sizes: NDArray[np.int64], data: bytes) -> pa.Array:
    """Strings that lie one after another, by their sizes in bytes."""
    ends = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=ends[1:])
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(data)]
    return pa.Array.from_buffers(pa.large_string(), len(sizes), buffers).cast(pa.string())


def _told(problems: Mapping[int, Problem], count: int) -> tuple[pa.Array, pa.Array]:
    if not problems:
        return pa.nulls(count, pa.string()), pa.nulls(count, pa.string())
    codes: list[str | None] = [None] * count
    details: list[str | None] = [None] * count
    for place, problem in problems.items():
        codes[place], details[place] = problem
    return pa.array(codes, pa.string()), pa.array(details, pa.string())


def admit(table: pa.Table, *, stage: str = READING) -> tuple[pa.Table, pa.Table]:
    """Split a table of `CORPUS` into the good sentences and the `schema.DROPS` of the others.

    The sentences have the columns of `schema.SENTENCES` and `row`.
    """
    problem = table.column("problem")
    good = pc.is_null(problem)
    bad = table.filter(pc.invert(good))
    drops = drops_table(
        bad.column("sent_id"), bad.column("row"), stage, bad.column("problem"), bad.column("detail")
    )
    return table.filter(good).select([*schema.SENTENCES.names, "row"]), drops


def drops_table(
    sent_ids: pa.ChunkedArray, rows: pa.ChunkedArray, stage: str,
    codes: str | pa.ChunkedArray | list[str], details: str | pa.ChunkedArray | list[str] = "",
) -> pa.Table:  # fmt: skip
    """A table of `schema.DROPS`, column by column; a code or detail may be one for all rows."""
    n = len(sent_ids)
    columns = [sent_ids, rows, stage, codes, details]
    arrays = [pa.repeat(c, n) if isinstance(c, str) else c for c in columns]
    return pa.table(arrays, schema=schema.DROPS)
