"""Is a word more often beside people of one gender? A test over people, word by word.

If gender had nothing to do with the word, the genders of the people could be dealt anew at random.
Where a word stands beside a person or not, the number of people of the first gender that it falls
to is then hypergeometric, so Fisher's exact test is the permutation test with all permutations
made. Where it has a weight (several models, probabilities), the mean and the variance of the sum
over all permutations are known, and the sum is taken for normal.

People should have the same number of words each, as they have in a table of the top words.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from curate.politicians.study.counts import WordUse

__all__ = ["association"]

Floats = NDArray[np.float64]


def association(use: WordUse) -> Floats:
    """Two-sided p for each of (words,), over the people of exactly two genders."""
    first, second = (int(count) for count in use.people_counts)
    if bool((use.weights.data == 1).all()):
        return _exact(use.counts, first, second)
    squares = use.weights.multiply(use.weights)
    square = np.asarray(squares.sum(axis=0), dtype=np.float64).ravel()
    return _normal(use.counts, square, first, second)


def _exact(counts: Floats, first: int, second: int) -> Floats:
    """Fisher's p, doubled from the smaller tail, so that exchanging the genders changes nothing."""
    from scipy import stats

    holders = counts.sum(axis=1)
    dealt = stats.hypergeom(first + second, holders, first)
    smaller = np.minimum(dealt.cdf(counts[:, 0]), dealt.sf(counts[:, 0] - 1))
    p: Floats = np.minimum(1.0, 2 * smaller)
    return p


def _normal(counts: Floats, squares: Floats, first: int, second: int) -> Floats:
    from scipy import stats

    people = first + second
    sums = counts.sum(axis=1)
    mean = sums / people
    variance = (squares - people * mean**2) / max(people - 1, 1)
    spread = np.sqrt(np.maximum(variance, 0.0) * first * second / people)
    away = np.abs(counts[:, 0] - first * mean)
    score = np.divide(away, spread, out=np.zeros_like(away), where=spread > 0)
    p: Floats = 2 * stats.norm.sf(score)
    return p
