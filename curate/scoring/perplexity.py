"""Perplexity of each side to a causal model: exp of the mean of -ln P(token | tokens before it).

The extension of minimal pairs to causal models; the side with the lower perplexity is preferred.
"""

from __future__ import annotations

import math

from curate.scoring.metric import Need, Options, Sides, pair_metric
from curate.scoring.reading import PairReading

__all__ = ["PERPLEXITY"]


def _perplexity(pair: PairReading, options: Options) -> Sides | str:
    a, b = pair.a.causal, pair.b.causal
    values = [math.exp(min(-side.mean_logp, 700.0)) for side in (a, b)]
    return values[0], values[1], a.n_tokens, b.n_tokens


PERPLEXITY = pair_metric(
    _perplexity, name="ppl", title="first side less perplexing to a causal model",
    source="Jelinek et al. 1977", needs=Need.CAUSAL, preferred="lower", error="none",
)  # fmt: skip
