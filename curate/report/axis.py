"""The axes that the report's charts share, in percent of a chart's width."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["LARGEST", "Axis", "fitted", "percent_axis", "symmetric"]

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_TICKS = 5
LARGEST = 1e100
"""Values beyond are drawn at the end of the axis, whose width must stay a number."""


@dataclass(frozen=True)
class Axis:
    """A linear axis from `low` to `high`; `step` apart stand its ticks."""

    low: float
    high: float
    step: float

    def at(self, value: float) -> float:
        """Where a value stands, 0 (left) to 100 (right); values outside stand at the end."""
        place = 100 * (value - self.low) / (self.high - self.low)
        return round(min(max(place, 0.0), 100.0), 2)

    @property
    def digits(self) -> int:
        """Decimals that write the step, and so every tick, in full."""
        power = math.floor(math.log10(self.step) + 1e-9)
        lead = self.step / 10.0**power
        return max(0, -power + (0 if abs(lead - round(lead)) < 1e-6 else 1))

    @property
    def ticks(self) -> list[tuple[float, str]]:
        """(place, text) of the ticks, from left to right."""
        first = math.ceil(self.low / self.step - 1e-9)
        last = math.floor(self.high / self.step + 1e-9)
        digits = self.digits
        return [
            (self.at(number * self.step), f"{number * self.step:.{digits}f}".replace("-", "−"))
            for number in range(first, last + 1)
        ]


def percent_axis() -> Axis:
    """0 to 100 with a tick at every quarter."""
    return Axis(0.0, 100.0, 25.0)


def fitted(values: Iterable[float], *, around: float = 0.0) -> Axis:
    """An axis that holds `around` and all `values`, a little wider; never without width."""
    held = [_bounded(value) for value in [*values, around]]
    low, high = min(held), max(held)
    margin = 0.04 * (high - low) or 1.0
    return _with_step(low - margin, high + margin)


def symmetric(values: Iterable[float]) -> Axis:
    """An axis with 0 in the middle that holds all `values`."""
    reach = 1.06 * max((abs(_bounded(value)) for value in values), default=0.0) or 1.0
    return _with_step(-reach, reach)


def _bounded(value: float) -> float:
    return min(max(value, -LARGEST), LARGEST)


def _with_step(low: float, high: float) -> Axis:
    rough = (high - low) / _TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    return Axis(low, high, next(power * step for step in _STEPS if power * step >= rough * 0.999))
