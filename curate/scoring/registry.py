"""The metrics by name."""

from __future__ import annotations

from collections.abc import Sequence

from curate.errors import UsageError
from curate.scoring.accuracy import ACCURACY
from curate.scoring.aul import AUL, AULA, SBM
from curate.scoring.cps import CPS, PLL
from curate.scoring.dbm import DBM
from curate.scoring.mbe import MBE
from curate.scoring.metric import Metric, Need
from curate.scoring.perplexity import PERPLEXITY
from curate.scoring.sjsd import BSJSD, SJSD
from curate.scoring.sss import SSS

__all__ = ["MASKED", "METRICS", "find_metrics", "metric_name"]

METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        CPS, SJSD, BSJSD, SSS, AUL, AULA, SBM, MBE, DBM, PLL, ACCURACY, PERPLEXITY,
    )
}  # fmt: skip
MASKED = tuple(name for name, metric in METRICS.items() if not metric.needs & Need.CAUSAL)
"""Those of masked models: what ``all`` means."""


def metric_name(written: str) -> str:
    """The name of a metric as a user may write it: ``B.S_JSD`` is ``bsjsd``."""
    return written.strip().lower().replace("_", "").replace(".", "")


def find_metrics(names: Sequence[str]) -> list[Metric]:
    """The metrics of these names (``all``: those of masked models), each once, in order.

    Raises UsageError for another name, and for metrics of two kinds of model at once.
    """
    wanted = [metric_name(name) for name in names if name.strip()]
    wanted = [one for name in wanted for one in (MASKED if name == "all" else (name,))]
    unknown = [name for name in wanted if name not in METRICS]
    if unknown or not wanted:
        what = f"unknown metric {unknown[0]!r}" if unknown else "no metric is named"
        raise UsageError(what, hint=f"metrics: {', '.join(METRICS)}, or all")
    found = [METRICS[name] for name in dict.fromkeys(wanted)]
    causal = [metric.name for metric in found if metric.needs & Need.CAUSAL]
    if causal and len(causal) < len(found):
        raise UsageError(
            f"{causal[0]} wants a causal model, the other metrics a masked one",
            hint="score them in two runs",
        )
    return found
