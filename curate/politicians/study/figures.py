"""The paper's figures 3, 4 and 6 as places in a drawing, in pixels from its upper left corner."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from curate.politicians.study.plots import ticks
from curate.politicians.study.results import ALL_MODELS
from curate.politicians.study.subsets import EVERYONE

__all__ = ["BarPanel", "BarRow", "Dot", "DotPanel", "dot_panels", "significant_supersenses"]

Row = Mapping[str, Any]

LEVEL = 0.05
SHOWN = ("negative", "positive")  # the two sentiments of figures 4 and 6

_LEFT, _TOP, _HEIGHT = 44.0, 14.0, 170.0
_GROUP, _INSET = 124.0, 34.0
_NAMES = 230.0  # room for models' names beside the only group
_APART = 14.0
_BARS_LEFT, _BARS_WIDTH, _BAR_ROW = 210.0, 320.0, 34.0
_LONGEST = 30


@dataclass(frozen=True, slots=True)
class Dot:
    """A language model's two frequencies: places of both, its name and where that stands.

    `mark`: ``cross`` where p is under 0.05, ``ringed`` where it is so after Bonferroni's correction
    too, else ``dot``.
    """

    model: str
    x: tuple[float, float]
    y: tuple[float, float]
    mark: str
    told: str
    name: str
    name_y: float


@dataclass(frozen=True, slots=True)
class DotPanel:
    """Frequencies of one sentiment: `groups` are (name, middle), `ticks` (place, text)."""

    sentiment: str
    groups: list[tuple[str, float]]
    dots: list[Dot]
    ticks: list[tuple[float, str]]
    width: float
    named: bool
    left: float = _LEFT
    bottom: float = _TOP + _HEIGHT
    height: float = _TOP + _HEIGHT + 26


@dataclass(frozen=True, slots=True)
class BarRow:
    """A model's two bars: their widths, the upper end of the row, whether it is significant."""

    name: str
    told: str
    y: float
    widths: tuple[float, float]
    significant: bool


@dataclass(frozen=True, slots=True)
class BarPanel:
    """Frequencies of one supersense among the words of one sentiment, by model."""

    sentiment: str
    supersense: str
    rows: list[BarRow]
    ticks: list[tuple[float, str]]
    height: float
    left: float = _BARS_LEFT
    width: float = _BARS_LEFT + _BARS_WIDTH + 30


def dot_panels(rows: Iterable[Row], *, several: bool) -> list[DotPanel]:
    """Figure 4 (one language), or figure 6: `several` languages, models that have at least two.

    A dot a gender and language model: how often its largest-deviation words have the sentiment.
    """
    single = [r for r in rows if r["model"] != ALL_MODELS and r["subset"] == EVERYONE]
    if several:
        langs: dict[str, set[str]] = {}
        for row in single:
            langs.setdefault(row["model"], set()).add(row["lang"])
        single = [row for row in single if len(langs[row["model"]]) > 1]
    own = [[row for row in single if row["sentiment"] == sentiment] for sentiment in SHOWN]
    # one scale for both, so that they can be compared
    most = max((r[side] for part in own for r in part for side in _SIDES), default=0.0)
    return [_dot_panel(part, most or 1.0) for part in own if part]


def significant_supersenses(rows: Sequence[Row]) -> list[BarPanel]:
    """Figure 3: supersenses that differ after correction by a model at least, most certain first.

    Every model has its bars, and those where the difference is significant their mark.
    """
    kept = [row for row in rows if row["subset"] == EVERYONE]
    panels: dict[tuple[str, str], list[Row]] = {}
    for row in kept:
        panels.setdefault((row["sentiment"], row["supersense"]), []).append(row)
    least = {name: min(row["p_bonferroni"] for row in own) for name, own in panels.items()}
    found = sorted((name for name in panels if least[name] < LEVEL), key=lambda n: (least[n], n))
    return [_bar_panel(*name, panels[name]) for name in found]


_SIDES = ("mean_first", "mean_second")


def _dot_panel(rows: Sequence[Row], most: float) -> DotPanel:
    langs = sorted({row["lang"] for row in rows})
    high = 1.06 * most

    def place(value: float) -> float:
        return round(_TOP + _HEIGHT * (1 - value / high), 2)

    named = len(langs) == 1
    starts = {lang: _LEFT + _GROUP * at for at, lang in enumerate(langs)}
    ordered = sorted(rows, key=lambda row: (row["lang"], -row["mean_second"], row["model"]))
    names = _spread([place(row["mean_second"]) for row in ordered]) if named else [0.0] * len(rows)
    dots = [
        Dot(
            row["model"],
            (starts[row["lang"]] + _INSET, starts[row["lang"]] + _GROUP - _INSET),
            (place(row["mean_first"]), place(row["mean_second"])),
            _mark(row), _told(row), _short(row["model"]), name,
        )
        for row, name in zip(ordered, names, strict=True)
    ]  # fmt: skip
    return DotPanel(
        rows[0]["sentiment"],
        [(lang, start + _GROUP / 2) for lang, start in starts.items()],
        dots,
        [(place(tick), f"{tick:g}") for tick in ticks(0.0, high)],
        _LEFT + _GROUP * len(langs) + (_NAMES if named else 8.0),
        named,
    )


def _bar_panel(sentiment: str, supersense: str, rows: Sequence[Row]) -> BarPanel:
    # models by name, all of them together last
    ordered = sorted(rows, key=lambda row: (row["model"] == ALL_MODELS, row["model"]))
    most = max(row[side] for row in rows for side in _SIDES) or 1.0
    high = 1.04 * most
    made = []
    for at, row in enumerate(ordered):
        first, second = (round(_BARS_WIDTH * row[side] / high, 2) for side in _SIDES)
        name = "all models" if row["model"] == ALL_MODELS else _short(row["model"])
        significant = row["p_bonferroni"] < LEVEL
        made.append(BarRow(name, _told(row), 6 + _BAR_ROW * at, (first, second), significant))
    marks = [
        (round(_BARS_LEFT + _BARS_WIDTH * tick / high, 2), f"{tick:g}") for tick in ticks(0.0, high)
    ]
    return BarPanel(sentiment, supersense, made, marks, 6 + _BAR_ROW * len(made) + 20)


def _mark(row: Row) -> str:
    if row["p_bonferroni"] < LEVEL:
        return "ringed"
    return "cross" if row["p"] < LEVEL else "dot"


def _told(row: Row) -> str:
    """What a drawing says of a model where a pointer rests on it, or a screen reader asks."""
    model = "all models" if row["model"] == ALL_MODELS else row["model"]
    chance = "< 0.0001" if row["p"] < 0.0001 else f"{row['p']:.4f}"
    return (
        f"{model}, {row['lang']}: {row['first']} {row['mean_first']:.3f}, "
        f"{row['second']} {row['mean_second']:.3f}, p {chance}"
    )


def _short(name: str) -> str:
    """The end of a long name, which is what tells models apart."""
    return name if len(name) <= _LONGEST else f"…{name[1 - _LONGEST :]}"


def _spread(places: Sequence[float]) -> list[float]:
    """Places in rising order, moved so that names do not cover each other."""
    moved: list[float] = []
    for place in places:
        moved.append(max(place, moved[-1] + _APART) if moved else place)
    # what was moved beyond the plot goes back up, and its neighbours with it
    last = _TOP + _HEIGHT
    for at in reversed(range(len(moved))):
        moved[at] = min(moved[at], last)
        last = moved[at] - _APART
    return [round(place, 2) for place in moved]
