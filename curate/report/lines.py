"""Lines over k: the share of gender words among the top k predictions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["COLOURS", "Line", "LineChart", "line_chart"]

COLOURS = 5
"""Colours of lines; where there are more lines, their dashes tell them apart."""

_LABEL = 16.0
_LEAST = 200.0


@dataclass(frozen=True)
class Line:
    """A polyline in a box of 100 by 100, and where its label stands (pixels from the top)."""

    label: str
    points: str
    label_y: float
    colour: int
    dash: int
    values: tuple[float, ...]


@dataclass(frozen=True)
class LineChart:
    """Lines over k = 1 … n in a plot `height` pixels high.

    `ticks` are (percent from the top, text), `steps` (percent from the left, text).
    """

    height: float
    lines: list[Line]
    ticks: list[tuple[float, str]]
    steps: list[tuple[float, str]]


def line_chart(series: Mapping[str, Sequence[float]]) -> LineChart | None:
    """Shares (0 to 1) over k; the vertical axis starts at the tenth below the smallest share.

    None without a series. The plot grows with the lines, so that every label has its place.
    """
    shown = {label: tuple(values) for label, values in series.items() if values}
    if not shown:
        return None
    lowest = min(min(values) for values in shown.values())
    floor = min(int(max(0.0, lowest) * 10), 9)
    most = max(len(values) for values in shown.values())
    height = max(_LEAST, _LABEL * len(shown))

    def x(k: int) -> float:
        return round(100 * k / max(most - 1, 1), 2)

    def y(share: float) -> float:
        return round(100 * (1 - share) / (1 - floor / 10), 2)

    ends = {label: y(values[-1]) * height / 100 for label, values in shown.items()}
    places = _spread(ends, gap=_LABEL, height=height)
    lines = [
        Line(
            label,
            " ".join(f"{x(k)},{y(share)}" for k, share in enumerate(values)),
            places[label],
            number % COLOURS,
            (number + number // COLOURS) % COLOURS,
            values,
        )
        for number, (label, values) in enumerate(shown.items())
    ]
    return LineChart(
        height,
        lines,
        ticks=[(y(tenth / 10), f"{10 * tenth} %") for tenth in range(floor, 11)],
        steps=[(x(k), str(k + 1)) for k in range(most)],
    )


def _spread(places: Mapping[str, float], *, gap: float, height: float) -> dict[str, float]:
    """Labels at least `gap` apart and none under the plot: pushed down, then up from below."""
    order = sorted(places, key=lambda label: places[label])
    moved: list[float] = []
    for label in order:
        moved.append(max([places[label], *(place + gap for place in moved[-1:])]))
    floor = height
    for at in reversed(range(len(moved))):
        moved[at] = min(moved[at], floor)
        floor = moved[at] - gap
    return {label: round(place, 2) for label, place in zip(order, moved, strict=True)}
