"""The same two texts in two rows, also with their sides exchanged."""

from __future__ import annotations

from curate.checks.codes import Finding, finding
from curate.language import normalize

__all__ = ["DuplicateFinder"]


class DuplicateFinder:
    """Remembers every pair of texts (memory grows with the number of rows)."""

    def __init__(self) -> None:
        self._first: dict[tuple[str, str, frozenset[str]], int] = {}

    def check(self, row: int, a: str, b: str, *, lang: str, method: str) -> list[Finding]:
        """A finding where an earlier row of the language and method holds the same two texts."""
        key = (lang, method, frozenset(" ".join(normalize(side).split()) for side in (a, b)))
        first = self._first.setdefault(key, row)
        return [] if first == row else [finding("duplicate", f"row {row} repeats row {first}")]
