"""How a sum of weights is distributed when the genders of the people are dealt at random.

A word has a weight beside each of its holders, the people it stands beside, and none beside anyone
else. How many of the holders fall to one gender is hypergeometric; which of them, is chance alone.
Where they are few, all ways to choose are counted. Where they are many, the sum of a given number
of them is taken for normal, while their number stays hypergeometric: it is the number that makes
the tails of rare words and small genders long on one side, and a normal sum would not have them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

__all__ = ["Tails", "tails"]

_MOST_WORK = 5_000_000  # additions a word: a few milliseconds
_MOST_HOLDERS = 900  # more, and numbers of ways go beyond a float
_MOST_STEPS = 10_000
_FEWEST_STEPS = 100  # a weight of mean size, on the grid
_SPREADS = 20  # standard deviations; beyond them is a chance of 1e-80
_ROUNDING = 1e-9

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Tails:
    """Chances of a sum at most, and at least, as large as the observed; `exact`: all counted."""

    lower: float
    upper: float
    exact: bool


def tails(weights: Floats, inside: NDArray[np.bool_], *, people: int, size: int) -> Tails:
    """The tails of the sum over `size` of `people` people, of whom some hold (holders,) weights.

    `inside` tells which holders are among the observed `size`. Weights that are not whole are
    rounded to a fine grid where all ways are counted, which makes another sum of them, but leaves
    the test of it exact.
    """
    steps = _on_grid(weights, size) if len(weights) <= _MOST_HOLDERS else None
    if steps is not None:
        chance = _chances(tuple(np.sort(steps).tolist()), people, size)
        seen = int(steps[inside].sum())
        return Tails(float(chance[: seen + 1].sum()), float(chance[seen:].sum()), True)
    lower, upper = _normal_given_number(weights, inside, people, size)
    return Tails(lower, upper, False)


def _whole(weights: Floats) -> bool:
    return bool((weights == np.round(weights)).all())


def _on_grid(weights: Floats, size: int) -> Ints | None:
    """The weights in whole steps; None where a grid would be too coarse, or the work too much."""
    holders = len(weights)
    room = min(_MOST_STEPS, _MOST_WORK // (holders * (min(holders, size) + 1)) - 1)
    if _whole(weights) and weights.sum() <= room:
        return np.asarray(weights, dtype=np.int64)
    if room < _FEWEST_STEPS * holders:
        return None
    return np.asarray(np.round(weights * (room / weights.sum())), dtype=np.int64)


@lru_cache(maxsize=2048)  # rare words share what few weights they have
def _chances(steps: tuple[int, ...], people: int, size: int) -> Floats:
    """The chance of every sum from 0 to that of all steps."""
    from scipy import special, stats

    holders, total, most = len(steps), sum(steps), min(len(steps), size)
    ways = np.zeros((most + 1, total + 1))
    ways[0, 0] = 1
    for step in steps:
        ways[1:, step:] += ways[:-1, : total + 1 - step]
    number = np.arange(most + 1)
    each = stats.hypergeom(people, holders, size).pmf(number) / special.comb(holders, number)
    chance: Floats = each @ ways
    return chance


def _numbers(holders: int, seen: int, people: int, size: int) -> Ints:
    """The numbers of holders in the observed group whose chance could matter to either tail."""
    share = size / people
    spread = np.sqrt(holders * share * (1 - share) * (people - holders) / max(people - 1, 1))
    room = _SPREADS * spread + 1
    low = max(0, holders - (people - size), int(min(holders * share, seen) - room))
    high = min(holders, size, int(max(holders * share, seen) + room))
    return np.arange(low, high + 1)


def _normal_given_number(
    weights: Floats, inside: NDArray[np.bool_], people: int, size: int
) -> tuple[float, float]:
    from scipy import stats

    holders, seen = len(weights), float(weights[inside].sum())
    number = _numbers(holders, int(inside.sum()), people, size)
    chance = stats.hypergeom(people, holders, size).pmf(number)
    mean = number * weights.mean()
    spread = np.sqrt(number * (1 - number / holders) * weights.var(ddof=1))
    # sums of whole weights stand apart: half a step belongs to the observed one
    apart = np.diff(np.sort(weights).astype(np.int64)) if _whole(weights) else np.zeros(1, int)
    near = np.gcd.reduce(apart) / 2 + _ROUNDING * weights.sum()

    def score(edge: float) -> Floats:
        away = edge - mean
        certain = np.where(away < 0, -np.inf, np.inf)  # none or all of the holders: no spread
        scores: Floats = np.divide(away, spread, out=certain, where=spread > 0)
        return scores

    lower = float((chance * stats.norm.cdf(score(seen + near))).sum())
    upper = float((chance * stats.norm.sf(score(seen - near))).sum())
    return lower, upper
