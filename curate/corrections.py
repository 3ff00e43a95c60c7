"""p values of several tests at once."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["holm"]


def holm(p_values: Sequence[float]) -> list[float]:
    """p corrected by Holm's step-down rule for the whole family, in the order given.

    The smallest of m is multiplied by m, the next by m - 1, and so on; none is smaller than the one
    before it, or larger than 1 (Holm 1979).
    """
    corrected = [0.0] * len(p_values)
    largest = 0.0
    for rank, at in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[at]))
        corrected[at] = largest
    return corrected
