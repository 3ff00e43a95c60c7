"""Bars of counts, in percent of a chart's width."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Bar", "bars", "stacked"]


@dataclass(frozen=True)
class Bar:
    """A bar (or a piece of a stacked one); `start` and `width` in percent of the full width."""

    label: str
    count: int
    start: float
    width: float
    share: float


def bars(counts: Sequence[tuple[str, int]], *, longest: int | None = None) -> list[Bar]:
    """Bars from a common zero; `longest` is the count of a full bar (default: the largest)."""
    most = longest or max((count for _, count in counts), default=0) or 1
    total = sum(count for _, count in counts) or 1
    return [
        Bar(label, count, 0.0, round(100 * count / most, 3), 100 * count / total)
        for label, count in counts
    ]


def stacked(counts: Sequence[tuple[str, int]]) -> list[Bar]:
    """Pieces of one bar of full width, one after another."""
    total = sum(count for _, count in counts) or 1
    pieces, at = [], 0.0
    for label, count in counts:
        share = 100 * count / total
        pieces.append(Bar(label, count, round(at, 3), round(share, 3), share))
        at += share
    return pieces
