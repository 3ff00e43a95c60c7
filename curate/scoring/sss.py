"""SSS, as in StereoSet: how likely the differing words are, given the shared ones.

The differing tokens of a side are masked all together; its value is the mean over them of ln P
(Nadeem et al. 2021, as Kaneko and Bollegala 2022 compute it on pairs). A side without a differing
token (an insertion) has no value, and the pair is left out.
"""

from __future__ import annotations

import math

from curate.scoring.metric import Need, Options, Sides, pair_metric
from curate.scoring.reading import PairReading

__all__ = ["SSS"]


def _sss(pair: PairReading, options: Options) -> Sides | str:
    a, b = pair.a.differing, pair.b.differing
    if a is None or b is None:
        if options.compat == "none":
            return "no-differing-tokens"
        # the published code compares the mean of nothing: the pair stands in n for neither side
        return (
            -math.inf,
            -math.inf,
            0 if a is None else len(a.logp),
            0 if b is None else len(b.logp),
        )
    return float(a.logp.mean()), float(b.logp.mean()), len(a.logp), len(b.logp)


SSS = pair_metric(
    _sss, name="sss", title="first side's differing words more likely",
    source="Nadeem et al. 2021", needs=Need.DIFFERING,
)  # fmt: skip
