"""The report as one HTML file: no script, no network, light and dark."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from curate import __version__
from curate.engine import replacing
from curate.report.charts import bars, line_chart, stacked
from curate.report.content import Content, Section, read_content

__all__ = ["render", "write_report"]


def write_report(folder: Path, out: Path, *, title: str = "", pairs: int = 30) -> Path:
    """Write the report of a folder (see `read_content`) to `out` and return it.

    The same folder gives the same bytes: the page holds no time and no path of the machine.
    """
    content = read_content(folder, pairs=pairs)
    if title:
        content.title = title
    html = render(content)
    out.parent.mkdir(parents=True, exist_ok=True)
    with replacing(out) as temporary:
        temporary.write_text(html, encoding="utf-8", newline="\n")
    return out


def render(content: Content) -> str:
    """The page as text; every value is escaped by the template engine."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("curate.report", "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["thousands"] = lambda number: f"{number:,}"
    page = environment.get_template("page.html.j2")
    return page.render(
        content=content,
        version=__version__,
        most_pairs=max((s.n_pairs for s in content.sections), default=1) or 1,
        predictions=_predictions(content.sections),
        coverage=line_chart(
            {
                s.lang: s.stats["topk_coverage"]
                for s in content.sections
                if "topk_coverage" in s.stats
            }
        ),
        words=_words(content.sections),
        drops=[(s, bars(s.drops)) for s in content.sections if s.drops],
        scores=_scores(content.scores),
        checked=[s for s in content.sections if s.checked],
    )


def _predictions(sections: Sequence[Section]) -> list[tuple[Section, list[Any]]]:
    """Both / one / none of every MSG run, as a stacked bar."""
    rows = []
    for section in sections:
        stats = section.stats
        if "both" in stats:
            pieces = [
                ("both", stats["both"]),
                ("masculine only", stats["one_masculine"]),
                ("feminine only", stats["one_feminine"]),
                ("none", stats["none"]),
            ]
        elif section.kinds:
            kinds = section.kinds
            pieces = [
                ("both", kinds["both"]),
                ("masculine only", kinds["masculine"]),
                ("feminine only", kinds["feminine"]),
            ]
        else:
            continue
        rows.append((section, stacked(pieces)))
    return rows


def _words(sections: Sequence[Section]) -> list[tuple[Section, list[Any]]]:
    """How many different gender words each run used."""
    counted = [s for s in sections if "words_masculine" in s.stats]
    longest = max(
        (max(s.stats["words_masculine"], s.stats["words_feminine"]) for s in counted), default=1
    )
    return [
        (
            section,
            bars(
                [
                    ("masculine", section.stats["words_masculine"]),
                    ("feminine", section.stats["words_feminine"]),
                ],
                longest=longest,
            ),
        )
        for section in counted
    ]


def _scores(records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The summary's records by metric, model, language and group, those with no pair last.

    A metric that the pairs of a method were not made for (DBM wants a fill) has no row.
    """
    meant = [r for r in records if r["n"] or set(r.get("dropped", ())) != {"no-fill"}]
    return sorted(
        meant,
        key=lambda r: (r["value"] is None, r["metric"], r["model"], r["lang"], r["group"]),
    )
