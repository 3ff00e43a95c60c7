"""What `curate occupations score` found, as one HTML file: no script, light and dark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curate import __version__
from curate.errors import InputError
from curate.occupations.similarity.folder import SimilarityFolder, find_similarity
from curate.report.occupations_charts import Bars, occupation_bars, size_plot
from curate.report.pages import page_templates, write_page

__all__ = ["render_occupations", "write_occupations_page"]

_SCALES = {
    "cosine": "cosine of sentence vectors, −1 to 1",
    "stsb": "similarity as the model writes it, 0 to 5",
}


@dataclass(frozen=True)
class _Model:
    """A folder of scores: what its record says, and a chart a form of occupations."""

    record: dict[str, Any]
    charts: list[Bars]
    dropped: list[dict[str, Any]]


def write_occupations_page(folder: Path, out: Path, *, title: str = "") -> Path:
    """Write the page of all scores of occupations in or below `folder` to `out` and return it.

    Raises InputError where there are none. The same folder gives the same bytes.
    """
    found = find_similarity(folder)
    if not found:
        raise InputError(
            "no scores of occupations here", where=folder, hint="curate occupations score --help"
        )
    html = render_occupations(found, title=title or folder.resolve().name, below=folder)
    return write_page(out, html)


def render_occupations(found: Sequence[SimilarityFolder], *, title: str, below: Path) -> str:
    """The page as text; every value is escaped by the template engine."""
    environment = page_templates(value=_value, signed=_signed, chance=_chance)
    records = [{**one.record, "folder": one.path.relative_to(below).as_posix()} for one in found]
    records.sort(key=lambda record: (record["lang"], record["scale"], record["parameters"]))
    plots = [size_plot(records, scale) for scale in _SCALES]
    return environment.get_template("occupations.html.j2").render(
        title=title,
        version=__version__,
        models=[_model(record) for record in records],
        plots=[plot for plot in plots if plot is not None],
        scales=_SCALES,
        colours=5,
        heat=[],
    )


def _model(record: dict[str, Any]) -> _Model:
    rows = record["occupations"]
    charts = [occupation_bars(rows, form) for form in record["forms"]]
    return _Model(
        record,
        [chart for chart in charts if chart is not None],
        [row for row in rows if row["n_dropped"]],
    )


def _value(number: float | None, digits: int = 3) -> str:
    return "–" if number is None else f"{number:.{digits}f}".replace("-", "−")


def _signed(number: float | None, digits: int = 3) -> str:
    return "–" if number is None else f"{number:+.{digits}f}".replace("-", "−")


def _chance(number: float | None) -> str:
    if number is None:
        return "–"
    return "< .001" if number < 0.001 else f"{number:.3f}"
