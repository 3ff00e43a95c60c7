"""Values with their intervals as strips, and shares as bars, in percent of a plot's width."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["Piece", "Strip", "Strips", "pieces", "strips", "ticks"]

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Strip:
    """A row, where its value stands, and the ends of its interval (0 to 100), None without one."""

    row: Row
    at: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Strips:
    """Strips over one axis; `zero` on it, `ticks` as (place, text)."""

    rows: list[Strip]
    zero: float
    ticks: list[tuple[float, str]]


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a stacked bar, in percent of its width."""

    label: str
    start: float
    width: float


def strips(rows: Iterable[Row], value: str) -> Strips | None:
    """The rows whose `value` is a number; None without any. The axis holds 0 and all intervals."""
    held = [row for row in rows if row[value] is not None]
    if not held:
        return None
    names = (value, "ci_low", "ci_high")
    ends = [row[name] for row in held for name in names if row[name] is not None]
    low, high = min([0.0, *ends]), max([0.0, *ends])
    margin = 0.04 * (high - low) or 1.0
    low, high = low - margin, high + margin

    def place(number: float | None) -> float | None:
        return None if number is None else round(100 * (number - low) / (high - low), 2)

    made = [
        Strip(row, place(row[value]) or 0.0, place(row["ci_low"]), place(row["ci_high"]))
        for row in held
    ]
    marks = [(place(tick) or 0.0, f"{tick:g}".replace("-", "−")) for tick in ticks(low, high)]
    return Strips(made, place(0.0) or 0.0, marks)


def pieces(shares: Sequence[tuple[str, float]]) -> list[Piece]:
    """Pieces of one bar of full width."""
    total = sum(share for _, share in shares) or 1.0
    made, at = [], 0.0
    for label, share in shares:
        width = 100 * share / total
        made.append(Piece(label, round(at, 3), round(width, 3)))
        at += width
    return made


def ticks(low: float, high: float) -> list[float]:
    """Four to eight round numbers between the ends."""
    rough = (high - low) / 5
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * size for size in (1, 2, 5, 10) if power * size >= rough * 0.999)
    first, last = math.ceil(low / step), math.floor(high / step)
    return [round(number * step, 10) for number in range(first, last + 1)]
