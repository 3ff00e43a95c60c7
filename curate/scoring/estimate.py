"""What an estimate holds, the folds it is taken over, and its bootstrap.

The interval is the percentile bootstrap over pairs, and the standard error the standard deviation
of its draws: a pair is drawn with all its folds, so the overlap of the folds is respected. (BCa
would need a jackknife that is undefined where all pairs agree.) Where all pairs agree, or where
there is one, the interval has no width: read n beside it.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "CONFIDENCE",
    "LEAST_DRAWS",
    "RESAMPLES",
    "Draws",
    "Estimate",
    "affordable_draws",
    "bootstrap",
    "estimate_over_folds",
    "fold_matrix",
    "from_draws",
    "mean_of_folds",
]

CONFIDENCE = 0.95
RESAMPLES = 9_999
LEAST_DRAWS = 999
BOOTSTRAP = "percentile bootstrap"
MOST_WORK = 200_000_000
"""Pairs times draws: about two seconds of one core."""

_BATCH = 1_000_000  # pairs times draws held at a time: about 40 MB

Floats = NDArray[np.float64]
Members = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with what belongs to it; None where there is nothing to count.

    `n` pairs were compared, `n_tied` of them are ties. `std_error` is the bootstrap's, from `draws`
    draws. `fold_values` has one value a fold that holds a pair, `fold_mean` is their mean and
    `fold_std` their sample standard deviation (n - 1), None under two folds.
    """

    value: float | None = None
    ci_low: float | None = None
    ci_high: float | None = None
    std_error: float | None = None
    n: int = 0
    n_tied: int = 0
    draws: int = 0
    fold_values: tuple[float, ...] = ()
    fold_mean: float | None = None
    fold_std: float | None = None
    method: str = BOOTSTRAP


@dataclass(frozen=True, slots=True)
class Draws:
    """What a bootstrap found: the ends of its interval, its standard error, how many draws.

    `method` says how the interval was made.
    """

    low: float | None
    high: float | None
    std_error: float | None
    count: int
    method: str = BOOTSTRAP


def fold_matrix(folds: Sequence[Sequence[int]]) -> Members:
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


def mean_of_folds(values: Floats) -> Floats:
    """(draws,) means of (draws, folds) values over the folds that are not NaN; NaN if none is."""
    held = ~np.isnan(values)
    sums: Floats = np.where(held, values, 0.0).sum(axis=1)
    means: Floats = sums / np.where(held.any(axis=1), held.sum(axis=1), np.nan)
    return means


def affordable_draws(n: int, draws: int) -> int:
    """As many of the draws asked for as `MOST_WORK` allows for n pairs, but at least 999 of them.

    999 draws place the ends of a 95 % interval on draws of their own; asking for fewer gives fewer.
    """
    return min(draws, max(LEAST_DRAWS, MOST_WORK // max(n, 1)))


def bootstrap(
    statistic: Callable[..., Floats],
    sizes: Sequence[int],
    *,
    seed: int,
    draws: int,
    confidence: float,
) -> Draws:
    """Percentile bootstrap of a statistic of samples of these sizes, drawn independently.

    `statistic` gets, for every sample, (batch, size) counts: how often each of its members was
    drawn, as floats that sum to the size; it gives (batch,) values. The number of draws is lowered
    by `affordable_draws`. A draw without a value (NaN) leaves the interval and the error None.
    """
    from scipy import stats

    # a sample of one is always drawn whole, and scipy wants two
    drawn = [at for at, size in enumerate(sizes) if size > 1]

    def of_places(*places: NDArray[np.int64], axis: int = -1) -> Floats:
        counts: list[Floats] = [np.ones((1, size)) for size in sizes]
        for at, own in zip(drawn, places, strict=True):
            counts[at] = _counts(own, sizes[at])
        return statistic(*counts)

    if not drawn:
        return from_draws(np.repeat(of_places(), draws), confidence=confidence)
    with warnings.catch_warnings():  # of draws without a value, which the result says
        warnings.simplefilter("ignore", stats.DegenerateDataWarning)
        found = stats.bootstrap(
            tuple(np.arange(sizes[at]) for at in drawn),
            of_places,
            n_resamples=affordable_draws(max(sizes), draws),
            batch=max(1, _BATCH // max(sizes)),
            vectorized=True,
            confidence_level=confidence,
            method="percentile",
            random_state=np.random.default_rng(seed),
        )
    return from_draws(found.bootstrap_distribution, confidence=confidence)


def from_draws(values: Floats, *, confidence: float) -> Draws:
    """The percentile interval of (draws,) values; None where a draw has no value."""
    if np.isnan(values).any():
        return Draws(None, None, None, len(values))
    tail = 100 * (1 - confidence) / 2
    low, high = np.percentile(values, [tail, 100 - tail])
    # equal draws have an error of 0, and no rounding error of their mean
    error = float(values.std(ddof=1)) if values.min() < values.max() else 0.0
    return Draws(float(low), float(high), error, len(values))


def estimate_over_folds(values: Floats, drawn: Draws, *, n: int, n_tied: int) -> Estimate:
    """The estimate of (folds,) values, NaN for a fold that has none: the mean of the others."""
    present = values[~np.isnan(values)]
    if not len(present):
        return Estimate(n=n, n_tied=n_tied)
    mean = float(mean_of_folds(values[None, :])[0])
    return Estimate(
        value=mean,
        ci_low=drawn.low,
        ci_high=drawn.high,
        std_error=drawn.std_error,
        n=n,
        n_tied=n_tied,
        draws=drawn.count,
        fold_values=tuple(float(value) for value in present),
        fold_mean=mean,
        fold_std=float(present.std(ddof=1)) if len(present) > 1 else None,
        method=drawn.method,
    )


def _counts(places: NDArray[np.int64], size: int) -> Floats:
    """(batch, size) counts of the members at (batch, size) drawn places."""
    batch = len(places)
    flat = (places + size * np.arange(batch)[:, None]).ravel()
    counts: Floats = np.bincount(flat, minlength=batch * size).reshape(batch, size).astype(float)
    return counts
