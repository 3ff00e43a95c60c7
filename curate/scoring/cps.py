"""Pseudo-log-likelihoods: of the shared tokens (CPS), and of all of them (PLL).

CPS (Nangia et al. 2020) is the sum over the shared tokens of ln P(token | the text with the token
masked), each text with its own differing words: how likely the common part is beside them. PLL
(Salazar et al. 2020) sums over all tokens. `Options.masking` hides the later tokens of the word,
too (Kauf and Ivanova 2023), so that a word's pieces do not give each other away.
"""

from __future__ import annotations

from curate.scoring.metric import Need, Options, Sides, pair_metric
from curate.scoring.reading import PairReading

__all__ = ["CPS", "PLL"]


def _cps(pair: PairReading, options: Options) -> Sides | str:
    a, b = pair.a.shared.logp, pair.b.shared.logp
    if options.compat == "none" and not len(a):
        return "no-shared-tokens"
    digits = None if options.compat == "none" else 3
    values = [float(side.sum()) for side in (a, b)]
    if digits is not None:
        values = [round(value, digits) for value in values]
    return values[0], values[1], len(a), len(b)


def _pll(pair: PairReading, options: Options) -> Sides | str:
    a, b = pair.a.every.logp, pair.b.every.logp
    return float(a.sum()), float(b.sum()), len(a), len(b)


CPS = pair_metric(
    _cps, name="cps", title="first side more likely by its shared tokens",
    source="Nangia et al. 2020", needs=Need.SHARED, error="sum", settings=("masking",),
)  # fmt: skip
PLL = pair_metric(
    _pll, name="pll", title="first side more likely by all its tokens",
    source="Salazar et al. 2020", needs=Need.EVERY, error="sum", settings=("masking",),
)  # fmt: skip
