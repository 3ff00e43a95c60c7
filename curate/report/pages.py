"""What all pages share: templates whose values are escaped, and how the file is written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from curate.engine import replacing

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["page_templates", "write_page"]


def page_templates(**filters: Any) -> Environment:
    """The environment of the report's templates; every value is escaped, a missing one an error.

    `filters` come beside ``thousands``, which all pages have.
    """
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("curate.report", "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= {"thousands": lambda number: f"{number:,}", **filters}
    return environment


def write_page(out: Path, html: str) -> Path:
    """Write the text of a page to `out` and return it."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with replacing(out) as temporary:
        temporary.write_text(html, encoding="utf-8", newline="\n")
    return out
