"""Representations of words in a model: the mean of its last hidden state over the word's tokens."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from curate.models.aul import all_unmasked_likelihood
from curate.models.encoding import Encoder
from curate.models.loading import load_network

__all__ = ["represent_words"]

Floats = NDArray[np.float64]
_BUDGET = 4_096  # tokens of a batch


def represent_words(
    words: Sequence[str], *, model: str, device: str = "auto"
) -> tuple[list[str], Floats]:
    """The words that the model can write, and their (words, size) representations.

    Every word stands alone between the model's own marks of a text; `model` is a masked one.
    """
    network = load_network(model, device=device, task="masked")
    encoder = Encoder(network.tokenizer, max_length=network.max_length)
    scores = all_unmasked_likelihood(
        network, encoder.bodies(words), attention=False, embedding=True, budget=_BUDGET
    )
    kept = [
        (word, score.embedding)
        for word, score in zip(words, scores, strict=True)
        if score.embedding is not None
    ]
    vectors = [np.asarray(vector, dtype=np.float64) for _, vector in kept]
    return [word for word, _ in kept], np.stack(vectors) if vectors else np.zeros((0, 0))
