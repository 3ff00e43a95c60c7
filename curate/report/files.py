"""JSON files that a report reads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from curate.errors import InputError

__all__ = ["read_json"]


def read_json(path: Path) -> Any:
    """The value in a JSON file; InputError where it holds none."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise InputError("not JSON", where=path, hint="run again what wrote it") from error
