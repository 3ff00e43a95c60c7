"""What differs between two releases, as one HTML file: no script, no network, light and dark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from curate import __version__
from curate.hub.diff import (
    ConfigDiff,
    Counts,
    Diff,
    ShownRow,
    Text,
    counts_text,
    other_columns,
    shown_texts,
    value_text,
)
from curate.language.scripts import RIGHT_TO_LEFT
from curate.report.pages import page_templates, write_page

__all__ = ["render_release_diff", "write_release_diff"]


@dataclass(frozen=True)
class _Row:
    row: ShownRow
    direction: str
    texts: list[Text]
    others: list[tuple[str, str, str]]


@dataclass(frozen=True)
class _Group:
    """The shown rows of one configuration, language and sort of change; `total` counts all."""

    config: ConfigDiff
    lang: str
    what: str
    total: int
    rows: list[_Row]


def write_release_diff(
    diff: Diff, out: Path, *, version: str, level: str, reasons: Sequence[str]
) -> Path:
    """Write the page of a diff to `out` and return it; `version` is the one that it asks for."""
    page = render_release_diff(diff, version=version, level=level, reasons=reasons)
    return write_page(out, page)


def render_release_diff(diff: Diff, *, version: str, level: str, reasons: Sequence[str]) -> str:
    """The page as text; every value is escaped by the template engine."""
    environment = page_templates(value=value_text)
    return environment.get_template("release_diff.html.j2").render(
        diff=diff,
        curate=__version__,
        version=version,
        level=level,
        reasons=reasons,
        counted=[(name, config, _lines(config)) for name, config in diff.differing.items()],
        groups=[group for config in diff.differing.values() for group in _groups(config)],
        same=[name for name, config in diff.configs.items() if config.status == "same"],
        counts_text=counts_text,
        heat=[],
        colours=0,
    )


def _lines(config: ConfigDiff) -> list[tuple[str, Counts]]:
    """A line a language; one for a configuration in which no row differs."""
    return list(config.languages.items()) or [("", Counts())]


def _groups(config: ConfigDiff) -> list[_Group]:
    groups = []
    for (lang, what), rows in groupby(_ordered(config), key=lambda row: (row.lang, row.what)):
        total = getattr(config.languages.get(lang, Counts()), what)
        groups.append(_Group(config, lang, what, total, [_shown(row) for row in rows]))
    return groups


def _ordered(config: ConfigDiff) -> list[ShownRow]:
    sorts = ("changed", "removed", "added")
    return sorted(config.shown, key=lambda row: (row.lang, sorts.index(row.what)))


def _shown(row: ShownRow) -> _Row:
    return _Row(row, _direction(row.lang), shown_texts(row), other_columns(row))


def _direction(lang: str) -> str:
    """``rtl`` for a language that is written so; else each text tells its own."""
    import langcodes
    from langcodes.tag_parser import LanguageTagError

    try:
        script = langcodes.Language.get(lang).maximize().script if lang else None
    except LanguageTagError:
        script = None
    return "rtl" if script in RIGHT_TO_LEFT else "auto"
