"""Shares with Wilson's interval, percentage agreement, and distances between sets.

Wilson (1927): the interval holds the shares from which the counted one is not significantly far.
It stays within 0 and 100 and has a width where all agree.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable
from dataclasses import asdict, dataclass
from statistics import NormalDist
from typing import Any

from curate.annotation.reliability.alpha import CONFIDENCE, Values

__all__ = ["Share", "jaccard_distance", "masi_distance", "percentage_agreement", "wilson"]


@dataclass(frozen=True, slots=True)
class Share:
    """`hits` of `n` in percent, with Wilson's interval; None where there is nothing to count.

    `hits` need not be whole: of three people on a task, one pair of three may agree.
    """

    percent: float | None = None
    ci_low: float | None = None
    ci_high: float | None = None
    hits: float = 0.0
    n: int = 0
    confidence: float = CONFIDENCE
    method: str = "Wilson"

    def as_json(self) -> dict[str, Any]:
        """The fields as plain values."""
        return asdict(self)


def wilson(hits: float, n: int, *, confidence: float = CONFIDENCE) -> Share:
    """The share of `hits` in `n` independent trials, in percent."""
    if n == 0:
        return Share(confidence=confidence)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = hits / n
    centre = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    reach = z / (1 + z**2 / n) * math.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    # the ends are exact where rounding would put them a hair beside
    low = 0.0 if hits == 0 else 100 * (centre - reach)
    high = 100.0 if hits == n else 100 * (centre + reach)
    return Share(100 * share, low, high, float(hits), n, confidence)


def percentage_agreement(values: Values, *, confidence: float = CONFIDENCE) -> Share:
    """The mean over units of the share of pairs of coders who gave the same value.

    `values` are units by coders, None for a gap; units with fewer than two values do not count.
    The trials of the interval are the units, for the pairs of coders of one unit hang together.
    """
    hits, n = [], 0
    for row in values:
        given = [value for value in row if value is not None]
        if len(given) > 1:
            hits.append(_agreeing_pairs(given) / math.comb(len(given), 2))
            n += 1
    return wilson(math.fsum(hits), n, confidence=confidence)


def _agreeing_pairs(given: list[Hashable]) -> int:
    return sum(math.comb(count, 2) for count in Counter(given).values())


def jaccard_distance(first: frozenset[str], second: frozenset[str]) -> float:
    """1 - |A ∩ B| / |A ∪ B|; two empty sets are 0 apart."""
    union = len(first | second)
    return 1 - len(first & second) / union if union else 0.0


def masi_distance(first: frozenset[str], second: frozenset[str]) -> float:
    """1 - J · M (Passonneau 2006): Jaccard's share J, weighed by how the sets lie to each other.

    M is 1 for equal sets, 2/3 where one holds the other, 1/3 where they overlap, 0 where they share
    nothing. Two empty sets are 0 apart, an empty and another one 1.
    """
    shared = first & second
    if first == second:
        weight = 1.0
    elif not shared:
        weight = 0.0
    else:
        weight = 2 / 3 if shared in (first, second) else 1 / 3
    return 1 - (1 - jaccard_distance(first, second)) * weight
