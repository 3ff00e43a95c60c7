"""The two sentences of a model-based pair, and where they differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from curate.swap import Edit, SwapResult

__all__ = ["Side", "differing_spans"]


@dataclass(frozen=True, slots=True)
class Side:
    """One sentence of a pair: the word in the mask's place, and the edits that led there."""

    word: str
    text: str
    entry: str
    edits: tuple[Edit, ...]

    @classmethod
    def unchanged(cls, text: str, word: str, entry: str) -> Side:
        return cls(word, text, entry, ())

    @classmethod
    def filled(cls, result: SwapResult, word: str, entry: str) -> Side:
        return cls(word, str(result.counterpart), entry, result.edits)

    def place(self, position: int) -> int:
        """Where a position of the source text, at or outside an edit's edges, stands here."""
        return position + sum(
            len(edit.new) - (edit.end - edit.start) for edit in self.edits if edit.end <= position
        )


def differing_spans(
    masculine: Side, feminine: Side
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The edits of a pair from either side: {start, end, rule} in the text of that side.

    Both sides come from one source text; what either changed there is one stretch, mapped to both.
    Stretches that came out alike on both sides are no difference.
    """
    spans: tuple[list[dict[str, Any]], list[dict[str, Any]]] = ([], [])
    for start, end, rule in _stretches([*masculine.edits, *feminine.edits]):
        places = [(side.place(start), side.place(end)) for side in (masculine, feminine)]
        (a, b), (c, d) = places
        if masculine.text[a:b] == feminine.text[c:d]:
            continue
        for own, (first, last) in zip(spans, places, strict=True):
            own.append({"start": first, "end": last, "rule": rule})
    return spans


def _stretches(edits: list[Edit]) -> list[tuple[int, int, str]]:
    """Edits of the source text with those that overlap joined; the gender word's rule prevails."""
    joined: list[tuple[int, int, str]] = []
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if joined and edit.start < joined[-1][1]:
            start, end, rule = joined[-1]
            rule = edit.rule if edit.rule.startswith("pair") else rule
            joined[-1] = (start, max(end, edit.end), rule)
        else:
            joined.append((edit.start, edit.end, edit.rule))
    return joined
