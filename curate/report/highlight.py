"""A text as runs of changed and unchanged characters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["Run", "edited_runs"]


@dataclass(frozen=True)
class Run:
    """Consecutive characters; `rule` is what changed them, None where nothing did."""

    text: str
    rule: str | None = None


def edited_runs(text: str, edits: Sequence[Mapping[str, Any]]) -> list[Run]:
    """Cut `text` at its edits (``start``, ``end`` in code points, ``rule``), in order.

    Edits that overlap an earlier one or lie outside the text are left out: a report must not
    fail on them, and `curate release check` finds them.
    """
    runs: list[Run] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: int(edit["start"])):
        start, end = int(edit["start"]), int(edit["end"])
        if not at <= start < end <= len(text):
            continue
        if start > at:
            runs.append(Run(text[at:start]))
        runs.append(Run(text[start:end], str(edit.get("rule") or "edit")))
        at = end
    if at < len(text):
        runs.append(Run(text[at:]))
    return runs
