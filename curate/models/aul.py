"""All-unmasked likelihood (Kaneko and Bollegala 2022), as Yu et al. 2024 use it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from curate.models.batching import distinct, equal_length_batches
from curate.models.encoding import Body
from curate.models.loading import Network
from curate.models.logits import entry_logp, normalised
from curate.models.reading import padded

__all__ = ["AulScore", "all_unmasked_likelihood"]

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class AulScore:
    """How likely a model finds a text when it sees all of it.

    `mean_logp`: AUL(S) = mean over the tokens of ln P(w_i | S), nothing masked, [CLS] and [SEP]
    left out of the mean. (Equation 1 of Yu et al. prints the condition S \\ w_i; their code and
    its source keep the sentence whole, and so do we.) `aula`: mean over the tokens of
    α_i · ln P(w_i | S), α_i the attention to token i averaged over layers, heads and queries;
    None unless asked for. `n_tokens`: tokens that count. `embedding`: the mean over these tokens
    of the last hidden layer, [size] float32; None unless asked for. `refused`: ``too-long``,
    ``special-token`` or ``no-tokens``, and then there are no scores.
    """

    mean_logp: float | None
    aula: float | None
    n_tokens: int
    refused: str | None = None
    embedding: NDArray[np.float32] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class _Batch:
    """Of rows of one length: ln p of every token, the attention it receives, its hidden state."""

    logp: Vector
    attention: Vector | None
    hidden: NDArray[np.float32] | None


def all_unmasked_likelihood(
    network: Network,
    bodies: Sequence[Body | str],
    *,
    attention: bool,
    embedding: bool,
    budget: int,
) -> list[AulScore]:
    """The scores of texts encoded by `Encoder.bodies`, in order; equal ones are computed once."""
    scores = [AulScore(None, None, 0, body if isinstance(body, str) else None) for body in bodies]
    whole = {i: body for i, body in enumerate(bodies) if isinstance(body, Body)}
    places = list(whole)
    firsts, inverse = distinct([whole[place].ids for place in places])
    chosen = [whole[places[first]] for first in firsts]
    found: dict[int, AulScore] = {}

    def read(rows: Sequence[int]) -> list[AulScore]:
        ids = [chosen[row].ids for row in rows]
        batch = _read(network, ids, attention=attention, hidden=embedding)
        own = [np.array(chosen[row].own, dtype=np.int64) for row in rows]
        return [_score(batch, at, places) for at, places in enumerate(own)]

    lengths = [len(body.ids) for body in chosen]
    for rows in equal_length_batches(lengths, budget=budget):
        answers = network.memory.run(read, rows, length=lengths[rows[0]])
        found |= dict(zip(rows, answers, strict=True))
    for place, first in zip(places, inverse, strict=True):
        scores[place] = found[first]
    return scores


def _score(batch: _Batch, row: int, own: NDArray[np.int64]) -> AulScore:
    if not len(own):
        return AulScore(None, None, 0, "no-tokens")
    logp = batch.logp[row, own]
    weights, hidden = batch.attention, batch.hidden
    return AulScore(
        float(np.mean(logp)),
        None if weights is None else float(np.mean(weights[row, own] * logp)),
        len(own),
        embedding=None if hidden is None else hidden[row, own].mean(0, dtype=np.float32),
    )


def _read(
    network: Network, rows: Sequence[Sequence[int]], *, attention: bool, hidden: bool
) -> _Batch:
    import torch

    count, length = len(rows), len(rows[0])
    with torch.inference_mode():
        ids = padded(network, rows)
        if network.head is None:
            output = network.model(
                input_ids=ids, output_attentions=attention, output_hidden_states=hidden
            )
            flat = torch.arange(count * length, device=ids.device)
            logits = normalised(output.logits[:count].flatten(0, 1))
            own = logits.logp(flat, ids[:count].flatten())
            last = output.hidden_states[-1] if hidden else None
            attentions = output.attentions
        else:
            last, attentions = network.hidden(ids, attention=attention)
            own = entry_logp(network, last[:count].flatten(0, 1), ids[:count].flatten())
        weights = None
        if attention:  # [layers][rows, heads, queries, keys] -> [rows, keys]
            mean = torch.stack([layer.float().mean((1, 2)) for layer in attentions]).mean(0)
            weights = mean[:count].cpu().double().numpy()
        states = last[:count].float().cpu().numpy() if hidden and last is not None else None
    return _Batch(own.reshape(count, length), weights, states)
