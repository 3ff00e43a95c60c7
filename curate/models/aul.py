"""All-unmasked likelihood (Kaneko and Bollegala 2022), as Yu et al. 2024 use it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curate.models.batching import distinct, equal_length_batches
from curate.models.encoding import Body, Encoder
from curate.models.loading import Network
from curate.models.reading import log_probabilities, padded

__all__ = ["AulScore", "all_unmasked_likelihood"]

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class AulScore:
    """How likely a model finds a text when it sees all of it.

    `mean_logp`: AUL(S) = mean over the tokens of ln P(w_i | S), nothing masked, [CLS] and [SEP]
    left out of the mean. (Equation 1 of Yu et al. prints the condition S \\ w_i; their code and
    its source keep the sentence whole, and so do we.) `aula`: mean over the tokens of
    α_i · ln P(w_i | S), α_i the attention to token i averaged over layers, heads and queries;
    None unless asked for. `n_tokens`: tokens that count. `refused`: ``too-long``,
    ``special-token`` or ``no-tokens``, and then both scores are None.
    """

    mean_logp: float | None
    aula: float | None
    n_tokens: int
    refused: str | None = None


def all_unmasked_likelihood(
    network: Network, encoder: Encoder, texts: Sequence[str], *, attention: bool, budget: int
) -> list[AulScore]:
    """The scores of `texts`, in order; equal texts are computed once."""
    firsts, inverse = distinct(texts)
    scores = _distinct_scores(
        network, encoder.bodies([texts[i] for i in firsts]), attention=attention, budget=budget
    )
    return [scores[place] for place in inverse]


def _distinct_scores(
    network: Network, bodies: Sequence[Body | str], *, attention: bool, budget: int
) -> list[AulScore]:
    scores = [AulScore(None, None, 0, body if isinstance(body, str) else None) for body in bodies]
    places = [i for i, body in enumerate(bodies) if isinstance(body, Body)]
    whole = [body for body in bodies if isinstance(body, Body)]
    for rows in equal_length_batches([len(body.ids) for body in whole], budget=budget):
        batch = [whole[row] for row in rows]
        logps, weights = _read(network, batch, attention=attention)
        for row, body, logp, weight in zip(rows, batch, logps, weights, strict=True):
            own = np.array(body.own)
            aula = float(np.mean(weight[own] * logp[own])) if attention else None
            scores[places[row]] = AulScore(float(np.mean(logp[own])), aula, len(own))
    return scores


def _read(
    network: Network, batch: Sequence[Body], *, attention: bool
) -> tuple[Sequence[Vector], Sequence[Vector]]:
    """ln p of every token, and the attention it receives: [rows, length] each."""
    import torch

    count, length = len(batch), len(batch[0].ids)
    with torch.inference_mode():
        ids = padded(network, [body.ids for body in batch])
        if network.head is None:
            output = network.model(input_ids=ids, output_attentions=attention)
            logp = output.logits.float().log_softmax(-1)
            own = logp.gather(2, ids[..., None]).squeeze(2)[:count]
            attentions = output.attentions
        else:
            hidden, attentions = network.hidden(ids, attention=attention)
            own = _own_entries(network, hidden[:count], ids[:count])
        logps = own.double().cpu().numpy().reshape(count, length)
        if not attention:
            return logps, logps
        # [layers][rows, heads, queries, keys] -> [rows, keys]
        weights = torch.stack([layer.float().mean((1, 2)) for layer in attentions]).mean(0)
    return logps, weights[:count].double().cpu().numpy()


def _own_entries(network: Network, hidden: Any, ids: Any) -> Any:
    """ln p of each position's own token, [rows * length]."""
    import torch

    flat = ids.reshape(-1)
    parts = []
    at = 0
    for logp in log_probabilities(network, hidden.reshape(len(flat), -1)):
        entries = flat[at : at + len(logp)]
        parts.append(logp.gather(1, entries[:, None]).squeeze(1))
        at += len(logp)
    return torch.cat(parts)
