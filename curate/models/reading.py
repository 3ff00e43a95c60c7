"""Read a masked LM's distribution at chosen positions: each distinct context computed once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curate.models.batching import TOKEN_BUDGET, distinct, equal_length_batches
from curate.models.loading import Network

__all__ = ["Answer", "Question", "log_probabilities", "padded", "read_positions"]

# below this many rows, matrix products take other kernels, whose last bits differ
_LEAST_ROWS = 16
_LOGITS_AT_ONCE = 16_000_000


@dataclass(frozen=True, slots=True)
class Question:
    """Token ids, the position to read, and the vocabulary entries whose probability is wanted."""

    ids: tuple[int, ...]
    at: int
    wanted: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Answer:
    """The `k` most probable entries, best first, and ln p of the wanted ones (float64)."""

    top: NDArray[np.int64]
    top_logp: NDArray[np.float64]
    wanted_logp: NDArray[np.float64]


def read_positions(
    network: Network,
    questions: Sequence[Question],
    *,
    k: int,
    budget: int = TOKEN_BUDGET,
    on_done: Callable[[int], None] | None = None,
) -> list[Answer]:
    """Answers in the order of the questions, whatever the batches (see `equal_length_batches`)."""
    import torch

    firsts, inverse = distinct([(question.ids, question.at) for question in questions])
    asking: list[list[int]] = [[] for _ in firsts]
    for index, place in enumerate(inverse):
        asking[place].append(index)
    answers: list[Answer | None] = [None] * len(questions)
    lengths = [len(questions[index].ids) for index in firsts]
    for rows in equal_length_batches(lengths, budget=budget):
        batch = [questions[firsts[row]] for row in rows]
        with torch.inference_mode():
            at = 0
            for logp in _at_masks(network, batch):
                best, entries = logp.topk(min(k, logp.shape[-1]), dim=-1)
                tops, values = entries.cpu().numpy(), best.double().cpu().numpy()
                table = logp.cpu().numpy()
                for place in range(len(table)):
                    for index in asking[rows[at + place]]:
                        wanted = table[place, questions[index].wanted].astype(np.float64)
                        answers[index] = Answer(tops[place], values[place], wanted)
                at += len(table)
        if on_done:
            on_done(len(batch))
    return [answer for answer in answers if answer is not None]


def padded(network: Network, rows: Sequence[Sequence[int]]) -> Any:
    """The rows as a tensor [n, length], the first repeated until the products are large enough."""
    import torch

    missing = -(-_LEAST_ROWS // len(rows[0])) - len(rows)
    filler = [rows[0]] * max(0, missing)
    return torch.tensor([*rows, *filler], device=network.device)


def log_probabilities(network: Network, hidden: Any) -> Iterator[Any]:
    """ln p over the vocabulary for hidden states [n, size], in blocks [m, vocabulary], float32."""
    assert network.head is not None
    step = max(_LEAST_ROWS, _LOGITS_AT_ONCE // int(network.model.config.vocab_size))
    for start in range(0, len(hidden), step):
        block = hidden[start : start + step]
        count = len(block)
        if count < _LEAST_ROWS:
            block = block.repeat(-(-_LEAST_ROWS // count), 1)
        yield network.head(block)[:count].float().log_softmax(-1)


def _at_masks(network: Network, batch: Sequence[Question]) -> Iterator[Any]:
    import torch

    ids = padded(network, [question.ids for question in batch])
    at = torch.tensor([question.at for question in batch], device=network.device)
    order = torch.arange(len(batch), device=network.device)
    if network.head is None:
        logits = network.model(input_ids=ids).logits[order, at]
        yield logits.float().log_softmax(-1)
        return
    hidden, _ = network.hidden(ids)
    yield from log_probabilities(network, hidden[order, at])
