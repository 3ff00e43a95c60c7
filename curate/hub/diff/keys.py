"""By what the rows of a configuration are known, and which of two tables are the same row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

__all__ = ["KINDS", "Indices", "Kind", "kind_of", "left_over", "matches", "row_codes"]

Indices = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Kind:
    """How rows of one kind are known and shown.

    Rows are matched by the first of `keys`, what is left by the next, and so on. ``original_text``
    in a key stands for the text of the side that the pair was made from.
    """

    keys: tuple[tuple[str, ...], ...]
    texts: tuple[str, ...]


_SIDES = ("masculine", "feminine")
KINDS: Mapping[str, Kind] = {
    "pairs": Kind(
        keys=(("pair_id",), ("lang", "method", "sent_id", "original", "original_text")),
        texts=_SIDES,
    ),
    "crows": Kind(keys=(("pair_id",), ("lang", "source_id")), texts=("sent_more", "sent_less")),
    # Neither the row number nor the reason: both are what may change about a dropped sentence.
    "drops": Kind(keys=(("lang", "method", "sent_id", "stage"),), texts=("code", "detail")),
    "lexicon": Kind(keys=(("lang", "pair", "masculine", "feminine", "feats"),), texts=_SIDES),
    "politicians": Kind(keys=(("qid", "lang"),), texts=("name",)),
    "occupations": Kind(
        keys=(("lang", "sent_id", "occupation", "kind", "form", "column", "subject"),),
        texts=("text",),
    ),
    "names": Kind(keys=(("lang", "country", "name"),), texts=("name", "gender")),
}
_ID_COLUMNS = ("pair_id", "id", "qid", "name", "word", "occupation")


def kind_of(kind: str, schema: pa.Schema) -> Kind:
    """The `Kind` of a configuration; of one that is not known or has no such columns, from them."""
    if kind in KINDS and set(KINDS[kind].keys[0]) <= set(schema.names):
        return KINDS[kind]
    plain = [f.name for f in schema if not pa.types.is_nested(f.type)]
    named = [name for name in plain if name in _ID_COLUMNS]
    if not named:
        return Kind(keys=(tuple(plain),), texts=tuple(plain))
    own = tuple(name for name in ("lang", *named) if name in plain)
    return Kind(keys=(own,), texts=tuple(named))


def row_codes(old: pa.Table, new: pa.Table) -> tuple[Indices, Indices]:
    """A number for every row: rows of both tables that are alike in all columns share one.

    Both tables have the same columns, none of them nested; a null is like another null.
    """
    codes = np.zeros(old.num_rows + new.num_rows, dtype=np.int64)
    for number, name in enumerate(old.column_names):
        own, size = _encoded(old.column(name), new.column(name))
        # Numbers stay dense, so that the product of two sizes fits.
        codes = own if number == 0 else np.unique(codes * size + own, return_inverse=True)[1]
    return codes[: old.num_rows], codes[old.num_rows :]


def _encoded(old: pa.ChunkedArray, new: pa.ChunkedArray) -> tuple[Indices, int]:
    if old.type != new.type:  # one of them is too large for plain strings
        old, new = old.cast(pa.large_string()), new.cast(pa.large_string())
    both = pa.chunked_array([*old.chunks, *new.chunks], type=old.type)
    encoded = both.dictionary_encode().unify_dictionaries()
    size = max((len(chunk.dictionary) for chunk in encoded.chunks), default=0)
    parts = [
        chunk.indices.fill_null(size).to_numpy(zero_copy_only=False).astype(np.int64)
        for chunk in encoded.chunks
    ]
    return np.concatenate([np.zeros(0, dtype=np.int64), *parts]), size + 1


def matches(old: Indices, new: Indices) -> tuple[Indices, Indices]:
    """Places in `old` and `new` with the same number, in the order of `old`.

    Where a number repeats, its first place matches its first place, the second the second.
    """
    most = 1 + max((int(codes.max()) for codes in (old, new) if codes.size), default=0)
    own, others = (codes + most * _repeats(codes) for codes in (old, new))
    _, in_old, in_new = np.intersect1d(own, others, assume_unique=True, return_indices=True)
    order = np.argsort(in_old)
    return in_old[order].astype(np.int64), in_new[order].astype(np.int64)


def _repeats(codes: Indices) -> Indices:
    """How often each number stood before: 0 at its first place, 1 at its second."""
    order = np.argsort(codes, kind="stable")
    ordered = codes[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: codes.size])
    lengths = np.diff(np.append(starts, codes.size))
    counted = np.empty(codes.size, dtype=np.int64)
    counted[order] = np.arange(codes.size) - np.repeat(starts, lengths)
    return counted


def left_over(size: int, matched: Sequence[Indices]) -> Indices:
    """The places below `size` that are in none of `matched`, in order."""
    free = np.ones(size, dtype=bool)
    for places in matched:
        free[places] = False
    return np.flatnonzero(free).astype(np.int64)
