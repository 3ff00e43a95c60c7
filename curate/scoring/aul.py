"""AUL and AULA: how likely a whole sentence is to a masked model, with nothing masked.

AUL(S) is the mean over the tokens of S of log P(w | S); AULA weighs each term by the attention
paid to it (Kaneko and Bollegala 2022). Special tokens do not count.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from curate.scoring.metric import Likelihoods, Metric, PairValues

__all__ = ["AUL", "AULA", "likelihood_values"]


def likelihood_values(table: pa.Table, likelihoods: Likelihoods, *, attention: bool) -> PairValues:
    """AULA of both sides (or AUL, without `attention`), natural logarithm, a token.

    A pair is left out where the model cannot read one side whole; the reason is the model's.
    """
    sides = [table.column(name).to_pylist() for name in ("masculine", "feminine")]
    scores = likelihoods.of([*sides[0], *sides[1]])
    values = PairValues()
    for a, b in zip(scores[: table.num_rows], scores[table.num_rows :], strict=True):
        values.add(
            a.aula if attention else a.mean_logp,
            b.aula if attention else b.mean_logp,
            tokens=(a.n_tokens, b.n_tokens),
            reason=a.refused or b.refused,
        )
    return values


def _aul(table: pa.Table, likelihoods: Likelihoods, options: Mapping[str, Any]) -> PairValues:
    return likelihood_values(table, likelihoods, attention=False)


def _aula(table: pa.Table, likelihoods: Likelihoods, options: Mapping[str, Any]) -> PairValues:
    return likelihood_values(table, likelihoods, attention=True)


AUL = Metric("aul", "first side more likely by AUL", "Kaneko and Bollegala 2022", _aul)
AULA = Metric("aula", "first side more likely by AULA", "Kaneko and Bollegala 2022", _aula)
