"""How many pairs an interval of a wanted width needs, and how wide it is at so many pairs.

Widths are half-widths: 5 means that the interval reaches 5 to either side. For shares it is
Wilson's interval (Wilson 1927), which is good for small n and for shares near 0 or 100; for means
the normal one. The pairs are taken to be independent and in one fold.
"""

from __future__ import annotations

import math
from bisect import bisect_left

from curate.scoring.estimate import CONFIDENCE

__all__ = ["mean_half_width", "pairs_for_mean", "pairs_for_share", "share_half_width"]

_MOST_PAIRS = 10**15


def share_half_width(n: int, *, share: float = 50.0, confidence: float = CONFIDENCE) -> float:
    """Half the width, in points, of Wilson's interval for a share (percent) of n >= 1 pairs."""
    z, p = _quantile(confidence), share / 100
    return 100 * z * math.sqrt(p * (1 - p) * n + z * z / 4) / (n + z * z)


def pairs_for_share(
    half_width: float, *, share: float = 50.0, confidence: float = CONFIDENCE
) -> int:
    """The smallest number of pairs at which the half-width is at most `half_width` (> 0) points.

    The width falls with n whatever the share, so the search by halves finds the smallest.
    """

    def narrow(n: int) -> bool:
        return share_half_width(n, share=share, confidence=confidence) <= half_width

    return 1 + bisect_left(range(1, _MOST_PAIRS), True, key=narrow)


def mean_half_width(n: int, *, deviation: float, confidence: float = CONFIDENCE) -> float:
    """Half the width of the interval of a mean of n >= 1 pairs: z · s / √n.

    `deviation` is the standard deviation of the pairs' differences, in the metric's unit.
    """
    return _quantile(confidence) * deviation / math.sqrt(n)


def pairs_for_mean(half_width: float, *, deviation: float, confidence: float = CONFIDENCE) -> int:
    """The smallest number of pairs at which the half-width is at most `half_width` (> 0)."""
    return max(1, math.ceil((_quantile(confidence) * deviation / half_width) ** 2))


def _quantile(confidence: float) -> float:
    from scipy import special

    return float(special.ndtri((1 + confidence) / 2))
