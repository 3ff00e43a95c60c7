"""Shares with their ties, folds and bootstrap intervals.

A share is the percentage of pairs whose first value is strictly greater: 50 means no preference. A
tie stands in n but counts for neither side, so with ties the shares of the two sides do not add up
to 100; `n_tied` says how many there are.

The interval is the percentile bootstrap over pairs: a pair is drawn with all its folds, so the
overlap of the folds is respected. Pairs that say the same in the same folds are exchangeable, so
drawing their counts from one multinomial is that bootstrap, in time and memory independent of n.
(BCa would need a jackknife that is undefined where all pairs agree, and corrects nothing that
matters for a share.) Where all pairs agree, the interval has no width: read n beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["CONFIDENCE", "RESAMPLES", "Share", "fold_matrix", "share"]

CONFIDENCE = 0.95
RESAMPLES = 9_999

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Share:
    """A share in percent with what belongs to it; None where there is nothing to count.

    `n` pairs were compared, `n_tied` of them are ties; `fold_values` has one share a fold, and
    `fold_std` is their sample standard deviation (n - 1), None under two folds.
    """

    value: float | None
    ci_low: float | None
    ci_high: float | None
    n: int
    n_tied: int
    fold_values: tuple[float, ...]
    fold_mean: float | None
    fold_std: float | None


def fold_matrix(folds: Sequence[Sequence[int]]) -> NDArray[np.bool_]:
    """Which of n pairs is in which fold: (n, folds) booleans.

    A table in which no pair is in any fold was never balanced: all of it is one fold.
    """
    count = max((fold + 1 for row in folds for fold in row), default=0)
    if count == 0:
        return np.ones((len(folds), 1), dtype=np.bool_)
    members = np.zeros((len(folds), count), dtype=np.bool_)
    for at, row in enumerate(folds):
        members[at, list(row)] = True
    return members


def share(
    a: Floats,
    b: Floats,
    *,
    members: NDArray[np.bool_] | None = None,
    seed: int = 0,
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
) -> Share:
    """The share of pairs with a > b, in percent: the mean of the folds' shares.

    `a` and `b` are (n,) values; pairs with a NaN are left out. `members` is (n, folds), by default
    one fold that holds all.
    """
    whole = np.ones((len(a), 1), dtype=np.bool_) if members is None else members
    keep = ~(np.isnan(a) | np.isnan(b)) & whole.any(axis=1)
    wins, whole = (a > b)[keep], whole[keep]
    n, n_tied = int(keep.sum()), int((a == b)[keep].sum())
    if n == 0:
        return Share(None, None, None, 0, 0, (), None, None)
    kinds, counts = np.unique(np.column_stack([wins, whole]), axis=0, return_counts=True)
    values = _fold_shares(kinds, counts[None, :])[0]
    drawn = np.random.default_rng(seed).multinomial(n, counts / n, size=resamples)
    means = _means(_fold_shares(kinds, drawn))
    tail = 100 * (1 - confidence) / 2
    low, high = np.nanpercentile(means, [tail, 100 - tail])
    present = values[~np.isnan(values)]
    return Share(
        value=float(_means(values[None, :])[0]),
        ci_low=float(low),
        ci_high=float(high),
        n=n,
        n_tied=n_tied,
        fold_values=tuple(float(value) for value in present),
        fold_mean=float(present.mean()),
        fold_std=float(present.std(ddof=1)) if len(present) > 1 else None,
    )


def _fold_shares(kinds: NDArray[np.bool_], counts: NDArray[np.int64]) -> Floats:
    """(draws, folds) shares, from (kinds, 1 + folds) kinds and (draws, kinds) counts."""
    wins, members = kinds[:, 0], kinds[:, 1:]
    sizes = (counts @ members).astype(np.float64)
    won = (counts @ (members & wins[:, None])).astype(np.float64)
    sizes[sizes == 0] = np.nan
    return 100 * won / sizes


def _means(shares: Floats) -> Floats:
    """The mean over the folds that hold a pair; NaN where none does."""
    held = ~np.isnan(shares)
    sums: Floats = np.where(held, shares, 0.0).sum(axis=1)
    means: Floats = sums / np.where(held.any(axis=1), held.sum(axis=1), np.nan)
    return means
