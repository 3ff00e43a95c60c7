"""Polarity by sentence: where a word lies between he and she, in three measures.

`polarity`      b = cos(w, g), the paper's equation 3. Its 0 is not halfway: all vectors of a
                language model share a part (they lie in a cone), and g need not be square to it.
`from_midpoint` b less the middle of the b of he and of she in the same sentence: 0 is halfway.
`centred`       cos(w - m, g) with m halfway between the vectors of he and she in the same
                sentence: the direction then starts at m, and he and she are each other's mirror.

w, he and she are of one sentence; g is as `direction.directions` says. Exchanging he and she turns
the sign of every value and exchanges those of he and she.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from curate.occupations.polarity.direction import cosines, directions
from curate.occupations.polarity.vectors import TableVectors

__all__ = ["MEASURES", "TESTED", "Values", "all_vectors", "polarity_values"]

MEASURES = ("polarity", "from_midpoint", "centred")
TESTED = ("from_midpoint", "centred")
"""The measures whose 0 means halfway between he and she."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Values:
    """Each measure [2 + subjects, n]: he, she, then the subjects; NaN where there is no vector."""

    polarity: Floats
    from_midpoint: Floats
    centred: Floats

    def of(self, measure: str) -> Floats:
        found: Floats = getattr(self, measure)
        return found


def all_vectors(vectors: TableVectors) -> Floats:
    """[2 + subjects, n, size]: he, she, then the subjects."""
    return np.concatenate([vectors.he[None], vectors.she[None], vectors.words])


def polarity_values(vectors: TableVectors, *, direction: str = "left-out") -> Values:
    """The three measures of every word and sentence."""
    own = directions(vectors.he, vectors.she, direction=direction)
    words = all_vectors(vectors)
    polarity = cosines(words, own[None])
    middle = (polarity[0] + polarity[1]) / 2
    midpoints = (vectors.he + vectors.she) / 2
    return Values(polarity, polarity - middle, cosines(words - midpoints, own[None]))
