"""Which pairs of a run stay: the first of those that are the same, and of near-duplicates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from curate.engine import Parts, ahead
from curate.pairs.balance import side_codes
from curate.pairs.near import NearPairs
from curate.sources import drops_table
from curate.sources.duplicates import Seen

__all__ = ["Choice", "choose"]

_READ = ["pair_id", "original", "side", "word_m", "word_f"]


@dataclass
class Choice:
    """`first` (all pairs,): which stay; `sides` (those,): what the balance goes by.

    `near` is, by place among all pairs, what a near-duplicate repeats.
    """

    first: NDArray[np.bool_]
    sides: NDArray[np.int8]
    near: dict[int, str] = field(default_factory=dict)

    def drops(self, pairs: pa.Table, start: int, stage: str) -> pa.Table:
        """The drops of those that do not stay among `pairs`, of which the first has place `start`.

        The detail names the pair that stays: by its id, which an equal pair has as well.
        """
        out = np.flatnonzero(~self.first[start : start + pairs.num_rows])
        again = pairs.take(pa.array(out))
        ids = again.column("pair_id").to_pylist()
        said = [self.near.get(start + int(place)) for place in out]
        return drops_table(
            again.column("sent_id"),
            again.column("row"),
            stage,
            ["near-duplicate" if one else "duplicate" for one in said],
            [one or own for one, own in zip(said, ids, strict=True)],
        )


def choose(
    parts: Parts, count: Callable[[pa.Table], None], *, near: float | None, seed: int
) -> Choice:
    """Go through all pairs once, in order; `count` is told those that stay, a part at a time."""
    seen = Seen()
    like = NearPairs(near, seed) if near is not None else None
    firsts: list[NDArray[np.bool_]] = [np.zeros(0, dtype=np.bool_)]
    sides: list[NDArray[np.int8]] = [np.zeros(0, dtype=np.int8)]
    found: dict[int, str] = {}
    start = 0
    columns = _READ + (["masculine"] if like else [])
    for table in ahead(parts.read("pairs", columns=columns)):
        first = seen.first(_keys(table.column("pair_id")))
        if like is not None:
            places = np.flatnonzero(first)
            for place, repeats in zip(places, like.repeated(table.take(places)), strict=True):
                if repeats:
                    first[place] = False
                    found[start + int(place)] = repeats
        start += table.num_rows
        firsts.append(first)
        stay = table.filter(pa.array(first))
        sides.append(side_codes(stay.column("side").to_pylist()))
        count(stay)
    return Choice(np.concatenate(firsts), np.concatenate(sides), found)


def _keys(ids: pa.ChunkedArray) -> NDArray[np.uint64]:
    """The first 64 bits of each pair id."""
    return np.array([int(value[1:17], 16) for value in ids.to_pylist()], dtype=np.uint64)
