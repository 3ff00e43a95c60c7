"""The templates of hub_cards/, with the filters that keep data from becoming markup."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from curate.hub.card.markdown import cell, code, count, quoted, tex
from curate.resources import hub_cards_folder

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["NOT_STATED", "environment"]

NOT_STATED = "not stated"


def environment() -> Environment:
    """What renders Markdown: an unknown name is an error, and every datum goes through a filter."""
    return _made(hub_cards_folder())


@lru_cache(maxsize=4)
def _made(folder: Path) -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 (Markdown, not HTML; `cell` escapes)
    )
    made.filters |= {
        "cell": cell,
        "code": code,
        "count": count,
        "quoted": quoted,
        "tex": tex,
        "answer": lambda value: cell(value, 4000) if value else f"{NOT_STATED.capitalize()}.",
        "stated": lambda value: NOT_STATED if value in (None, "") else value,
        "counted_or": lambda value: "not in this release" if value is None else count(value),
    }
    return made
