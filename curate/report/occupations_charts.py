"""The charts of scored occupations: two bars an occupation, and differences by size of model."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from curate.report.axis import Axis, fitted, symmetric

__all__ = ["BarRow", "Bars", "GenderBar", "Point", "SizePlot", "occupation_bars", "size_plot"]

Row = Mapping[str, Any]

_HEIGHT = 320
_LABEL = 15.0  # pixels between two labels


@dataclass(frozen=True)
class GenderBar:
    """A bar from 0, and the ends of its interval, in percent of the width."""

    start: float
    width: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class BarRow:
    """An occupation: its bars, and its difference as (`place`, `low`, `high`) on an own axis."""

    row: Row
    she: GenderBar
    he: GenderBar
    place: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Bars:
    """Figure 1 of the paper for one form of occupations; `no_difference` is 0 on its axis."""

    form: str
    rows: list[BarRow]
    axis: Axis
    differences: Axis
    no_difference: float


@dataclass(frozen=True)
class Point:
    """A model: where it stands (percent), its interval, what chance alone makes, its label."""

    record: Row
    form: str
    x: float
    y: float
    low: float | None
    high: float | None
    by_chance: float | None
    label: str
    label_y: float
    colour: int


@dataclass(frozen=True)
class SizePlot:
    """Figure 2: mean |difference| over parameters (log), for models of one scale."""

    scale: str
    height: int
    points: list[Point]
    lines: list[tuple[int, str]]
    ticks: list[tuple[float, str]]
    sizes: list[tuple[float, str]]
    series: list[tuple[int, str]]


def occupation_bars(rows: Sequence[Row], form: str) -> Bars | None:
    """The occupations of a form, the most she-ward first; None where none has a value."""
    known = [row for row in rows if row["form"] == form and row["difference"] is not None]
    if not known:
        return None
    ends = [row[f"mean_{s}{e}"] for row in known for s in ("he", "she") for e in _ENDS]
    axis = fitted([value for value in ends if value is not None])
    apart = [row[name] for row in known for name in ("difference", "ci_low", "ci_high")]
    differences = symmetric([value for value in apart if value is not None])
    return Bars(
        form,
        [
            _bar_row(row, axis, differences)
            for row in sorted(known, key=lambda row: (-row["difference"], row["column"]))
        ],
        axis,
        differences,
        differences.at(0.0),
    )


_ENDS = ("", "_ci_low", "_ci_high")


def _bar_row(row: Row, axis: Axis, differences: Axis) -> BarRow:
    return BarRow(
        row,
        _bar(row, "she", axis),
        _bar(row, "he", axis),
        differences.at(row["difference"]),
        _at(differences, row["ci_low"]),
        _at(differences, row["ci_high"]),
    )


def _bar(row: Row, side: str, axis: Axis) -> GenderBar:
    zero, end = axis.at(0.0), axis.at(row[f"mean_{side}"])
    low, high = (_at(axis, row[f"mean_{side}_ci_{name}"]) for name in ("low", "high"))
    return GenderBar(round(min(zero, end), 2), round(abs(end - zero), 2), low, high)


def _at(axis: Axis, value: float | None) -> float | None:
    return None if value is None else axis.at(value)


def size_plot(records: Sequence[Row], scale: str) -> SizePlot | None:
    """The models of a scale by size; None with fewer than two. Those of one family are joined.

    A family are labels that differ behind their last hyphen: t5-small, t5-base, t5-large.
    """
    shown = [
        (record, form, said)
        for record in records if record["scale"] == scale
        for form, said in record["forms"].items() if said["mean_difference"] is not None
    ]  # fmt: skip
    if len({record["folder"] for record, _, _ in shown}) < 2:
        return None
    highest = max(max(said["mean_difference"], said["ci_high"] or 0.0) for _, _, said in shown)
    axis = fitted([highest])
    sizes = [math.log10(record["parameters"]) for record, _, _ in shown]
    low, high = min(sizes) - 0.15, max(sizes) + 0.15
    series: dict[tuple[str, ...], int] = {}
    made = []
    for record, form, _ in shown:
        colour = series.setdefault((record["lang"], form), len(series))
        place = 100 * (math.log10(record["parameters"]) - low) / (high - low)
        made.append(_point(record, form, colour=colour % 5, x=round(place, 2), axis=axis))
    return SizePlot(
        scale, _HEIGHT, _labelled(made), _lines(made),
        ticks=[(round(100 - at, 2), text) for at, text in axis.ticks if at >= axis.at(0.0)],
        sizes=_sizes(low, high),
        series=[(colour % 5, ", ".join(names)) for names, colour in series.items()],
    )  # fmt: skip


def _point(record: Row, form: str, *, colour: int, x: float, axis: Axis) -> Point:
    said = record["forms"][form]

    def y(value: float | None) -> float | None:
        return None if value is None else round(100 - axis.at(value), 2)

    return Point(
        record, form, x, y(said["mean_difference"]) or 0.0, y(said["ci_low"]), y(said["ci_high"]),
        y(said["by_chance"]), record["model"], 0.0, colour,
    )  # fmt: skip


def _labelled(points: Sequence[Point]) -> list[Point]:
    """The points with labels that do not lie on each other: those near one another move down.

    Of the forms of one model, the highest has the label.
    """
    placed: list[Point] = []
    named: set[str] = set()
    taken: list[tuple[float, float]] = []
    for point in sorted(points, key=lambda p: (p.y, p.x)):
        y = point.y * _HEIGHT / 100
        kept = {name: getattr(point, name) for name in _KEPT}
        if point.record["folder"] in named:
            placed.append(Point(**{**kept, "label": ""}, label_y=round(y, 1)))
            continue
        named.add(point.record["folder"])
        while any(abs(point.x - x) < 25 and abs(y - other) < _LABEL for x, other in taken):
            y += 1
        taken.append((point.x, y))
        placed.append(Point(**kept, label_y=round(y, 1)))
    return placed


_KEPT = (
    "record", "form", "x", "y", "low", "high", "by_chance", "label", "colour",
)  # fmt: skip


def _lines(points: Sequence[Point]) -> list[tuple[int, str]]:
    """(colour, polyline) of every family of two models or more, from small to large."""
    families: dict[tuple[str, ...], list[Point]] = defaultdict(list)
    for point in points:
        family, _, size = point.label.rpartition("-")
        trained = size.partition(" ")[2]  # behind the size: "mt5-small (trained)"
        key = (family or point.label, trained, str(point.record["lang"]), point.form)
        families[key].append(point)
    return [
        (own[0].colour, " ".join(f"{p.x},{p.y}" for p in sorted(own, key=lambda p: p.x)))
        for own in families.values() if len(own) > 1
    ]  # fmt: skip


def _sizes(low: float, high: float) -> list[tuple[float, str]]:
    """(place, text) of 1, 2 and 5 times the powers of ten between the ends."""
    marks = []
    for power in range(math.floor(low), math.ceil(high) + 1):
        for lead in (1, 2, 5):
            at = power + math.log10(lead)
            if low <= at <= high:
                marks.append((round(100 * (at - low) / (high - low), 2), _size(lead * 10**power)))
    return marks


def _size(parameters: int) -> str:
    for unit, name in ((10**9, "B"), (10**6, "M"), (10**3, "k")):
        if parameters >= unit:
            return f"{parameters / unit:g}{name}"
    return str(parameters)
