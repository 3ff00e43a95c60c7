"""Shares, mean differences and rates, with their ties, folds and bootstrap intervals.

A share is the percentage of pairs whose first value is strictly greater: 50 means no preference. A
tie stands in n but counts for neither side, so with ties the shares of the two sides do not add up
to 100; `n_tied` says how many there are. A mean difference is the mean over pairs of a - b: 0 means
no preference. A rate is a ratio of sums, in percent.

Where all pairs of a share agree, its interval is that of Clopper and Pearson.

All three are the mean over the folds of the fold's own value (`curate.scoring.estimate` has the
interval). Pairs that say the same in the same folds are exchangeable, so the bootstrap of a share
draws their counts from one multinomial, in time and memory independent of n.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from curate.scoring.estimate import (
    CONFIDENCE,
    RESAMPLES,
    Draws,
    Estimate,
    bootstrap,
    estimate_over_folds,
    fold_matrix,
    from_draws,
    mean_of_folds,
)

__all__ = [
    "CONFIDENCE",
    "RESAMPLES",
    "Estimate",
    "fold_matrix",
    "mean_difference",
    "rate",
    "share",
]

Floats = NDArray[np.float64]
Members = NDArray[np.bool_]


def share(
    a: Floats,
    b: Floats,
    *,
    members: Members | None = None,
    seed: int = 0,
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
) -> Estimate:
    """The share of pairs with a > b, in percent: the mean of the folds' shares.

    `a` and `b` are (n,) values; pairs with a NaN are left out. `members` is (n, folds), by default
    one fold that holds all.
    """
    whole = _members(len(a), members)
    keep = ~(np.isnan(a) | np.isnan(b)) & whole.any(axis=1)
    wins, whole = (a > b)[keep], whole[keep]
    n, n_tied = int(keep.sum()), int((a == b)[keep].sum())
    if n == 0:
        return Estimate()
    kinds, counts = np.unique(np.column_stack([wins, whole]), axis=0, return_counts=True)
    values = _fold_shares(kinds, counts[None, :])[0]
    drawn = np.random.default_rng(seed).multinomial(n, counts / n, size=resamples)
    found = from_draws(mean_of_folds(_fold_shares(kinds, drawn)), confidence=confidence)
    if wins.all() or not wins.any():
        found = _agreeing(found, won=bool(wins.all()), n=n, confidence=confidence)
    return estimate_over_folds(values, found, n=n, n_tied=n_tied)


def mean_difference(
    differences: Floats,
    *,
    members: Members | None = None,
    seed: int = 0,
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
) -> Estimate:
    """The mean over pairs of a - b, in the unit of the values: the mean of the folds' means.

    `differences` are (n,) finite values of a - b, or NaN for a pair that is left out; a tie is a
    difference of 0. `members` is (n, folds), by default one fold that holds all. Where there are
    many pairs, fewer draws are made than asked for; `draws` says how many. Steinborn et al. 2022
    (S_JSD) take the mean and its error over pairs so.
    """
    whole = _members(len(differences), members)
    keep = ~np.isnan(differences) & whole.any(axis=1)
    kept, whole = differences[keep], whole[keep]
    _refuse_infinite(kept)
    if not len(kept):
        return Estimate()
    # equal differences give a mean of exactly that, in every draw
    centre = float(np.median(kept))
    weights: Floats = np.column_stack([(kept - centre)[:, None] * whole, whole])

    def fold_means(counts: Floats) -> Floats:
        return centre + _ratios(counts @ weights)

    drawn = bootstrap(
        lambda counts: mean_of_folds(fold_means(counts)),
        [len(kept)], seed=seed, draws=resamples, confidence=confidence,
    )  # fmt: skip
    values = fold_means(np.ones((1, len(kept))))[0]
    return estimate_over_folds(values, drawn, n=len(kept), n_tied=int((kept == 0).sum()))


def rate(
    hits: Floats,
    counts: Floats,
    *,
    members: Members | None = None,
    seed: int = 0,
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
) -> Estimate:
    """Sum of hits over sum of counts, in percent, pooled over pairs: the mean of the folds' rates.

    `hits` and `counts` are (n,) numbers of tokens, say; a pair with a NaN or with a count of 0 is
    left out. The bootstrap draws pairs, for tokens of one sentence are not independent. A rate has
    no ties.
    """
    whole = _members(len(hits), members)
    keep = ~(np.isnan(hits) | np.isnan(counts)) & (counts != 0) & whole.any(axis=1)
    kept, whole = np.column_stack([hits, counts])[keep], whole[keep]
    _refuse_infinite(kept)
    if not len(kept):
        return Estimate()
    weights: Floats = np.column_stack([kept[:, [0]] * whole, kept[:, [1]] * whole])
    drawn = bootstrap(
        lambda drawn: mean_of_folds(100 * _ratios(drawn @ weights)),
        [len(kept)], seed=seed, draws=resamples, confidence=confidence,
    )  # fmt: skip
    values = 100 * _ratios(weights.sum(axis=0)[None, :])[0]
    return estimate_over_folds(values, drawn, n=len(kept), n_tied=0)


def _agreeing(found: Draws, *, won: bool, n: int, confidence: float) -> Draws:
    """The interval where all pairs agree and a bootstrap has no width: Clopper and Pearson's."""
    far = 100 * ((1 - confidence) / 2) ** (1 / n)
    low, high = (far, 100.0) if won else (0.0, 100.0 - far)
    return replace(found, low=low, high=high, method="Clopper-Pearson")


def _members(n: int, members: Members | None) -> Members:
    return np.ones((n, 1), dtype=np.bool_) if members is None else members


def _refuse_infinite(values: Floats) -> None:
    if not np.isfinite(values).all():
        raise ValueError("a mean of infinite values says nothing: leave such pairs out as NaN")


def _ratios(sums: Floats) -> Floats:
    """(draws, folds) ratios of (draws, 2 · folds) sums: numerators, then denominators."""
    above, below = np.hsplit(sums, 2)
    ratios: Floats = above / np.where(below == 0, np.nan, below)
    return ratios


def _fold_shares(kinds: NDArray[np.bool_], counts: NDArray[np.int64]) -> Floats:
    """(draws, folds) shares, from (kinds, 1 + folds) kinds and (draws, kinds) counts."""
    wins, members = kinds[:, 0], kinds[:, 1:]
    return 100 * _ratios((counts @ np.hstack([members & wins[:, None], members])).astype(float))
