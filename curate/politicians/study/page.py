"""A study as one HTML page: no script, no network, light and dark; a content warning first."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from curate import __version__
from curate.engine import replacing
from curate.politicians.study import page_sections
from curate.politicians.study.findings import Study
from curate.politicians.study.latent import SENTIMENTS

__all__ = ["render", "write_page"]

Row = Mapping[str, Any]


def write_page(out: Path, study: Study, about: Mapping[str, Any]) -> None:
    """Write the page of a study; `about` is what the study records of itself."""
    with replacing(out) as temporary:
        temporary.write_text(render(study, about), encoding="utf-8", newline="\n")


def render(study: Study, about: Mapping[str, Any]) -> str:
    """The page as text; every value is escaped by the template engine."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("curate.politicians.study", "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["number"] = _number
    environment.filters["p"] = _p
    environment.filters["interval"] = _interval
    environment.filters["thousands"] = lambda value: f"{value:,}"
    first, second = about["settings"]["genders"]
    page = environment.get_template("study.html.j2")
    return page.render(
        sections=page_sections.sections(study, (first, second)),
        across=page_sections.across(study.rows["sentiment"]),
        colours=page_sections.colours(study, (first, second)),
        anova=page_sections.anova(study.rows["anova"]),
        notes=study.notes,
        about=about,
        first=first,
        second=second,
        sentiments=SENTIMENTS,
        version=__version__,
    )


def _number(value: float | None, digits: int = 2) -> str:
    return "–" if value is None else f"{value:.{digits}f}".replace("-", "−")


def _p(value: float) -> str:
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}"


def _interval(row: Row, digits: int = 2) -> str:
    low, high = row["ci_low"], row["ci_high"]
    if low is None and high is None:
        return "–"
    return f"{_number(low, digits)} to {_number(high, digits)}"
