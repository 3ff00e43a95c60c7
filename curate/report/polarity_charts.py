"""Densities of polarity, histograms of stability and scatter plots, in percent of their boxes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curate.report.axis import Axis, fitted
from curate.report.violin import bandwidth, density

__all__ = ["Bar", "Histogram", "Point", "Ridge", "Ridges", "Scatter", "histogram", "ridges",
           "scatter"]  # fmt: skip

Floats = NDArray[np.float64]
Row = Mapping[str, Any]

_PLACES = 81
_FEW = 5
_BINS = 24
_LABELLED = 6  # at either end of a scatter plot, where there is room
_LETTER = 1.3  # the width of a letter and half the height of a line, in percent of the plot
_LABEL_HEIGHT = 2.6


@dataclass(frozen=True)
class Ridge:
    """A word's density in a box of 1000 by 100, "" where its values do not spread.

    `mark` and `ends` are the places of the mean and its interval; None where there is none.
    """

    row: Row
    path: str
    mark: float | None
    ends: tuple[float, float] | None


@dataclass(frozen=True)
class Ridges:
    """Densities over one axis; `he`, `she` and `zero` are places on it, None where outside."""

    axis: Axis
    he: float | None
    she: float | None
    zero: float | None
    ridges: list[Ridge]


@dataclass(frozen=True)
class Bar:
    """A bar of a histogram, from its left edge, and what it counts."""

    start: float
    width: float
    height: float
    count: int


@dataclass(frozen=True)
class Histogram:
    """Counts of values in bins of equal width; `mean` is a place."""

    axis: Axis
    bars: list[Bar]
    mean: float
    highest: int


@dataclass(frozen=True)
class Point:
    """A word in a scatter plot, from the left and from the top; `side` is where its
    name has room: ``right``, ``left`` or nowhere."""

    x: float
    y: float
    name: str
    side: str
    told: str


@dataclass(frozen=True)
class Scatter:
    """Points, and the places of 0 and of ticks on both axes."""

    x: Axis
    y: Axis
    x_zero: float | None
    y_zero: float | None
    points: list[Point]

    @property
    def y_ticks(self) -> list[tuple[float, str]]:
        """From the top."""
        return [(round(100 - place, 2), text) for place, text in self.y.ticks]


def ridges(
    rows: Sequence[Row], values: Mapping[str, Sequence[float]], *, pronouns: bool
) -> Ridges | None:
    """Densities of the `values` of each of `rows`, by its column, in order; None without any.

    The axis holds he and she where `pronouns` is on, else only the words shown and 0.
    """
    shown = [row for row in rows if row["mean"] is not None]
    if not shown:
        return None
    held = [row for row in shown if pronouns or row["kind"] == "occupation"]
    axis = fitted([value for row in held for value in _reach(values.get(row["column"], ()), row)])
    means = {row["column"]: row["mean"] for row in rows if row["kind"] == "pronoun"}
    he, she = (_inside(axis, means.get(name)) for name in ("he", "she"))
    return Ridges(axis, he, she, _inside(axis, 0.0), [_ridge(r, values, axis) for r in held])


def _reach(values: Sequence[float], row: Row) -> list[float]:
    found = np.percentile(values, (0.5, 99.5)).tolist() if len(values) else []
    return [*found, row["mean"]]


def _ridge(row: Row, values: Mapping[str, Sequence[float]], axis: Axis) -> Ridge:
    ends = None
    if row["ci_low"] is not None and row["ci_high"] is not None:
        ends = (axis.at(row["ci_low"]), axis.at(row["ci_high"]))
    points = np.asarray(values.get(row["column"], ()), dtype=np.float64)
    return Ridge(row, _outline(points, axis), axis.at(row["mean"]), ends)


def _outline(points: Floats, axis: Axis) -> str:
    """A density that stands on the lower edge of its box and reaches near the upper."""
    if len(points) < _FEW or float(np.ptp(points)) <= 0:
        return ""
    width = max(bandwidth(points), (axis.high - axis.low) / 400)
    low = max(axis.low, float(points.min()) - 3 * width)
    high = min(axis.high, float(points.max()) + 3 * width)
    places: Floats = np.linspace(low, high, _PLACES, dtype=np.float64)
    heights = density(points, places, width=width)
    tops = 100 - 94 * heights / heights.max()
    line = " ".join(f"{10 * axis.at(x):.1f},{y:.1f}" for x, y in zip(places, tops, strict=True))
    return f"M{10 * axis.at(low):.1f},100 {line} {10 * axis.at(high):.1f},100Z"


def _inside(axis: Axis, value: float | None) -> float | None:
    if value is None or not axis.low <= value <= axis.high:
        return None
    return axis.at(value)


def histogram(values: Sequence[float]) -> Histogram | None:
    """The distribution of `values`; None where there are fewer than two or all are one."""
    points = np.asarray(values, dtype=np.float64)
    points = points[np.isfinite(points)]
    if len(points) < 2 or float(np.ptp(points)) <= 0:
        return None
    low, high = float(points.min()), float(points.max())
    axis = fitted([low, high], around=float(points.mean()))
    counts, edges = np.histogram(points, bins=min(_BINS, max(5, len(points) // 4)))
    highest = int(counts.max())
    bars = [
        Bar(axis.at(left), round(axis.at(right) - axis.at(left), 3), 96 * n / highest, int(n))
        for left, right, n in zip(edges[:-1], edges[1:], counts, strict=True)
        if n
    ]
    return Histogram(axis, bars, axis.at(float(points.mean())), highest)


def scatter(points: Sequence[tuple[str, float, float]], *, digits: tuple[int, int]) -> Scatter:
    """A plot of (name, x, y); words at either end have names where there is room."""
    x_axis = _close([x for _, x, _ in points])
    y_axis = _close([y for _, _, y in points])
    ordered = sorted(points, key=lambda point: (point[2], point[0]))
    places = [(x_axis.at(x), round(100 - y_axis.at(y), 2)) for _, x, y in ordered]
    sides = _labels([name for name, _, _ in ordered], places)
    drawn = [
        Point(*place, name, sides.get(at, ""), f"{name}: {x:.{digits[0]}f}, {y:+.{digits[1]}f}")
        for at, ((name, x, y), place) in enumerate(zip(ordered, places, strict=True))
    ]
    return Scatter(x_axis, y_axis, _inside(x_axis, 0.0), _from_top(y_axis), drawn)


def _labels(names: Sequence[str], places: Sequence[tuple[float, float]]) -> dict[int, str]:
    """On which side the names of the words at either end have room; those with none go without."""
    last = len(names) - 1
    ends = [at for near in range(_LABELLED) for at in (near, last - near)]
    taken: list[_Box] = []
    found: dict[int, str] = {}
    for at in dict.fromkeys(at for at in ends if 0 <= at <= last):
        x, y = places[at]
        long = _LETTER * len(names[at])
        for side, left, right in (("right", x, x + long), ("left", x - long, x)):
            box = (left, right, y - _LABEL_HEIGHT, y + _LABEL_HEIGHT)
            inside = [p for p in places if left < p[0] < right and box[2] < p[1] < box[3]]
            if left >= 0 and right <= 100 and not inside and not any(_meet(box, o) for o in taken):
                taken.append(box)
                found[at] = side
                break
    return found


_Box = tuple[float, float, float, float]


def _meet(one: _Box, other: _Box) -> bool:
    return one[0] < other[1] and other[0] < one[1] and one[2] < other[3] and other[2] < one[3]


def _close(values: Sequence[float]) -> Axis:
    """An axis round the values alone: 0 is on it only if it lies among them."""
    return fitted(values, around=values[0])


def _from_top(axis: Axis) -> float | None:
    place = _inside(axis, 0.0)
    return None if place is None else round(100 - place, 2)
