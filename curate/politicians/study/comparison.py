"""Do two lists of words differ in what they hold? Unpaired permutation tests, and a correction.

The two-sided p is the share of the ways to deal all values into two lists of these sizes whose
difference of means is as large as the one observed (Good 2004): all ways where they are few, else
random ones, with the observed one added to them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from curate.politicians.study.extras import optional

__all__ = ["DEALS", "Contrast", "compare_means", "correct"]

DEALS = 99_999

_BATCH = 2_000_000  # values dealt at a time
_ROUNDING = 1e-9  # sums of the same values in another order differ by no more, in their own size

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Contrast:
    """Means of two lists, their difference with interval, and the p of the permutation test.

    The interval is that of the percentile bootstrap over the words of both lists. `deals` ways to
    deal were made, all of them where `exact`.
    """

    mean_first: float
    mean_second: float
    difference: float
    low: float
    high: float
    p: float
    n_first: int
    n_second: int
    deals: int
    exact: bool


def compare_means(
    first: Sequence[float] | Floats,
    second: Sequence[float] | Floats,
    *,
    deals: int = DEALS,
    draws: int = 9_999,
    seed: int = 0,
    confidence: float = 0.95,
) -> Contrast:
    """The unpaired permutation test of two lists of values; both need a value."""
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    p, made, exact = _permute(a, b, deals=deals, seed=seed)
    random = np.random.default_rng([seed, 1])
    drawn = _drawn_means(a, random, draws) - _drawn_means(b, random, draws)
    low, high = np.quantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2])
    difference = float(a.mean() - b.mean())
    return Contrast(
        float(a.mean()), float(b.mean()), difference, float(low), float(high),
        p, len(a), len(b), made, exact,
    )  # fmt: skip


def correct(p_values: Sequence[float]) -> list[float]:
    """p times the number of tests, at most 1 (Bonferroni), by statsmodels."""
    if not p_values:
        return []
    tests = optional("statsmodels.stats.multitest", package="statsmodels")
    corrected = tests.multipletests(list(p_values), method="bonferroni")[1]
    return [float(p) for p in corrected]


def _permute(a: Floats, b: Floats, *, deals: int, seed: int) -> tuple[float, int, bool]:
    values = np.concatenate([a, b])
    # centred values lose nothing, for the whole list's sum is the same in every deal
    values = values - values.mean()
    # the smaller list's sum tells the difference of means, whichever list it is
    size, total = min(len(a), len(b)), len(values)
    observed = abs(float((values[: len(a)] if size == len(a) else values[len(a) :]).sum()))
    least = observed - _ROUNDING * max(float(np.abs(values).sum()), 1e-300)
    ways = comb(total, size)
    if ways <= deals:
        sums = _all_sums(values, size, ways)
        return float((np.abs(sums) >= least).mean()), ways, True
    extreme = 0
    random = np.random.default_rng(seed)
    together = max(1, _BATCH // total)
    for start in range(0, deals, together):
        many = min(together, deals - start)
        dealt = random.random((many, total), dtype=np.float32)
        # the smallest of random keys are a random choice without replacement
        chosen = np.argpartition(dealt, size - 1, axis=1)[:, :size] if size < total else None
        sums = values[chosen].sum(axis=1) if chosen is not None else np.zeros(many)
        extreme += int((np.abs(sums) >= least).sum())
    return (extreme + 1) / (deals + 1), deals, False


def _all_sums(values: Floats, size: int, ways: int) -> Floats:
    places = np.fromiter(
        (place for chosen in combinations(range(len(values)), size) for place in chosen),
        dtype=np.int64,
        count=ways * size,
    )
    sums: Floats = values[places.reshape(ways, size)].sum(axis=1)
    return sums


def _drawn_means(values: Floats, random: np.random.Generator, draws: int) -> Floats:
    means: Floats = values[random.integers(0, len(values), (draws, len(values)))].mean(axis=1)
    return means
