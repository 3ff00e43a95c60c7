"""The report as one HTML file: no script, no network, light and dark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from curate import __version__
from curate.report import heatmap
from curate.report.bars import bars, stacked
from curate.report.content import Content, Section, read_content
from curate.report.lines import COLOURS, LineChart, line_chart
from curate.report.pages import page_templates, write_page
from curate.report.panels import panels
from curate.report.scores import Score
from curate.report.wording import number, side_name

__all__ = ["render", "write_report"]


def write_report(folder: Path, out: Path, *, title: str = "", pairs: int = 30) -> Path:
    """Write the report of a folder (see `read_content`) to `out` and return it.

    The same folder gives the same bytes: the page holds no time and no path of the machine.
    """
    content = read_content(folder, pairs=pairs)
    if title:
        content.title = title
    html = render(content)
    return write_page(out, html)


def render(content: Content) -> str:
    """The page as text; every value is escaped by the template engine."""
    environment = page_templates(side=side_name)
    page = environment.get_template("page.html.j2")
    coverage, runs = _coverage(content.sections)
    return page.render(
        content=content,
        version=__version__,
        most_pairs=max((s.n_pairs for s in content.sections), default=1) or 1,
        predictions=_predictions(content.sections),
        coverage=coverage,
        coverage_runs=runs,
        words=_words(content.sections),
        drops=[(s, bars(s.drops)) for s in content.sections if s.drops],
        checked=[s for s in content.sections if s.checked],
        panels=panels(content.scores),
        score_runs=_score_runs(content.scores),
        colours=COLOURS,
        heat=list(zip(heatmap.LIGHT, heatmap.DARK, strict=True)),
        decimal=number,
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


def _coverage(sections: Sequence[Section]) -> tuple[LineChart | None, dict[str, str]]:
    """A line a run, and what its short label stands for: a language, numbered where it repeats."""
    counted = [section for section in sections if section.stats.get("topk_coverage")]
    langs = Counter(section.lang for section in counted)
    seen: Counter[str] = Counter()
    series, names = {}, {}
    for section in counted:
        seen[section.lang] += 1
        number = f" {seen[section.lang]}" if langs[section.lang] > 1 else ""
        series[f"{section.lang}{number}"] = section.stats["topk_coverage"]
        names[f"{section.lang}{number}"] = section.label
    return line_chart(series), names


_WORDS = (
    ("words_masculine", "masculine", "fill-m"),
    ("words_feminine", "feminine", "fill-f"),
    ("words_both", "predicted where both", "fill-both"),
    ("words_one", "predicted where one", "fill"),
)


def _words(sections: Sequence[Section]) -> list[tuple[Section, str, Any]]:
    """How many different gender words each run used: (section, style, bar)."""
    counts = [
        (section, label, style, section.stats[key])
        for section in sections
        for key, label, style in _WORDS
        if key in section.stats
    ]
    longest = max((count for *_, count in counts), default=1)
    return [
        (section, style, bars([(label, count)], longest=longest)[0])
        for section, label, style, count in counts
    ]


def _score_runs(scores: Sequence[Score]) -> list[tuple[Score, str, str]]:
    """What the scores rest on, each once: (one of its scores, settings, the metrics)."""
    runs: dict[tuple[str, ...], tuple[Score, list[str]]] = {}
    for s in sorted(scores, key=lambda s: (s.model, s.revision, s.dataset, s.version)):
        settings = "; ".join(f"{name} {value}" for name, value in s.settings)
        key = (s.model, s.revision, s.dataset, s.version, s.seed, s.bootstrap, settings)
        metrics = runs.setdefault(key, (s, []))[1]
        if s.metric.upper() not in metrics:
            metrics.append(s.metric.upper())
    return [(score, key[-1], ", ".join(sorted(m))) for key, (score, m) in runs.items()]
