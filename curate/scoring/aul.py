"""AUL, AULA and SBM: how likely a whole sentence is to a masked model, with nothing masked.

AUL(S) is the mean over the tokens of S of ln P(w | S); AULA weighs each term by the attention paid
to it (Kaneko and Bollegala 2022). Special tokens do not count. SBM, the strict bias metric, is the
share of minimal pairs with A(masculine) > A(feminine) (Yu et al. 2024, section 3.2): A is AULA as
in the paper, or AUL. (The paper's equation 1 prints a masked condition; its code and the source of
AULA use the unmasked sentence, and so does this.)

The attentions to the tokens of a sentence add up to about 1, so AULA falls with the number of
tokens in absolute value: a model that knows nothing prefers the side with more tokens.
"""

from __future__ import annotations

from curate.scoring.metric import Need, Options, Sides, pair_metric
from curate.scoring.reading import PairReading

__all__ = ["AUL", "AULA", "SBM"]


def _aul(pair: PairReading, options: Options) -> Sides | str:
    a, b = pair.a.whole, pair.b.whole
    if a.refused or b.refused:
        return str(a.refused or b.refused)
    return a.mean_logp, b.mean_logp, a.n_tokens, b.n_tokens


def _aula(pair: PairReading, options: Options) -> Sides | str:
    a, b = pair.a.whole, pair.b.whole
    if a.refused or b.refused:
        return str(a.refused or b.refused)
    return a.aula, b.aula, a.n_tokens, b.n_tokens


def _sbm(pair: PairReading, options: Options) -> Sides | str:
    return (_aula if options.likelihood == "aula" else _aul)(pair, options)


AUL = pair_metric(
    _aul, name="aul", title="first side more likely by AUL", source="Kaneko and Bollegala 2022",
    needs=Need.WHOLE,
)  # fmt: skip
AULA = pair_metric(
    _aula, name="aula", title="first side more likely by AULA", source="Kaneko and Bollegala 2022",
    needs=Need.WHOLE | Need.ATTENTION,
)  # fmt: skip
SBM = pair_metric(
    _sbm, name="sbm", title="first side of a minimal pair preferred",
    source="Yu et al. 2024, eq. 3", needs=Need.WHOLE | Need.ATTENTION, settings=("likelihood",),
)  # fmt: skip
