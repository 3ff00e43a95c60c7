"""Directions that have nothing to do with he and she, to hold the direction of gender against.

Along any direction at all some words lie far out, and over many sentences surely so: a small p says
that a place is no accident of the sentences, not that gender put it there. A placebo is the
direction from one occupation to another in the place of that from he to she; the middle that words
are seen from stays that of he and she. A word that lies no farther out along the direction of
gender than along those between other occupations shows nothing of its own. The comparison is
strict, for what sets occupations apart is what these directions are made of.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from curate.occupations.polarity.direction import directions
from curate.occupations.polarity.vectors import TableVectors

__all__ = ["PLACEBOS", "Placebo", "placebo_reach"]

PLACEBOS = 200
"""Pairs of occupations drawn, where there are more."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Placebo:
    """`p` [subjects]: the share of directions along which a word's mean lies as far out as along
    that of gender, itself counted; None where there is no placebo. `n` of them were tried.
    """

    p: list[float | None]
    n: int


def placebo_reach(
    vectors: TableVectors, centred: Floats, *, direction: str = "left-out", seed: int = 0
) -> Placebo:
    """Hold the mean `centred` polarities [subjects] of a table against placebos.

    A pair is of two different occupations in the same form (from a masculine form to a feminine one
    gender would be the direction again), in sentences that have both.
    """
    occupations = np.array([one.occupation for one in vectors.subjects])
    places = _Places(vectors.words - ((vectors.he + vectors.she) / 2))
    pairs = _pairs(vectors, seed)
    reached, counted = np.ones(len(occupations)), np.zeros(len(occupations), dtype=np.int64)
    for pair in pairs:
        first, second = (vectors.words[at] for at in pair)
        both = np.isfinite(first).all(axis=1) & np.isfinite(second).all(axis=1)
        if both.sum() < 2:
            continue
        own = np.full_like(first, np.nan)
        own[both] = directions(first[both], second[both], direction=direction)
        means = places.means(own)
        known = np.isfinite(means) & ~np.isin(occupations, occupations[list(pair)])
        reached += known & (np.abs(means) >= np.abs(centred))
        counted += known
    p = [
        float(r / (c + 1)) if c and np.isfinite(v) else None
        for r, c, v in zip(reached, counted, centred, strict=True)
    ]
    return Placebo(p, len(pairs))


def _pairs(vectors: TableVectors, seed: int) -> list[tuple[int, int]]:
    """Pairs of subjects, in their order; drawn where there are many."""
    subjects = vectors.subjects
    pairs = [
        (a, b)
        for a, b in combinations(range(len(subjects)), 2)
        if subjects[a].occupation != subjects[b].occupation and subjects[a].form == subjects[b].form
    ]
    if len(pairs) <= PLACEBOS:
        return pairs
    drawn = np.random.default_rng(seed).choice(len(pairs), size=PLACEBOS, replace=False)
    return [pairs[at] for at in sorted(drawn)]


class _Places:
    """Vectors [subjects, n, size], held against many directions."""

    def __init__(self, vectors: Floats) -> None:
        self._vectors = np.ascontiguousarray(vectors.transpose(1, 0, 2))
        self._norms = np.linalg.norm(self._vectors, axis=2)

    def means(self, own: Floats) -> Floats:
        """The mean cosine [subjects] with directions [n, size], over what is known of both."""
        products = np.matmul(self._vectors, own[:, :, None])[:, :, 0]
        norms = self._norms * np.linalg.norm(own, axis=1)[:, None]
        known = np.isfinite(products) & (norms > 0)
        values = np.divide(products, norms, out=np.zeros_like(products), where=known)
        sums, total = values.sum(axis=0), known.sum(axis=0)
        found: Floats = np.divide(sums, total, out=np.full_like(sums, np.nan), where=total > 0)
        return found
