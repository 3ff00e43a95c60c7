"""Violins of the differences between the two sides of a pair (Steinborn et al. 2022, figure 2).

A violin is made of quantiles, so that a page needs no scores of single pairs: every pair of
neighbouring quantiles holds the same share of the pairs, and stands in the density as one point
between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from curate.report.axis import LARGEST, Axis, fitted

__all__ = ["Spread", "Violin", "ViolinChart", "bandwidth", "density", "violin_chart"]

Floats = NDArray[np.float64]

_PLACES = 61
_HALF = 46.0
_FEW = 5
"""Under so many pairs a density would show its kernel, not the pairs."""


@dataclass(frozen=True)
class Spread:
    """What a violin shows: a name, the number of pairs, and quantiles in equal steps of share."""

    name: tuple[str, ...]
    n: int
    quantiles: Sequence[float]


@dataclass(frozen=True)
class Violin:
    """One violin; `path` is drawn in a box of 1000 by 100, "" where no density can be told.

    `low`, `first`, `median`, `third`, `high` are the 1st, 25th, 50th, 75th and 99th percentile;
    `places` are where they stand on the axis, in percent.
    """

    name: tuple[str, ...]
    n: int
    path: str
    low: float
    first: float
    median: float
    third: float
    high: float
    places: tuple[float, float, float, float, float]


@dataclass(frozen=True)
class ViolinChart:
    """Violins over one axis, from the lowest 1st to the highest 99th percentile; `zero` on it."""

    axis: Axis
    zero: float
    digits: int
    violins: list[Violin]


def violin_chart(spreads: Sequence[Spread]) -> ViolinChart | None:
    """The violins of `spreads`, in order; None where no spread has a pair."""
    known = [(spread, _ordered(spread.quantiles)) for spread in spreads if spread.n]
    known = [(spread, values) for spread, values in known if len(values) > 1]
    if not known:
        return None
    ends = [end for _, values in known for end in _percentiles(values, (1, 99))]
    axis = fitted(ends)
    violins = [_violin(spread, values, axis) for spread, values in known]
    return ViolinChart(axis, axis.at(0.0), axis.digits + 2, violins)


def density(points: Floats, places: Floats, *, width: float) -> Floats:
    """A Gaussian kernel density of `points` (n,) at `places` (m,), kernels `width` wide."""
    distance = (places[:, None] - points[None, :]) / width
    kernels: Floats = np.exp(-0.5 * distance**2) / (width * np.sqrt(2 * np.pi))
    result: Floats = kernels.mean(axis=1)
    return result


def bandwidth(points: Floats) -> float:
    """Silverman's rule of thumb, 0.9 · min(s, IQR / 1.34) · n^(-1/5); 0 where all are equal."""
    deviation = float(points.std(ddof=1))
    first, third = _percentiles(points, (25, 75))
    middle = (third - first) / 1.34
    return float(0.9 * (min(deviation, middle) or deviation) * len(points) ** -0.2)


def _ordered(quantiles: Sequence[float]) -> Floats:
    values = np.asarray(quantiles, dtype=np.float64)
    ordered: Floats = np.sort(np.clip(values[np.isfinite(values)], -LARGEST, LARGEST))
    return ordered


def _percentiles(values: Floats, wanted: Sequence[int]) -> list[float]:
    """Percentiles of sorted quantiles in equal steps."""
    steps = np.linspace(0, 100, len(values))
    return [float(value) for value in np.interp(wanted, steps, values)]


def _violin(spread: Spread, values: Floats, axis: Axis) -> Violin:
    low, first, median, third, high = _percentiles(values, (1, 25, 50, 75, 99))
    places = (axis.at(low), axis.at(first), axis.at(median), axis.at(third), axis.at(high))
    path = ""
    if spread.n >= _FEW and high > low:
        path = _outline(values, low, high, axis)
    return Violin(spread.name, spread.n, path, low, first, median, third, high, places)


def _outline(values: Floats, low: float, high: float, axis: Axis) -> str:
    """The violin from its 1st to its 99th percentile, as wide as the box where it is densest."""
    between = (values[1:] + values[:-1]) / 2
    points = between[(between >= low) & (between <= high)]
    width = max(bandwidth(points) if len(points) > 1 else 0.0, (axis.high - axis.low) / 300)
    places: Floats = np.linspace(low, high, _PLACES, dtype=np.float64)
    heights = density(points if len(points) else between, places, width=width)
    half = _HALF * heights / heights.max()
    upper = [f"{10 * axis.at(x):.1f},{50 - h:.1f}" for x, h in zip(places, half, strict=True)]
    lower = [f"{10 * axis.at(x):.1f},{50 + h:.1f}" for x, h in zip(places, half, strict=True)]
    return f"M{' '.join(upper)} {' '.join(reversed(lower))}Z"
