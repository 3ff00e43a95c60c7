"""``score.py``: the script in a release that scores a model on it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from curate.resources import hub_cards_folder

__all__ = ["SCORE_SCRIPT", "score_script"]

SCORE_SCRIPT = "score.py"
_TEMPLATE = "score.py.j2"


def score_script(manifest: Mapping[str, Any]) -> str:
    """The text of the script; it knows the repository and the tag of a published release."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(hub_cards_folder()),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 (Python, not HTML; values are written as literals)
    )
    repository = str(manifest.get("repository") or "")
    published = f"{repository}@v{manifest['version']}" if repository else ""
    return environment.get_template(_TEMPLATE).render(published=json.dumps(published))
