"""The geometry of the report's charts; the templates draw it as inline SVG.

Every number of a chart also stands beside it as text, so the charts need no script and lose
nothing where colours are not seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Bar", "Line", "LineChart", "bars", "line_chart", "stacked"]


@dataclass(frozen=True)
class Bar:
    """A bar (or a piece of a stacked one) in percent of the full width."""

    label: str
    count: int
    start: float
    width: float
    share: float


@dataclass(frozen=True)
class Line:
    """A polyline in the chart's own units, with the place of its label at the right end."""

    label: str
    points: str
    label_y: float
    style: int
    values: tuple[float, ...]


@dataclass(frozen=True)
class LineChart:
    """Lines over k = 1 … n; `ticks` are (y, text) pairs, `steps` (x, text) pairs."""

    width: float
    height: float
    left: float
    right: float
    bottom: float
    lines: list[Line]
    ticks: list[tuple[float, str]]
    steps: list[tuple[float, str]]


def bars(counts: Sequence[tuple[str, int]], *, longest: int | None = None) -> list[Bar]:
    """Bars from a common zero; `longest` is the count of a full bar (default: the largest)."""
    most = longest or max((count for _, count in counts), default=0) or 1
    total = sum(count for _, count in counts) or 1
    return [
        Bar(label, count, 0.0, round(100 * count / most, 3), 100 * count / total)
        for label, count in counts
    ]


def stacked(counts: Sequence[tuple[str, int]]) -> list[Bar]:
    """Pieces of one bar of full width, one after another."""
    total = sum(count for _, count in counts) or 1
    pieces, at = [], 0.0
    for label, count in counts:
        share = 100 * count / total
        pieces.append(Bar(label, count, round(at, 3), round(share, 3), share))
        at += share
    return pieces


def line_chart(
    series: Mapping[str, Sequence[float]], *, width: float = 640, height: float = 260
) -> LineChart | None:
    """Shares (0 to 1) over k; the vertical axis starts at the tenth below the smallest share."""
    shown = {label: tuple(values) for label, values in series.items() if values}
    if not shown:
        return None
    left, right, top, bottom = 46.0, width - 70, 12.0, height - 30
    lowest = min(min(values) for values in shown.values())
    floor = int(max(0.0, lowest) * 10) / 10
    span = max(1.0 - floor, 0.1)
    most = max(len(values) for values in shown.values())

    def x(k: int) -> float:
        return round(left + (right - left) * k / max(most - 1, 1), 2)

    def y(share: float) -> float:
        return round(bottom - (bottom - top) * (share - floor) / span, 2)

    places = _spread({label: y(values[-1]) for label, values in shown.items()}, gap=14)
    lines = [
        Line(
            label,
            " ".join(f"{x(k)},{y(share)}" for k, share in enumerate(values)),
            places[label],
            style,
            values,
        )
        for style, (label, values) in enumerate(shown.items())
    ]
    tenths = range(round(floor * 10), 11)
    return LineChart(
        width, height, left, right, bottom, lines,
        ticks=[(y(tenth / 10), f"{10 * tenth} %") for tenth in tenths],
        steps=[(x(k), str(k + 1)) for k in range(most)],
    )  # fmt: skip


def _spread(places: Mapping[str, float], *, gap: float) -> dict[str, float]:
    """Move labels down where they would cover each other."""
    moved: dict[str, float] = {}
    last = -gap
    for label, place in sorted(places.items(), key=lambda item: item[1]):
        last = max(place, last + gap)
        moved[label] = round(last, 2)
    return moved
