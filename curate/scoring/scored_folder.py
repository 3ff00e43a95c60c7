"""A folder that `curate score` wrote, read again."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from curate import schema
from curate.errors import InputError
from curate.scoring.registry import METRICS

__all__ = ["MetricKind", "ScoredFolder", "read_scored"]

_HINT = "curate score writes scores.parquet and summary.json in its folder --out"


@dataclass(frozen=True, slots=True)
class MetricKind:
    """How a metric's pairs are read.

    `counted` is ``share`` (percent of pairs with side a preferred), ``mean`` (mean of a - b), or
    ``pooled`` (one value over all sentences: no pair has its own); `preferred` says whether a
    ``higher`` or a ``lower`` value is the preferred one.
    """

    counted: str
    preferred: str = "higher"


_COUNTED = {"share": "share", "mean": "mean"}


@dataclass(frozen=True)
class ScoredFolder:
    """One model's scores: `scores` is `schema.SCORES`, `summary` its records."""

    path: Path
    model: str
    revision: str
    dataset: str
    version: str
    scores: pa.Table
    summary: list[dict[str, Any]]

    @property
    def metrics(self) -> list[str]:
        """The metrics of the scores and of the summary, in order."""
        names = self.scores.column("metric").unique().to_pylist()
        return list(dict.fromkeys([*names, *(record["metric"] for record in self.summary)]))

    def kind(self, metric: str) -> MetricKind:
        """How `metric` is read, from its record; from its name where an old record lacks it."""
        record = next((r for r in self.summary if r["metric"] == metric), {})
        known = METRICS.get(metric, METRICS["aul"])
        counted = record.get("kind") or known.kind
        return MetricKind(
            _COUNTED.get(counted, "pooled"), record.get("preferred") or known.preferred
        )

    def of_metric(self, metric: str) -> pa.Table:
        """The rows of `metric`."""
        return self.scores.filter(pc.equal(self.scores.column("metric"), metric))


def read_scored(folder: Path) -> ScoredFolder:
    """The scores and the summary of a folder; InputError for a folder that is none of `score`."""
    scores, summary = _scores(folder / "scores.parquet"), _summary(folder / "summary.json")
    models = pc.unique(scores.column("model")).to_pylist()
    if len(models) > 1:
        raise InputError(
            f"holds the scores of {len(models)} models", where=folder,
            hint="one folder, one model: score each with an --out of its own",
        )  # fmt: skip
    first = summary[0] if summary else {}
    if not models and not first:
        raise InputError("holds no scores", where=folder, hint=_HINT)
    about = {name: str(first.get(name, "")) for name in ("model", "revision", "dataset", "version")}
    if scores.num_rows:
        about |= {name: scores.column(name)[0].as_py() for name in ("model", "revision")}
    return ScoredFolder(folder, **about, scores=scores, summary=summary)


def _scores(path: Path) -> pa.Table:
    if not path.is_file():
        raise InputError("no such file", where=path, hint=_HINT)
    try:
        table = pq.read_table(path)
        scores = table.select(schema.SCORES.names).cast(schema.SCORES)
    except (pa.ArrowException, KeyError, OSError, ValueError) as error:
        why = str(error).splitlines()[0]
        raise InputError(f"is no table of scores: {why}", where=path, hint=_HINT) from error
    _refuse_twice(scores, path)
    return scores


def _refuse_twice(scores: pa.Table, path: Path) -> None:
    keys = ["pair_id", "row", "metric"]
    counts = scores.group_by(keys).aggregate([([], "count_all")]).column("count_all")
    twice = pc.max(counts).as_py() if len(counts) else 0
    if twice and twice > 1:
        raise InputError(
            "a pair stands twice in the scores of one metric", where=path,
            hint="score the data again into an empty folder",
        )  # fmt: skip


def _summary(path: Path) -> list[dict[str, Any]]:
    if not path.is_file():
        raise InputError("no such file", where=path, hint=_HINT)
    try:
        records = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"is no JSON: {error}", where=path, hint=_HINT) from error
    good = isinstance(records, list) and all(
        isinstance(record, dict) and isinstance(record.get("metric"), str) for record in records
    )
    if not good:
        raise InputError("is no list of records of metrics", where=path, hint=_HINT)
    return list(records)
