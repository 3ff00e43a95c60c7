"""What `curate occupations polarity` found, as one HTML file: no script, light and dark."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curate import __version__
from curate.occupations.polarity.folder import PolarityFolder, read_polarity
from curate.report.pages import page_templates, write_page
from curate.report.polarity_charts import (
    Histogram,
    Scatter,
    histogram,
    ridges,
    scatter,
)

__all__ = ["render_polarity", "write_polarity_page"]

Row = Mapping[str, Any]

# the nine of the paper's figure 3, and as many from either end where a table has none of them
_PAPERS = (
    "nurse", "engineer", "surgeon", "scientist", "receptionist", "programmer", "teacher", "officer",
    "homemaker",
)  # fmt: skip
_EACH_END = 5

_STEADY = (
    ("distance", "Euclidean distance of she and he", ""),
    ("angle", "Angle between she and he", "radians"),
    ("cosine", "Cosine of she − he with the mean over the other sentences", ""),
)
_AGAINST = {
    "share_women": "share of women among those who work so",
    "similarity": "similarity to the sentence with she, less that with he",
}


@dataclass(frozen=True)
class _Steady:
    title: str
    unit: str
    numbers: Row
    chart: Histogram | None


@dataclass(frozen=True)
class _Related:
    """A scatter plot and the coefficients of all words; `x` says what stands on the axis."""

    x: str
    source: str
    chart: Scatter
    rows: list[Row]


def write_polarity_page(folder: Path, out: Path) -> Path:
    """Write the page of a folder of `curate occupations polarity` to `out` and return it.

    The same folder gives the same bytes: the page holds no time and no path of the machine.
    """
    html = render_polarity(read_polarity(folder))
    return write_page(out, html)


def render_polarity(found: PolarityFolder) -> str:
    """The page as text; every value is escaped by the template engine."""
    environment = page_templates(signed=_signed, chance=_chance)
    values = _by_column(found)
    polarity, centred = (_rows(found, measure) for measure in ("polarity", "centred"))
    return environment.get_template("polarity.html.j2").render(
        about=found.about,
        version=__version__,
        figure=ridges(_shown(polarity), values["polarity"], pronouns=True),
        table=ridges(centred, values["centred"], pronouns=False),
        pronouns={row["column"]: row for row in centred if row["kind"] == "pronoun"},
        middle={row["column"]: row for row in _rows(found, "from_midpoint")},
        raw={row["column"]: row for row in polarity},
        steady=_steady(found),
        related=_related(found, centred),
        correlations=[row for row in found.correlations if row["value"] is not None],
        against=_AGAINST,
        several_forms=len({row["form"] for row in centred if row["kind"] == "occupation"}) > 1,
        colours=0,
        heat=[],
    )


def _by_column(found: PolarityFolder) -> dict[str, dict[str, list[float]]]:
    """By measure and column, the values over sentences."""
    columns = found.values.column("column").to_pylist()
    by: dict[str, dict[str, list[float]]] = {}
    for measure in ("polarity", "centred"):
        own: dict[str, list[float]] = defaultdict(list)
        for column, value in zip(columns, found.values.column(measure).to_pylist(), strict=True):
            if value is not None:
                own[column].append(value)
        by[measure] = own
    return by


def _rows(found: PolarityFolder, measure: str) -> list[Row]:
    """The words of one measure, he-ward first."""
    rows = [row for row in found.summary if row["measure"] == measure and row["mean"] is not None]
    return sorted(rows, key=lambda row: (row["mean"], row["column"]))


def _shown(rows: Sequence[Row]) -> list[Row]:
    """He and she, and the occupations of the paper's figure; where there are none, the ends."""
    occupations = [row for row in rows if row["kind"] == "occupation"]
    chosen = [row for row in occupations if row["occupation"] in _PAPERS]
    if not chosen or len(chosen) > 3 * len(_PAPERS):
        chosen = [*occupations[:_EACH_END], *occupations[_EACH_END:][-_EACH_END:]]
    return [row for row in rows if row["kind"] == "pronoun" or row in chosen]


def _steady(found: PolarityFolder) -> list[_Steady]:
    return [
        _Steady(
            title, unit, found.about["stability"][name],
            histogram([v for v in found.stability.column(name).to_pylist() if v is not None]),
        )
        for name, title, unit in _STEADY
    ]  # fmt: skip


def _related(found: PolarityFolder, centred: Sequence[Row]) -> list[_Related]:
    """A plot for whatever the centred polarities were correlated with, of all forms together."""
    groups: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in found.correlations:
        if row["measure"] == "centred" and row["form"] == "all" and row["value"] is not None:
            groups[row["against"], row["source"]].append(row)
    made = []
    for (against, source), rows in groups.items():
        known = found.about["related"][against][source]
        points = [
            (row["column"], float(known[row["column"]]), float(row["mean"]))
            for row in centred
            if known.get(row["column"]) is not None and row["kind"] == "occupation"
        ]
        if points:
            digits = (2, 3) if against == "share_women" else (4, 3)
            made.append(_Related(_AGAINST[against], source, scatter(points, digits=digits), rows))
    return made


def _signed(value: float | None, digits: int = 3) -> str:
    if value is None:
        return "–"
    text = f"{value:+.{digits}f}".replace("-", "−")
    return text if any(digit in text for digit in "123456789") else text[1:]


def _chance(value: float | None) -> str:
    if value is None:
        return "–"
    return "< 0.001" if value < 0.001 else f"{value:.3f}"
