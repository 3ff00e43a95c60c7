"""ln p of tokens behind masks: one masked at a time, with the rest of its word, or several at once.

A context is what the model sees. Contexts that are the same, whichever sentence and metric asks,
are computed once, and the vocabulary projection runs at the positions that are read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from curate.models.loading import Network
from curate.models.reading import answer_rows, at_places

__all__ = ["MaskedTokens", "TokenScores", "read_masked"]


@dataclass(frozen=True, slots=True)
class MaskedTokens:
    """Token ids with masks in place, the positions to read, and the entries that stood there."""

    ids: tuple[int, ...]
    places: tuple[int, ...]
    entries: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TokenScores:
    """At each place: ln p of the entry that stood there, and whether no other is more probable."""

    logp: NDArray[np.float64]
    best: NDArray[np.bool_]


def read_masked(
    network: Network,
    contexts: Sequence[MaskedTokens],
    *,
    budget: int,
    on_done: Callable[[int], None] | None = None,
) -> list[TokenScores]:
    """The scores of `contexts`, in order, whatever the batches; `on_done` hears contexts read.

    Raises `InputError` where memory does not suffice for one context.
    """
    scores: list[TokenScores | None] = [None] * len(contexts)
    for rows in answer_rows(
        network,
        contexts,
        same=lambda context: context.ids,
        read=lambda rows: _read_batch(network, rows),
        budget=budget,
    ):
        for own in rows:
            for index, answer in own:
                scores[index] = answer
        if on_done:
            on_done(sum(map(len, rows)))
    return [score for score in scores if score is not None]


def _read_batch(
    network: Network, rows: Sequence[Sequence[MaskedTokens]]
) -> list[list[TokenScores]]:
    """The answers to each row's questions, which share their ids; a position is projected once."""
    import torch

    asked = [context for row in rows for context in row]
    ids = [row[0].ids for row in rows]
    counts = np.array([len(context.places) for context in asked])
    row_of = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    places = np.array([place for context in asked for place in context.places], dtype=np.int64)
    entries = np.array([entry for context in asked for entry in context.entries], dtype=np.int64)
    flat = np.repeat(row_of, counts) * len(ids[0]) + places
    read, where = np.unique(flat, return_inverse=True)
    logp, best = np.empty(len(flat)), np.empty(len(flat), bool)
    at = 0
    read_rows, read_places = np.divmod(read, len(ids[0]))
    for block in at_places(network, ids, read_rows.tolist(), read_places.tolist()):
        mine = np.flatnonzero((where >= at) & (where < at + len(block)))
        local = torch.tensor(where[mine] - at, device=network.device)
        own = torch.tensor(entries[mine], device=network.device)
        logp[mine] = block.logp(local, own)
        best[mine] = (block.values[local, own] >= block.values.amax(-1)[local]).cpu().numpy()
        at += len(block)
    cuts = np.cumsum(counts)[:-1]
    scores = iter(zip(np.split(logp, cuts), np.split(best, cuts), strict=True))
    return [[TokenScores(*next(scores)) for _ in row] for row in rows]
