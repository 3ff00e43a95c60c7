"""Token accuracy: how often the model's best guess for a masked shared token is the token itself.

Steinborn et al. 2022, section 5: where pieces of words give each other away, accuracy is high and
CPS says little. value_a and value_b are the shares (0 to 1) of the side's shared tokens; the score
pools the tokens of both sides.
"""

from __future__ import annotations

from curate.scoring.metric import Need, Options, Sides, pair_metric
from curate.scoring.reading import PairReading

__all__ = ["ACCURACY"]


def _accuracy(pair: PairReading, options: Options) -> Sides | str:
    a, b = pair.a.shared.best, pair.b.shared.best
    if not len(a):
        return "no-shared-tokens"
    return float(a.mean()), float(b.mean()), len(a), len(b)


ACCURACY = pair_metric(
    _accuracy, name="acc", title="shared tokens that the model guesses behind their mask",
    source="Steinborn et al. 2022, section 5", needs=Need.SHARED, kind="rate", no_preference=None,
    settings=("masking",),
)  # fmt: skip
