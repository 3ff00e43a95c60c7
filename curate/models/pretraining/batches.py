"""Batches of similar length, drawn without end from weighted sources."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["IGNORED", "Batches", "Draw"]

IGNORED = -100
POOL = 4096

Ints = NDArray[np.int64]


class Draw(Protocol):
    """What decides a batch, apart from the text."""

    @property
    def seed(self) -> int: ...
    @property
    def batch_tokens(self) -> int: ...
    @property
    def mask_rate(self) -> float: ...


class Batches:
    """The batch at a step depends on the sources, the seed and the step only.

    A resumed run so goes on with the batches that an undisturbed one would have seen. `arrays` are
    (token ids, offsets) of each source, `weights` the shares in which they are drawn.
    """

    def __init__(
        self, arrays: Sequence[tuple[Any, Any]], weights: Sequence[float], config: Draw
    ) -> None:
        self._arrays = arrays
        self._config = config
        total = sum(weights)
        self._shares = [weight / total for weight in weights]
        self._lengths = [np.diff(offsets) for _, offsets in arrays]
        self._counts = np.array([len(lengths) for lengths in self._lengths])

    def at(
        self, step: int, mask_id: int, vocabulary: int, n_special: int
    ) -> tuple[Ints, Ints, Ints]:
        """(input ids, attention mask, labels), each [batch, length]; labels -100 off the masks."""
        rng = np.random.default_rng([self._config.seed, step])
        sources, rows, lengths, chosen = self._draw(rng)
        ids = np.zeros((len(chosen), int(lengths[chosen].max())), dtype=np.int64)
        for place, index in enumerate(chosen):
            flat, offsets = self._arrays[sources[index]]
            begin = offsets[rows[index]]
            ids[place, : lengths[index]] = flat[begin : begin + lengths[index]]
        return self._masked(ids, rng, mask_id, vocabulary, n_special)

    def tokens(self, step: int) -> int:
        """How many tokens the batch at `step` holds, special ones included."""
        _, _, lengths, chosen = self._draw(np.random.default_rng([self._config.seed, step]))
        return int(lengths[chosen].sum())

    def _draw(self, rng: np.random.Generator) -> tuple[Ints, Ints, Ints, Ints]:
        """(source, row and length of a pool of sentences, those of it that make the batch)."""
        sources = rng.choice(len(self._arrays), size=POOL, p=self._shares)
        rows = (rng.random(POOL) * self._counts[sources]).astype(np.int64)
        lengths = np.array([self._lengths[s][r] for s, r in zip(sources, rows, strict=True)])
        order = np.argsort(lengths, kind="stable")
        return sources, rows, lengths, order[self._window(lengths[order], int(rng.integers(POOL)))]

    def _window(self, lengths: Ints, middle: int) -> slice:
        """The run of sorted rows around `middle` that fills the token budget."""
        budget = self._config.batch_tokens
        start, end = middle, middle + 1
        while True:
            if end < len(lengths) and (end - start + 1) * int(lengths[end]) <= budget:
                end += 1
            elif start > 0 and (end - start + 1) * int(lengths[end - 1]) <= budget:
                start -= 1
            else:
                return slice(start, end)

    def _masked(
        self, ids: Ints, rng: np.random.Generator, mask_id: int, vocabulary: int, n_special: int
    ) -> tuple[Ints, Ints, Ints]:
        """Of the chosen tokens 80 % become masks, 10 % another token, 10 % stay (BERT)."""
        attention = ids != 0
        chosen = (rng.random(ids.shape) < self._config.mask_rate) & (ids >= n_special)
        labels = np.where(chosen, ids, IGNORED)
        action = rng.random(ids.shape)
        inputs = np.where(chosen & (action < 0.8), mask_id, ids)
        noise = rng.integers(n_special, vocabulary, size=ids.shape)
        inputs = np.where(chosen & (action > 0.9), noise, inputs)
        return inputs, attention.astype(np.int64), labels
