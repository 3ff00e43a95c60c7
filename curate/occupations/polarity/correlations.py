"""Whether polarity goes with what else is known of occupations: rank and linear correlations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from curate.occupations.polarity.resampling import bounds

__all__ = ["LEAST", "Correlation", "correlate"]

LEAST = 5
"""Fewer occupations tell nothing of a correlation."""

_ROUNDING = 1e-12

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Correlation:
    """A coefficient over `n` words, its percentile interval over words, and p by permutation."""

    value: float | None
    low: float | None
    high: float | None
    p: float | None
    n: int


def correlate(
    x: Floats, y: Floats, *, kind: str, resamples: int = 1000, permutations: int = 9999,
    seed: int = 0,
) -> Correlation:  # fmt: skip
    """The ``spearman`` or ``pearson`` correlation of x and y [words]; NaN are left out.

    The interval draws words with replacement; p, two-sided, deals y anew among the words and counts
    the observed order as one of all. A side with a single value, or fewer than `LEAST` words, give
    no coefficient.
    """
    known = np.isfinite(x) & np.isfinite(y)
    x, y = x[known], y[known]
    n = len(x)
    rows = _ranked if kind == "spearman" else _same
    observed = _pearson(rows(x[None]), rows(y[None]))[0] if n >= LEAST else np.nan
    if not np.isfinite(observed):
        return Correlation(None, None, None, None, n)
    generator = np.random.default_rng(seed)
    drawn = generator.integers(0, n, size=(resamples, n))
    low, high = bounds(_pearson(rows(x[drawn]), rows(y[drawn])))
    orders = generator.permuted(np.tile(np.arange(n), (permutations, 1)), axis=1)
    dealt = _pearson(rows(x[None]), rows(y[None])[0][orders])
    reached = int((np.abs(dealt) >= abs(observed) - _ROUNDING).sum())
    return Correlation(
        value=float(observed),
        low=None if np.isnan(low) else low,
        high=None if np.isnan(high) else high,
        p=(reached + 1) / (permutations + 1),
        n=n,
    )


def _same(values: Floats) -> Floats:
    return values


def _ranked(values: Floats) -> Floats:
    """Ranks along the last axis, ties at the mean of their places."""
    from scipy import stats

    ranks: Floats = stats.rankdata(values, axis=-1)
    return ranks


def _pearson(x: Floats, y: Floats) -> Floats:
    """Correlations of the rows of x and y; NaN where a row has a single value."""
    x = x - x.mean(axis=1, keepdims=True)
    y = y - y.mean(axis=1, keepdims=True)
    norms = np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1))
    products = (x * y).sum(axis=1)
    scale = np.broadcast_to(norms, products.shape)
    found: Floats = np.divide(
        products, scale, out=np.full_like(products, np.nan), where=scale > _ROUNDING
    )
    return found
