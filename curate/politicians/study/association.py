"""Is a word more often beside people of one gender? A test over people, word by word.

If gender had nothing to do with the word, the genders of the people could be dealt anew at random.
Where a word has one weight beside all its holders, the number of them that falls to the first
gender is then hypergeometric, so Fisher's exact test is the permutation test with all permutations
made. Where its weights differ (several models, probabilities), see
`curate.politicians.study.permutation`. p is always doubled from the smaller tail.

People should have the same number of words each, as they have in a table of the top words.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from curate.politicians.study.counts import WordUse
from curate.politicians.study.permutation import tails

__all__ = ["APPROXIMATE", "COUNTED", "FISHER", "Association", "association"]

FISHER = "Fisher"
COUNTED = "permutation, exact"
APPROXIMATE = "permutation, approximate"

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Association:
    """Two-sided p of (words,), and by which test: `FISHER`, `COUNTED` or `APPROXIMATE`."""

    p: Floats
    test: tuple[str, ...]


def association(use: WordUse) -> Association:
    """Tests of every word over the people of exactly two genders."""
    columns = use.weights.tocsc()
    columns.eliminate_zeros()
    first, second = (int(count) for count in use.people_counts)
    # the smaller gender is dealt, so that exchanging the genders changes nothing
    dealt, size = (0, first) if first <= second else (1, second)
    in_it = use.gender_of == dealt
    p = _fisher(use.holders, first, second)
    test = [FISHER] * len(use.words)
    for at in range(len(use.words)):
        part = slice(columns.indptr[at], columns.indptr[at + 1])
        weights = columns.data[part].astype(np.float64)
        if not len(weights) or weights.min() == weights.max():
            continue
        found = tails(weights, in_it[columns.indices[part]], people=first + second, size=size)
        p[at] = min(1.0, 2 * min(found.lower, found.upper))
        test[at] = COUNTED if found.exact else APPROXIMATE
    return Association(p, tuple(test))


def _fisher(holders: NDArray[np.int64], first: int, second: int) -> Floats:
    """p of (words, 2) numbers of holders."""
    from scipy import stats

    dealt = stats.hypergeom(first + second, holders.sum(axis=1), first)
    smaller = np.minimum(dealt.cdf(holders[:, 0]), dealt.sf(holders[:, 0] - 1))
    p: Floats = np.minimum(1.0, 2 * smaller)
    return p
