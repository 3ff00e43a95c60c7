"""What every model says that is asked how alike two texts are: one protocol for all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["Similarities", "SimilarityScorer", "TextPair"]

TextPair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Similarities:
    """A similarity for each pair: (n,) float64, NaN where there is none.

    `codes` has "" for each pair, or why it has no value: ``too-long``, ``special-token``,
    ``no-tokens``, ``zero-vector`` (without a direction), ``no-number`` (the model wrote something
    else), ``out-of-range``.
    """

    values: NDArray[np.float64]
    codes: tuple[str, ...]


class SimilarityScorer(Protocol):
    """A model that says how alike two texts are.

    `scale` is what its values mean: ``cosine`` (-1 to 1) or ``stsb`` (0 to 5). `parameters` is the
    number of weights in its files; `name` and `revision` identify it in tables. `pooling` says how
    an encoder makes one vector of a text ("" for a model that writes a number).
    """

    name: str
    revision: str
    device: str
    scale: str
    pooling: str
    parameters: int

    def similarities(
        self, pairs: Sequence[TextPair], *, on_done: Callable[[int], None] | None = None
    ) -> Similarities:
        """The similarity of each pair, whatever the batches; `on_done` hears of texts computed."""
        ...
