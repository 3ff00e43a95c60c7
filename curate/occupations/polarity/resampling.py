"""Intervals of mean polarities when sentences are drawn anew, and with them the direction.

A draw counts sentence i c_i times. Its direction is Σ c_j (she_j - he_j); left out, a sentence goes
with all its copies. Only products of vectors are needed, so a draw costs no pass over the model:
w_i · (G - c_i d_i) = w_i · G - c_i w_i · d_i, and |G - c_i d_i|² likewise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from curate.occupations.polarity.values import MEASURES, all_vectors
from curate.occupations.polarity.vectors import TableVectors

__all__ = ["CONFIDENCE", "Intervals", "bounds", "mean_intervals"]

CONFIDENCE = 0.95

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Intervals:
    """The lower and upper bounds of a measure's means [2 + subjects]."""

    low: Floats
    high: Floats


def bounds(draws: Floats, *, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Percentile bounds of drawn values; NaN are left out, and without any value both are NaN.

    The bounds are drawn values as far from either end as the other, so that negated draws give
    exactly the negated bounds.
    """
    ordered = np.sort(draws[np.isfinite(draws)])
    if not len(ordered):
        return float("nan"), float("nan")
    place = int((1 - confidence) / 2 * len(ordered))
    return float(ordered[place]), float(ordered[len(ordered) - 1 - place])


def mean_intervals(
    vectors: TableVectors, *, direction: str = "left-out", resamples: int = 1000, seed: int = 0
) -> dict[str, Intervals]:
    """Percentile intervals, by measure, of the mean over sentences of every word's values."""
    n = len(vectors.sentences)
    draws = np.random.default_rng(seed).multinomial(n, np.full(n, 1 / n), size=resamples)
    space = _Draws(vectors.she - vectors.he, draws.T.astype(np.float64), direction == "left-out")
    midpoints = (vectors.he + vectors.she) / 2
    middle = (space.cosines(vectors.he) + space.cosines(vectors.she)) / 2
    ends: dict[str, list[tuple[float, float]]] = {measure: [] for measure in MEASURES}
    for word in all_vectors(vectors):
        raw = space.cosines(word)
        centred = space.cosines(word - midpoints)
        for measure, values in zip(MEASURES, (raw, raw - middle, centred), strict=True):
            ends[measure].append(bounds(space.means(values)))
    return {measure: _intervals(found) for measure, found in ends.items()}


def _intervals(found: Sequence[tuple[float, float]]) -> Intervals:
    low, high = np.array(found).T
    return Intervals(low, high)


class _Draws:
    """The directions of all draws; `counts` is [n, draws]."""

    def __init__(self, differences: Floats, counts: Floats, left_out: bool) -> None:
        self._differences, self._counts, self._left_out = differences, counts, left_out
        self._totals = (counts.T @ differences).T
        norms = (self._totals**2).sum(axis=0)[None, :]
        if left_out:
            own = (differences**2).sum(axis=1)[:, None]
            # where a draw is one sentence throughout, nothing is left to take a direction from
            nothing = counts >= counts.sum(axis=0)
            norms = norms - 2 * counts * (differences @ self._totals) + counts**2 * own
            norms[nothing] = 0.0
        self._norms = np.sqrt(np.maximum(norms, 0.0))

    def cosines(self, vectors: Floats) -> Floats:
        """Cosines [n, draws] of vectors [n, size] with each draw's direction for its sentence."""
        products = vectors @ self._totals
        if self._left_out:
            own = (vectors * self._differences).sum(axis=1)[:, None]
            products = products - self._counts * own
        norms = np.linalg.norm(vectors, axis=1)[:, None] * self._norms
        found: Floats = np.divide(
            products, norms, out=np.full_like(products, np.nan), where=norms > 0
        )
        return found

    def means(self, values: Floats) -> Floats:
        """The mean of each draw over the sentences that it holds and that have a value."""
        weights = np.where(np.isfinite(values), self._counts, 0.0)
        sums, total = (weights * np.nan_to_num(values)).sum(axis=0), weights.sum(axis=0)
        found: Floats = np.divide(sums, total, out=np.full_like(sums, np.nan), where=total > 0)
        return found
