"""As many pairs from masculine as from feminine sentences, in seeded folds (Yu et al., §4.3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from curate.genders import GENDERS

__all__ = [
    "assign_folds", "balance", "balance_sides", "fold_lists", "fold_members", "side_codes",
]  # fmt: skip


def assign_folds(sides: Sequence[str | None], *, folds: int, seed: int) -> NDArray[np.bool_]:
    """Which pair belongs to which fold: (n, folds) booleans.

    `sides` are the pairs' genders to balance; a pair whose side is None is in every fold. In each
    fold the larger side is truncated at random to the size of the smaller one, which is the same in
    all folds. The choice depends on the order of the pairs, `seed` and the fold alone: fold 0 of
    five is fold 0 of one.
    """
    return fold_members(side_codes(sides), folds=folds, seed=seed)


def side_codes(sides: Iterable[str | None]) -> NDArray[np.int8]:
    """Sides as small numbers: 0 masculine, 1 feminine, -1 none."""
    return np.array([GENDERS.index(side) if side else -1 for side in sides], dtype=np.int8)


def fold_members(genders: NDArray[np.int8], *, folds: int, seed: int) -> NDArray[np.bool_]:
    """`assign_folds` for sides as `side_codes` gives them."""
    members = np.ones((len(genders), folds), dtype=np.bool_)
    places = [np.flatnonzero(genders == gender) for gender in range(len(GENDERS))]
    small, large = sorted(places, key=len)
    for fold in range(folds):
        left_out = np.random.default_rng([seed, fold]).permutation(large)[len(small) :]
        members[left_out, fold] = False
    return members


def fold_lists(members: NDArray[np.bool_]) -> pa.Array:
    """The folds of each pair, as in the column `folds`: lists of int8."""
    ends = np.concatenate([[0], np.cumsum(members.sum(axis=1))]).astype(np.int32)
    return pa.ListArray.from_arrays(ends, np.nonzero(members)[1].astype(np.int8))


def balance_sides(table: pa.Table) -> list[str | None]:
    """The side on which each pair of `schema.PAIRS` is balanced.

    A pair that a model filled on both sides says nothing about the source: None. One it filled on
    one side counts for that side; any other pair counts for its original gender.
    """
    fills = table.column("fill").to_pylist()
    originals = table.column("original").to_pylist()
    sides: list[str | None] = []
    for fill, original in zip(fills, originals, strict=True):
        kind = fill["kind"] if fill else original
        sides.append(None if kind == "both" else kind)
    return sides


def balance(table: pa.Table, *, folds: int = 5, seed: int = 0) -> pa.Table:
    """`table` (of `schema.PAIRS`) with its column `folds` set anew; ``[]`` where in no fold."""
    members = assign_folds(balance_sides(table), folds=folds, seed=seed)
    column = fold_lists(members)
    at = table.schema.get_field_index("folds")
    return table.set_column(at, table.schema.field(at), column)
