"""Causal language models: how likely a text is, read from left to right.

    model = load_causal("folder-or-id")
    scores = model.perplexity(["He is a doctor.", "She is a doctor."])

The perplexity of a text is exp(-mean_logp). Results depend on neither batches nor order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from curate.models.batching import distinct, equal_length_batches, token_budget
from curate.models.loading import Network, load_network
from curate.models.logits import LOGITS_AT_ONCE, entry_logp, normalised
from curate.models.reading import padded
from curate.models.tokens import Encoded, Tokens, read_tokenizer

__all__ = ["CausalModel", "CausalScore", "load_causal", "text_opening"]


@dataclass(frozen=True, slots=True)
class CausalScore:
    """How likely a model finds a text whose tokens it meets one after the other.

    `mean_logp`: mean over the tokens that count of ln p(token | the tokens before it);
    `n_tokens`: how many count. `refused`: ``too-long``, ``special-token`` or ``no-tokens``, and
    then there is no mean.
    """

    mean_logp: float | None
    n_tokens: int
    refused: str | None = None


class CausalModel:
    """A causal LM on a device. `name` and `revision` (a hash) identify it in tables.

    `first_token_counted`: whether a text's first token has a probability, which takes a token that
    stands for the beginning of a text; without one (`False`) it is context only.
    """

    def __init__(self, network: Network, *, budget: int = 0, max_length: int = 0) -> None:
        self._network = network
        self._tokens = read_tokenizer(network.tokenizer)
        self._special = frozenset(network.tokenizer.all_special_ids) - {
            network.tokenizer.unk_token_id
        }
        self._budget = token_budget(budget, network.device)
        self._opening = text_opening(network, self._tokens)
        self._context = max(1, len(self._opening))  # tokens in front that do not count
        self.name = network.folder.name
        self.revision = network.folder.revision
        self.precision = network.precision
        self.device = network.device
        self.max_length = min(max_length or network.max_length, network.max_length)
        self.first_token_counted = bool(self._opening)

    def perplexity(
        self, texts: Sequence[str], *, on_done: Callable[[int], None] | None = None
    ) -> list[CausalScore]:
        """The scores of `texts`, in order; equal texts are computed once.

        Every token of the text itself counts, whatever the tokenizer puts behind it is left out.
        `on_done` is told how many texts are computed. Raises `InputError` where memory does not
        suffice for one text.
        """
        firsts, inverse = distinct(texts)
        encoded = self._tokens.encode([texts[i] for i in firsts])
        rows = [self._row(text) for text in encoded]
        scores = [CausalScore(None, 0, row if isinstance(row, str) else None) for row in rows]
        whole = {place: row for place, row in enumerate(rows) if not isinstance(row, str)}
        places = list(whole)
        lengths = [len(whole[place]) for place in places]
        for batch in equal_length_batches(lengths, budget=self._budget):
            chosen = [places[at] for at in batch]
            ids = [whole[place] for place in chosen]
            means = self._network.memory.run(self._means, ids, length=len(ids[0]))
            for place, mean in zip(chosen, means, strict=True):
                scores[place] = CausalScore(mean, len(whole[place]) - self._context)
            if on_done:
                on_done(len(chosen))
        return [scores[place] for place in inverse]

    def _row(self, text: Encoded) -> tuple[int, ...] | str:
        """The opening and the text's own ids, or the code of a refusal."""
        own = tuple(text.ids[place] for place in text.own)
        ids = self._opening + own
        if len(ids) <= self._context:
            return "no-tokens"
        if any(token in self._special for token in own):
            return "special-token"
        # the last token is predicted and never read
        return "too-long" if len(ids) - 1 > self.max_length else ids

    def _means(self, rows: Sequence[tuple[int, ...]]) -> list[float]:
        """Mean ln p of the tokens of each row that count; rows are of one length."""
        network = self._network
        own = np.array([row[1:] for row in rows])
        values = _own_logp(network, [row[:-1] for row in rows], own)
        return [float(np.mean(row[self._context - 1 :])) for row in values]


def text_opening(network: Network, tokens: Tokens) -> tuple[int, ...]:
    """The token ids before a text: the tokenizer's own, else the model's beginning of text."""
    encoded = tokens.encode(["a"])[0]
    own = encoded.ids[: encoded.own[0]] if encoded.own else ()
    # configurations carry their class's default, which a small vocabulary may not reach
    rows = int(network.model.get_input_embeddings().weight.shape[0])
    for begin in (network.tokenizer.bos_token_id, network.model.config.bos_token_id):
        if not own and isinstance(begin, int) and 0 <= begin < rows:
            own = (begin,)
    return own


def _own_logp(
    network: Network, rows: Sequence[Sequence[int]], wanted: NDArray[np.int64]
) -> NDArray[np.float64]:
    """ln p of the `wanted` tokens [rows, length], each given the ids of `rows` up to its place."""
    import torch

    with torch.inference_mode():
        ids = padded(network, rows)
        targets = torch.tensor(wanted, device=network.device)
        if network.head is not None:
            hidden, _ = network.hidden(ids)
            found = entry_logp(network, hidden[: len(rows)].flatten(0, 1), targets.flatten())
            return found.reshape(wanted.shape)
        vocabulary = int(network.model.config.vocab_size)
        step = max(1, LOGITS_AT_ONCE // (vocabulary * len(rows[0])))
        parts = []
        for start in range(0, len(rows), step):
            entries = targets[start : start + step]
            logits = network.model(input_ids=ids[start : start + step]).logits[: len(entries)]
            flat = torch.arange(entries.numel(), device=network.device)
            parts.append(normalised(logits.flatten(0, 1)).logp(flat, entries.flatten()))
    return np.concatenate(parts).reshape(wanted.shape)


def load_causal(
    name: str,
    *,
    precision: str = "fp32",
    device: str = "auto",
    budget: int = 0,
    max_length: int = 0,
) -> CausalModel:
    """The causal model `name`, a local folder or a Hub id; see `curate.models.loading`.

    `budget`: tokens a batch (0: what suits the device; no result depends on it); `max_length`:
    longer texts are refused (0: the model's own limit). Raises `InputError` at once for a missing
    model, one that is not causal, or one whose weights are not whole.
    """
    network = load_network(name, precision=precision, device=device, task="causal")
    return CausalModel(network, budget=budget, max_length=max_length)
