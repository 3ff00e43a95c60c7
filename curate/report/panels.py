"""Scores by metric: a table, a heat map of models and languages, violins."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from curate.report.axis import Axis, fitted, percent_axis, symmetric
from curate.report.heatmap import LEVELS, Cell, HeatMap, heat_map
from curate.report.labels import model_labels
from curate.report.scores import Score
from curate.report.violin import Spread, ViolinChart, violin_chart
from curate.report.wording import (
    Unit,
    difference_ends,
    ends,
    first_is_above,
    group_name,
    meaning,
    side_name,
    title,
    unit,
)

__all__ = ["Panel", "Row", "panels"]

_PALE = {"percent": 10.0}
"""A heat map's colours are full no nearer to no preference than this."""

Named = tuple[str, Score]


@dataclass(frozen=True)
class Row:
    """A score in the table; `inner` stands beneath the total of its language and model.

    `label` is the model (and the method of its pairs), of an inner row the group of pairs.
    The places on the panel's axis are in percent, None where there is no value or interval.
    """

    score: Score
    label: str
    inner: bool
    place: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Panel:
    """All scores of a metric that can stand on one axis."""

    key: str
    first: Score
    title: str
    meaning: str
    unit: Unit
    axis: Axis
    neutral: float | None
    ends: tuple[str, str]
    difference_ends: tuple[str, str]
    rows: list[Row]
    maps: list[HeatMap]
    violins: ViolinChart | None
    several_data: bool
    folded: bool

    @property
    def no_preference(self) -> str:
        return self.unit.text(self.first.neutral, fewer=self.unit.digits)

    @property
    def difference(self) -> str:
        """What a violin's axis shows, in words."""
        a, b = (side_name(side) for side in self.first.sides)
        return f"Value of the {a} side less that of the {b} side, pair by pair"

    def full(self, reach: float) -> str:
        """The values at which a heat map's colours are full."""
        neutral = self.first.neutral or 0.0
        return self.unit.interval(neutral - reach, neutral + reach).replace(" to ", " and ")

    @property
    def ramp(self) -> range:
        """The colours from left to right, as the ends of the axis are named."""
        return range(LEVELS) if first_is_above(self.first) else range(LEVELS - 1, -1, -1)


def panels(scores: Sequence[Score]) -> list[Panel]:
    """The scores by metric, sides and unit; in a panel by language, model and group.

    A metric that some pairs were not made for (DBM wants a fill) has no row for them, unless it has
    no other.
    """
    kinds: dict[tuple[str, ...], list[Score]] = defaultdict(list)
    for score in scores:
        kinds[score.metric, *score.sides, score.unit, str(score.neutral), score.preferred].append(
            score
        )
    made = []
    for number, kind in enumerate(sorted(kinds), start=1):
        meant = [score for score in kinds[kind] if score.n or not _not_meant(score)] or kinds[kind]
        named = sorted(zip(model_labels(meant), meant, strict=True), key=_order)
        made.append(_panel(f"score-{number}", named))
    return made


def _not_meant(score: Score) -> bool:
    return {code for code, _ in score.reasons} == {"no-fill"}


def _order(named: Named) -> tuple[str, str, int, str]:
    label, score = named
    return score.lang, label, _rank(score.group), score.group


def _rank(group: str) -> int:
    """All pairs before the methods before the groups of a column (``bias_type=gender``)."""
    return 0 if group == "all" else 2 if "=" in group else 1


def _panel(key: str, named: list[Named]) -> Panel:
    first = next((score for _, score in named if score.title), named[0][1])
    axis = _axis([score for _, score in named], first)
    top: dict[tuple[str, str], int] = {}
    for label, score in named:
        place = (score.lang, label)
        top[place] = min(top.get(place, 2), _rank(score.group))
    whole = [(label, s) for label, s in named if _rank(s.group) == top[s.lang, label]]
    return Panel(
        key=key,
        first=first,
        title=title(first),
        meaning=meaning(first),
        unit=unit(first),
        axis=axis,
        neutral=axis.at(first.neutral) if first.neutral is not None else None,
        ends=ends(first),
        difference_ends=difference_ends(first),
        rows=[_row(label, s, axis, _rank(s.group) > top[s.lang, label]) for label, s in named],
        maps=_maps(whole, first),
        violins=_violins(whole, first),
        several_data=_several_data(named),
        folded=any(score.fold_std is not None for _, score in named),
    )


def _several_data(named: Sequence[Named]) -> bool:
    """Whether some language was scored on more than one table of pairs."""
    data: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for _, score in named:
        data[score.lang].add((score.dataset, score.version))
    return any(len(tables) > 1 for tables in data.values())


def _axis(scores: Sequence[Score], first: Score) -> Axis:
    if first.unit == "percent":
        return percent_axis()
    ends = [end for s in scores for end in (s.value, s.low, s.high) if end is not None]
    ends = [end * unit(first).scale for end in ends]
    if first.neutral == 0:
        return symmetric(ends)
    return fitted(ends, around=first.neutral or 0.0)


def _row(label: str, score: Score, axis: Axis, inner: bool) -> Row:
    scale = unit(score).scale

    def at(value: float | None) -> float | None:
        return None if value is None or score.value is None else axis.at(value * scale)

    places = (at(score.value), at(score.low), at(score.high))
    return Row(score, group_name(score.group) if inner else _named(label, score), inner, *places)


def _named(label: str, score: Score) -> str:
    """A model, and of which pairs its score is, unless of all."""
    return label if score.group == "all" else f"{label} · {group_name(score.group)}"


def _maps(named: Sequence[Named], first: Score) -> list[HeatMap]:
    """A heat map for every group of pairs that stands for a whole language."""
    if first.neutral is None:
        return []
    groups: dict[str, dict[tuple[str, str], Cell]] = defaultdict(dict)
    for label, score in named:
        if score.value is not None:
            cell = Cell(score.value, score.low, score.high)
            groups[score.group][label, score.lang or "–"] = cell
    reach = [abs(c.value - first.neutral) for cells in groups.values() for c in cells.values()]
    made = []
    for group in sorted(groups, key=lambda group: (_rank(group), group)):
        drawn = heat_map(
            groups[group],
            title=group_name(group),
            neutral=first.neutral,
            first_is_above=first_is_above(first),
            least=max([_PALE.get(first.unit, 0.0), *reach]),
        )
        made += [drawn] if drawn else []
    return made


def _violins(named: Sequence[Named], first: Score) -> ViolinChart | None:
    if first.neutral is None:
        return None
    scale = unit(first).scale
    return violin_chart(
        [
            Spread(
                (score.lang, _named(label, score)),
                score.n,
                [scale * value for value in score.differences],
            )
            for label, score in named
        ]
    )
