"""How a score is put into words: units, names of sides and groups, what a value means."""

from __future__ import annotations

from dataclasses import dataclass

from curate.report.scores import Score

__all__ = [
    "Unit",
    "difference_ends",
    "ends",
    "first_is_above",
    "group_name",
    "meaning",
    "number",
    "side_name",
    "unit",
]

_SIDES = {"sent_more": "more stereotypical", "sent_less": "less stereotypical"}
_COLUMNS = {"bias_type": "bias type", "stereo_antistereo": "direction"}
_LARGE = 1e7
_WEIGHTED = (
    "Every sentence of one side is compared with every one of the other, and a comparison weighs "
    "as much as the two sentences are alike."
)


@dataclass(frozen=True)
class Unit:
    """How a metric's values are printed: times `scale`, with `digits` decimals and a `suffix`."""

    scale: float
    digits: int
    suffix: str
    header: str

    def text(self, value: float | None, *, fewer: int = 0, suffix: bool = True) -> str:
        """A value as text, with `fewer` decimals than usual; a dash for None."""
        if value is None:
            return "–"
        return number(value * self.scale, self.digits - fewer) + (self.suffix if suffix else "")

    def interval(self, low: float | None, high: float | None) -> str:
        """An interval as text."""
        if low is None or high is None:
            return "–"
        fewer = 1 if self.suffix else 0
        ends = (self.text(end, fewer=fewer, suffix=False) for end in (low, high))
        return " to ".join(ends)


_PERCENT = Unit(1.0, 2, " %", "percent")
_DISTANCE = Unit(1000.0, 2, "", "×10⁻³")


def unit(score: Score) -> Unit:
    """Percent, distances in thousandths as Steinborn et al. (2022) print them, or as it stands."""
    known = {"percent": _PERCENT, "distance": _DISTANCE}
    return known.get(score.unit) or Unit(1.0, 3, "", score.unit)


def number(value: float, digits: int) -> str:
    """A number with a real minus sign, and none before zero; very large ones as powers of ten."""
    text = f"{value:.{digits}f}" if abs(value) < _LARGE else f"{value:.{digits}e}"
    if float(text) == 0:
        text = text.removeprefix("-")
    return text.replace("-", "−")


def side_name(side: str) -> str:
    """The name of a side as the page says it; CrowS-Pairs' columns by what they hold."""
    for column, name in _SIDES.items():
        if side.startswith(column):  # sent_more, sent_more_en_US, …
            return name
    return side


def group_name(group: str) -> str:
    """``bias_type=gender`` as *bias type: gender*, a method in capitals."""
    column, equals, value = group.partition("=")
    if equals:
        known = (name for prefix, name in _COLUMNS.items() if column.startswith(prefix))
        return f"{next(known, column)}: {value or '–'}"
    return "all pairs" if group == "all" else group.upper()


def first_is_above(score: Score) -> bool:
    """Whether a value above no preference means that side a is preferred.

    A share counts the pairs whose side a is preferred. A mean difference is above 0 for side a only
    where the higher value is the preferred one.
    """
    return score.unit == "percent" or score.preferred == "higher"


def ends(score: Score) -> tuple[str, str]:
    """The sides preferred to the left and right of no preference; empty where there is none."""
    if score.neutral is None:
        return "", ""
    a, b = (side_name(side) for side in score.sides)
    return (b, a) if first_is_above(score) else (a, b)


def difference_ends(score: Score) -> tuple[str, str]:
    """The sides preferred below and above 0 where value_a - value_b itself is shown."""
    a, b = (side_name(side) for side in score.sides)
    return (b, a) if score.preferred == "higher" else (a, b)


def title(score: Score) -> str:
    """The metric's title with the sides of the data, where it speaks of the first and second."""
    a, b = (side_name(side) for side in score.sides)
    return score.title.replace("first side", f"{a} side").replace("second side", f"{b} side")


def meaning(score: Score) -> str:
    """What a value of the score's metric says, in a few sentences."""
    a, b = (side_name(side) for side in score.sides)
    if score.neutral is None:
        return (
            "This metric has no value of no preference: it says how well the model knows the text."
        )
    none = unit(score).text(score.neutral, fewer=unit(score).digits)
    if score.unit == "percent":
        weighted = score.kind == "weighted"
        said = f"The share of {'comparisons' if weighted else 'pairs'} in which the model prefers "
        said += f"the {a} side to the {b} one. {none} is no preference (dashed); a tie counts for "
        said += "neither side."
        return f"{said} {_WEIGHTED}" if weighted else said
    side = "above" if first_is_above(score) else "below"
    said = f"The mean over pairs of the value of the {a} side less that of the {b} side. "
    said += f"{none} is no preference (dashed); {side} it the model prefers the {a} side."
    scaled = unit(score).scale != 1
    return f"{said} The numbers are in thousandths ({unit(score).header})." if scaled else said
