"""The direction of gender in a space of vectors, and how steady it is over sentences.

Katsarou et al. (2022), section 3.2: g is the mean over sentences of she - he, each in the same
sentence. For a value of sentence i, g may be taken over the other sentences only (left out), so
that no sentence has a part in the direction that it is held against.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["DIRECTIONS", "Stability", "angles", "cosines", "directions", "stability"]

DIRECTIONS = ("left-out", "mean")

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Stability:
    """By sentence [n]: the Euclidean distance of she and he, the angle between them in radians.

    `cosine` is that of she - he with the mean over the other sentences, `cosine_mean` with the mean
    over all, its own among them.
    """

    distance: Floats
    angle: Floats
    cosine: Floats
    cosine_mean: Floats


def directions(he: Floats, she: Floats, *, direction: str = "left-out") -> Floats:
    """The direction for every sentence [n, size], from vectors of he and she [n, size].

    ``mean``: the same in every row, the mean of she - he; ``left-out``: the mean without the row's
    own sentence.
    """
    differences = she - he
    total = differences.sum(axis=0)
    if direction == "mean":
        return np.broadcast_to(total / len(differences), differences.shape)
    others: Floats = (total - differences) / (len(differences) - 1)
    return others


def cosines(vectors: Floats, others: Floats) -> Floats:
    """Cosines along the last axis; NaN where either vector is 0 (or NaN)."""
    products = (vectors * others).sum(axis=-1)
    norms = np.linalg.norm(vectors, axis=-1) * np.linalg.norm(others, axis=-1)
    found: Floats = np.divide(products, norms, out=np.full_like(products, np.nan), where=norms > 0)
    return found


def angles(vectors: Floats, others: Floats) -> Floats:
    """Angles along the last axis, in radians from 0 to pi; NaN where either vector is 0.

    By the half angle of the unit vectors (Kahan), which keeps its digits where the arc cosine loses
    them: for small angles.
    """
    norms = [np.linalg.norm(v, axis=-1, keepdims=True) for v in (vectors, others)]
    first, second = (
        np.divide(v, norm, out=np.full_like(v, np.nan), where=norm > 0)
        for v, norm in zip((vectors, others), norms, strict=True)
    )
    found: Floats = 2 * np.arctan2(
        np.linalg.norm(first - second, axis=-1), np.linalg.norm(first + second, axis=-1)
    )
    return found


def stability(he: Floats, she: Floats) -> Stability:
    """How far she lies from he in every sentence, and how alike the differences are."""
    differences = she - he
    return Stability(
        distance=np.linalg.norm(differences, axis=1),
        angle=angles(he, she),
        cosine=cosines(differences, directions(he, she)),
        cosine_mean=cosines(differences, directions(he, she, direction="mean")),
    )
