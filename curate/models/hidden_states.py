"""Vectors of words in their sentences: hidden states of a language model, at any of its layers.

    model = load_hidden("mini")
    found = model.words([WordInText("She is a doctor.", 0, 3)], layer=-1, pool="mean")

Every text is computed once, among texts of its own length and so without padding; results depend on
neither batches nor order but for rounding. The vector of a word of several tokens is the mean of
their states, the first or the last, as `pool` says. In a decoder a token sees only what stands
before it: a word that begins its sentence has one vector, whatever the sentence goes on to say.
There ``at="end"`` takes the last token of the text, which has seen all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from curate.errors import UsageError
from curate.models.batching import equal_length_batches, token_budget
from curate.models.hidden_loading import HiddenNetwork, Kind, load_hidden_network
from curate.models.hidden_words import Located, WordInText, locate_words
from curate.models.logits import LEAST_ROWS

__all__ = ["PLACES", "POOLS", "HiddenModel", "WordInText", "WordVectors", "load_hidden"]

POOLS = ("mean", "first", "last")
PLACES = ("word", "end")

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class WordVectors:
    """`vectors` [n, size], a row of NaN where a word was refused; `refused` the codes or None.

    `tokens` [n] are the tokens of each word, 0 where it was refused. `texts` counts the different
    texts that were computed.
    """

    vectors: Floats
    refused: list[str | None]
    tokens: NDArray[np.int64]
    texts: int


class HiddenModel:
    """A language model on a device; `layers` counts those behind the embeddings."""

    def __init__(self, network: HiddenNetwork, *, budget: int = 0) -> None:
        self._network = network
        self._budget = token_budget(budget, network.device)
        self.name = network.folder.name
        self.revision = network.folder.revision
        self.kind: Kind = network.kind
        self.layers = network.layers
        self.size = network.size
        self.device = network.device

    def layer_number(self, layer: int) -> int:
        """`layer` counted from the embeddings (0); -1 is the last, -2 the one before it.

        Raises `UsageError` for a layer that the model does not have.
        """
        number = layer + self.layers + 1 if layer < 0 else layer
        if not 0 <= number <= self.layers:
            raise UsageError(
                f"no layer {layer} in {self.name}, which has {self.layers}",
                hint=f"--layer 0 (embeddings) to {self.layers}, or from the end: -1 is the last",
            )
        return number

    def words(
        self,
        words: Sequence[WordInText],
        *,
        layer: int = -1,
        pool: str = "mean",
        at: str = "word",
        on_done: Callable[[int], None] | None = None,
    ) -> WordVectors:
        """The vector of each word, in order.

        `pool`: mean, first or last of the word's tokens; `at`: ``word``, or ``end`` for the last
        token of the text in the place of the word's own (special tokens do not count as such).
        `on_done` is told how many texts are computed. Raises `UsageError` for a layer, pooling or
        place that there is not; `InputError` where memory does not suffice for one text.
        """
        for what, given, known in (("pooling", pool, POOLS), ("place", at, PLACES)):
            if given not in known:
                raise UsageError(f"unknown {what} {given!r}", hint=f"one of {', '.join(known)}")
        number = self.layer_number(layer)
        found = locate_words(self._network.tokenizer, words, max_length=self._network.max_length)
        vectors = np.full((len(words), self.size), np.nan)
        tokens = np.zeros(len(words), dtype=np.int64)
        asking: dict[tuple[int, ...], list[int]] = {}
        for index, one in enumerate(found):
            if isinstance(one, Located):
                asking.setdefault(one.ids, []).append(index)
                tokens[index] = len(one.places)
        texts = list(asking)
        for rows in equal_length_batches([len(ids) for ids in texts], budget=self._budget):
            states = self._network.memory.run(
                lambda part: self._states([texts[row] for row in part], number),
                rows, length=len(texts[rows[0]]),
            )  # fmt: skip
            for row, state in zip(rows, states, strict=True):
                for index in asking[texts[row]]:
                    vectors[index] = _pooled(state, found[index], pool, at)
            if on_done:
                on_done(len(rows))
        refused = [one if isinstance(one, str) else None for one in found]
        return WordVectors(vectors, refused, tokens, len(texts))

    def _states(self, rows: Sequence[tuple[int, ...]], layer: int) -> list[Floats]:
        """The states [length, size] of each row; rows are of one length."""
        import torch

        # products of very few rows take other kernels: the first row stands in for more
        missing = max(0, -(-LEAST_ROWS // len(rows[0])) - len(rows))
        with torch.inference_mode():
            ids = torch.tensor([*rows, *[rows[0]] * missing], device=self._network.device)
            states = self._network.hidden(ids, layer)[: len(rows)]
            return list(states.cpu().double().numpy())


def _pooled(state: Floats, found: Located | str, pool: str, at: str) -> Floats:
    assert isinstance(found, Located)
    if at == "end":
        end: Floats = state[found.last]
        return end
    own = state[list(found.places)]
    pooled: Floats = {"first": own[0], "last": own[-1]}.get(pool, own.mean(axis=0))
    return pooled


def load_hidden(name: str, *, device: str = "auto", budget: int = 0) -> HiddenModel:
    """The model `name`: ``mini`` (embedded), a local folder, or a Hub id, in float32.

    `budget`: tokens a batch (0: what suits the device; results depend on it by rounding alone).
    Raises `InputError` at once for a missing model, one without hidden states of text, or one whose
    weights are not whole.
    """
    return HiddenModel(load_hidden_network(name, device=device), budget=budget)
