"""Krippendorff's alpha for answers with gaps, and its interval.

alpha = 1 - D_o / D_e: the disagreement observed between the values of one unit, over the one
expected if all values were dealt out to the units at random (Krippendorff 2019, chapter 12). A unit
with one value says nothing of agreement and is left out. Where only one category was ever used,
nothing could have disagreed: alpha is undefined then, and never 1.

The interval is the Bayesian bootstrap's (Rubin 1981): in a draw every unit has a random weight
instead of a whole number of copies. Two units are added to those that were seen, one that agrees
and one that disagrees, shared out over the categories. Without them a draw cannot hold what nobody
happened to see, and a rare answer that two people never gave together has an interval that is far
too narrow: at one answer in twenty, 200 units and no more agreement than by chance, that of the
percentile bootstrap holds 0 in 38 % of samples instead of 95, this one in 97 %.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from curate.annotation.reliability.patterns import (
    Distance,
    Floats,
    Patterns,
    Values,
    gather,
    with_two_more,
)

__all__ = [
    "BOOTSTRAP",
    "CONFIDENCE",
    "NO_PAIR",
    "ONE_CATEGORY",
    "SAMPLES",
    "Alpha",
    "Distance",
    "Values",
    "alpha_estimate",
    "krippendorff_alpha",
]

CONFIDENCE = 0.95
SAMPLES = 1_000
BOOTSTRAP = "Bayesian bootstrap over units, one agreeing and one disagreeing unit added"
NO_PAIR = "no unit has two values"
ONE_CATEGORY = "one category only: agreement cannot be told from chance"
_BATCH = 4_000_000  # draws times patterns or categories held at a time: about 32 MB


@dataclass(frozen=True, slots=True)
class Alpha:
    """Krippendorff's alpha (1: all agree, 0: as by chance) and what belongs to it.

    `units` have two values or more; `values`, `coders` and `categories` are those of these units.
    `note` says why the value is None.
    """

    value: float | None = None
    ci_low: float | None = None
    ci_high: float | None = None
    units: int = 0
    values: int = 0
    coders: int = 0
    categories: int = 0
    draws: int = 0
    seed: int = 0
    confidence: float = CONFIDENCE
    method: str = ""
    note: str = ""

    def as_json(self) -> dict[str, Any]:
        """The fields as plain values."""
        return asdict(self)


def krippendorff_alpha(values: Values, *, distance: Distance = "nominal") -> float:
    """Alpha of units by coders, None or NaN for a gap; NaN where it is undefined.

    Undefined: no unit has two values, or all values are one category.
    """
    patterns = gather(values, distance)
    return math.nan if patterns is None else _alpha(patterns)


def alpha_estimate(
    values: Values,
    *,
    distance: Distance = "nominal",
    samples: int = SAMPLES,
    seed: int = 0,
    confidence: float = CONFIDENCE,
) -> Alpha:
    """Alpha with its bootstrap interval over units, of `samples` draws.

    The interval always holds the value: where nobody disagrees its upper end is 1.
    """
    patterns = gather(values, distance)
    if patterns is None:
        return Alpha(seed=seed, confidence=confidence, note=NO_PAIR)
    about: dict[str, Any] = {
        "units": int(patterns.times.sum()),
        "values": int(patterns.sizes @ patterns.times),
        "coders": patterns.coders,
        "categories": patterns.counts.shape[1],
        "seed": seed,
        "confidence": confidence,
    }
    value = _alpha(patterns)
    if math.isnan(value):
        return Alpha(**about, note=ONE_CATEGORY)
    drawn = np.concatenate(list(_draws(patterns, samples, seed)))
    tail = 100 * (1 - confidence) / 2
    low, high = np.percentile(drawn, [tail, 100 - tail])
    return Alpha(
        value=value,
        ci_low=min(float(low), value),
        ci_high=max(float(high), value),
        draws=samples,
        method=BOOTSTRAP,
        **about,
    )


def _alpha(patterns: Patterns) -> float:
    return float(patterns.alphas(patterns.times[None, :])[0])


def _draws(patterns: Patterns, samples: int, seed: int) -> Iterator[Floats]:
    """Alphas of weighted units; a pattern's weight is that of all its units together."""
    random = np.random.default_rng(seed)
    whole = with_two_more(patterns)
    at_once = max(1, _BATCH // max(whole.counts.shape))
    for start in range(0, samples, at_once):
        shape = (min(at_once, samples - start), len(whole.times))
        weights = random.standard_gamma(whole.times, size=shape)
        weights *= whole.times.sum() / weights.sum(axis=1, keepdims=True)
        yield whole.alphas(weights)
