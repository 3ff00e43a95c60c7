"""Read a masked LM's distribution at chosen positions: each distinct context computed once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from curate.models.batching import TOKEN_BUDGET, distinct, equal_length_batches
from curate.models.loading import Network
from curate.models.logits import LEAST_ROWS, Logits, logit_blocks, normalised

__all__ = ["Answer", "Question", "answer_rows", "at_places", "padded", "read_positions"]


class _Asks(Protocol):
    @property
    def ids(self) -> tuple[int, ...]: ...


Asked = TypeVar("Asked", bound=_Asks)
Answered = TypeVar("Answered")


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
    """Answers in the order of the questions, whatever the batches (see `equal_length_batches`).

    Questions about one context are answered by one pass over it, at however many positions.
    `on_done` hears how many different contexts are read.
    """
    answers: list[Answer | None] = [None] * len(questions)
    for rows in answer_rows(
        network,
        questions,
        same=lambda question: question.ids,
        read=lambda rows: _read_batch(network, rows, k),
        budget=budget,
    ):
        for own in rows:
            for index, answer in own:
                answers[index] = answer
        if on_done:
            on_done(len(rows))
    return [answer for answer in answers if answer is not None]


def answer_rows(
    network: Network,
    questions: Sequence[Asked],
    *,
    same: Callable[[Asked], Hashable],
    read: Callable[[Sequence[Sequence[Asked]]], list[list[Answered]]],
    budget: int,
) -> Iterator[list[list[tuple[int, Answered]]]]:
    """A batch at a time, for each of its rows (index of a question, its answer).

    Questions that are the `same` share a row, and so are computed once; `read` gets the questions
    of every row of a batch. Raises `InputError` where memory does not suffice for one row.
    """
    firsts, inverse = distinct([same(question) for question in questions])
    asking: list[list[int]] = [[] for _ in firsts]
    for index, row in enumerate(inverse):
        asking[row].append(index)
    lengths = [len(questions[index].ids) for index in firsts]

    def read_rows(rows: Sequence[int]) -> list[list[Answered]]:
        return read([[questions[index] for index in asking[row]] for row in rows])

    for rows in equal_length_batches(lengths, budget=budget):
        found = network.memory.run(read_rows, rows, length=lengths[rows[0]])
        yield [
            list(zip(asking[row], answers, strict=True))
            for row, answers in zip(rows, found, strict=True)
        ]


def _read_batch(network: Network, rows: Sequence[Sequence[Question]], k: int) -> list[list[Answer]]:
    """The answers to each row's questions, which share their ids."""
    asked = [
        (row, place)
        for row, questions in enumerate(rows)
        for place in dict.fromkeys(question.at for question in questions)
    ]
    own: dict[tuple[int, int], list[tuple[int, Question]]] = {key: [] for key in asked}
    for row, questions in enumerate(rows):
        for number, question in enumerate(questions):
            own[row, question.at].append((number, question))
    found: list[dict[int, Answer]] = [{} for _ in rows]
    waiting = iter(asked)
    ids, numbers = [questions[0].ids for questions in rows], [row for row, _ in asked]
    for block in at_places(network, ids, numbers, [place for _, place in asked]):
        best, entries = block.values.topk(min(k, block.values.shape[-1]), dim=-1)
        tops, values = entries.cpu().numpy(), best.cpu().double().numpy()
        table, sums = block.values.cpu().numpy(), block.normaliser
        for at in range(len(block)):
            key = next(waiting)
            for number, question in own[key]:
                wanted = table[at, question.wanted].astype(np.float64) - sums[at]
                found[key[0]][number] = Answer(tops[at], values[at] - sums[at], wanted)
    return [[answers[number] for number in range(len(answers))] for answers in found]


def at_places(
    network: Network, ids: Sequence[Sequence[int]], rows: Sequence[int], places: Sequence[int]
) -> Iterator[Logits]:
    """The logits at (row, place) of a batch of equal length, in blocks.

    The head runs at these positions only, where it is known.
    """
    import torch

    with torch.inference_mode():
        tokens = padded(network, ids)
        flat = torch.tensor(rows, device=network.device) * len(ids[0])
        flat += torch.tensor(places, device=network.device)
        if network.head is None:
            logits = network.model(input_ids=tokens).logits
            yield normalised(logits.flatten(0, 1)[flat])
            return
        yield from logit_blocks(network, _hidden_at(network, tokens, flat))


def _hidden_at(network: Network, tokens: Any, flat: Any) -> Any:
    """The hidden states at flat positions, of which at least so many are computed at once."""
    count = len(flat)
    if count < LEAST_ROWS:
        flat = flat.repeat(-(-LEAST_ROWS // count))
    return network.hidden_at(tokens, flat)[:count]


def padded(network: Network, rows: Sequence[Sequence[int]]) -> Any:
    """The rows as a tensor [n, length], the first repeated until the products are large enough."""
    import torch

    missing = -(-LEAST_ROWS // len(rows[0])) - len(rows)
    filler = [rows[0]] * max(0, missing)
    return torch.tensor([*rows, *filler], device=network.device)
