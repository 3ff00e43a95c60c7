"""The bootstrap over people: words beside one person are not independent of each other.

Every draw gives each person a weight of its own, Poisson with mean 1, in the place of the counts of
a drawing with replacement, to which it comes close where people are many (Hanley and MacGibbon
2006). So a person's weights depend on nobody's gender, and exchanging the genders exchanges every
result exactly.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from curate.politicians.study.counts import WordUse

__all__ = ["DRAWS", "affordable_draws", "drawn_counts", "percentiles"]

DRAWS = 999
MOST_WORK = 30_000_000_000
"""Weights times draws: about half a minute of one core."""

_LEAST = 199
_TOGETHER = 32
"""Draws made at once: a drawn weight is read for all of them."""

Floats = NDArray[np.float64]


def affordable_draws(size: int, draws: int) -> int:
    """As many of the draws asked for as `MOST_WORK` allows for `size` weights, at least 199."""
    return min(draws, max(_LEAST, MOST_WORK // max(size, 1)))


def drawn_counts(
    use: WordUse, *, draws: int, seed: int
) -> Iterator[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    """Batches of drawn (batch, words, genders) counts and (batch, genders) totals of all words."""
    random = np.random.default_rng(seed)
    members = [np.flatnonzero(use.gender_of == code) for code in range(len(use.genders))]
    # words by people: a product then adds, for each weight, a row of draws
    parts = [use.weights[places].T.tocsr() for places in members]
    all_weight = use.all_weight.astype(np.float32)
    for start in range(0, draws, _TOGETHER):
        many = min(_TOGETHER, draws - start)
        drawn = random.poisson(1.0, (len(use.people), many)).astype(np.float32)
        counts = np.empty((many, len(use.words), len(parts)), dtype=np.float32)
        totals = np.empty((many, len(parts)), dtype=np.float32)
        for code, (places, part) in enumerate(zip(members, parts, strict=True)):
            own = drawn[places]
            counts[:, :, code] = (part @ own).T
            totals[:, code] = all_weight[places] @ own
        yield counts, totals


def percentiles(drawn: NDArray[np.float32], *, confidence: float = 0.95) -> tuple[Floats, Floats]:
    """The percentile interval of (draws, ...) values along the first axis.

    A draw without a value (NaN), as one that drew nobody of a gender, does not count; NaN where no
    draw has one. The ends are values of draws, so one may be infinite.
    """
    tail = (1 - confidence) / 2
    ordered = np.sort(drawn, axis=0)  # NaN last
    last = (~np.isnan(drawn)).sum(axis=0) - 1
    ends = [np.floor(tail * last), np.ceil((1 - tail) * last)]
    low, high = (
        np.take_along_axis(ordered, np.maximum(end, 0).astype(np.int64)[None], axis=0)[0]
        for end in ends
    )
    return low.astype(np.float64), high.astype(np.float64)
