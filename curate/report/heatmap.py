"""Heat maps of models by languages, coloured by the distance from no preference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["DARK", "LEVELS", "LIGHT", "Cell", "HeatCell", "HeatMap", "heat_map"]

_SIDE = 4
LEVELS = 2 * _SIDE + 1
"""Steps of colour: the second side preferred, no preference in the middle, the first side."""


def _ramp(second: str, middle: str, first: str) -> tuple[str, ...]:
    """`LEVELS` colours as #rrggbb, from the second side's over the middle's to the first's."""
    rgb = [tuple(int(hue[at : at + 2], 16) for at in (1, 3, 5)) for hue in (second, middle, first)]
    colours = []
    for level in range(LEVELS):
        start, end = (rgb[1], rgb[2]) if level >= _SIDE else (rgb[1], rgb[0])
        part = abs(level - _SIDE) / _SIDE
        mixed = (round(a + (b - a) * part) for a, b in zip(start, end, strict=True))
        colours.append("#" + "".join(f"{value:02x}" for value in mixed))
    return tuple(colours)


LIGHT = _ramp("#f2a45c", "#f6f6f3", "#74b3e8")
DARK = _ramp("#8a4a14", "#23282e", "#1f5f96")


@dataclass(frozen=True)
class Cell:
    """A value with its interval; `high` and `low` None where there is none."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class HeatCell:
    """A cell to draw: its `level` of colour, and whether its interval holds no preference."""

    cell: Cell
    level: int
    unclear: bool


@dataclass(frozen=True)
class HeatMap:
    """Rows are models, columns languages; None where a model has no value for a language.

    `reach` is the distance from no preference at which a colour is full.
    """

    title: str
    rows: list[str]
    columns: list[str]
    cells: list[list[HeatCell | None]]
    reach: float


def heat_map(
    cells: Mapping[tuple[str, str], Cell],
    *,
    title: str,
    neutral: float,
    first_is_above: bool,
    least: float,
) -> HeatMap | None:
    """The heat map of (model, language) cells; None under two models and two languages.

    A value above `neutral` is coloured for the first side where `first_is_above`, else for the
    second. The colours are full at the largest distance, but not under `least`, so that a map of
    small differences stays pale.
    """
    rows, columns = sorted({key[0] for key in cells}), sorted({key[1] for key in cells})
    if len(rows) < 2 and len(columns) < 2:
        return None
    reach = max([least, *(abs(cell.value - neutral) for cell in cells.values())]) or 1.0
    sign = 1 if first_is_above else -1

    def drawn(key: tuple[str, str]) -> HeatCell | None:
        cell = cells.get(key)
        if cell is None:
            return None
        level = _SIDE + sign * _rounded(_SIDE * (cell.value - neutral) / reach)
        return HeatCell(cell, level, _holds(cell, neutral))

    table: Sequence[list[HeatCell | None]] = [
        [drawn((row, column)) for column in columns] for row in rows
    ]
    return HeatMap(title, rows, columns, list(table), reach)


def _rounded(number: float) -> int:
    """To the nearest whole number, halves away from zero, so that both sides are alike."""
    return int(abs(number) + 0.5) * (1 if number > 0 else -1)


def _holds(cell: Cell, neutral: float) -> bool:
    """Whether the interval holds `neutral`; a value without an interval is never clear."""
    if cell.low is None or cell.high is None:
        return True
    return cell.low <= neutral <= cell.high
