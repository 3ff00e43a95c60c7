"""The metrics by name: one module each."""

from __future__ import annotations

from collections.abc import Sequence

from curate.errors import UsageError
from curate.scoring.aul import AUL, AULA
from curate.scoring.dbm import DBM
from curate.scoring.metric import Metric
from curate.scoring.sbm import SBM

__all__ = ["METRICS", "find_metrics"]

METRICS: dict[str, Metric] = {metric.name: metric for metric in (SBM, DBM, AUL, AULA)}


def find_metrics(names: Sequence[str]) -> list[Metric]:
    """The metrics of these names, each once, in order; UsageError for another name."""
    wanted = list(dict.fromkeys(name.strip().lower() for name in names if name.strip()))
    unknown = [name for name in wanted if name not in METRICS]
    if unknown or not wanted:
        what = f"unknown metric {unknown[0]!r}" if unknown else "no metric is named"
        raise UsageError(what, hint=f"metrics: {', '.join(METRICS)}")
    return [METRICS[name] for name in wanted]
