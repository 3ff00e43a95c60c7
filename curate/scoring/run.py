"""Score a table of pairs with a model: a table of scores and the rows of a summary."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from curate import schema
from curate.engine import write_json, write_parquet
from curate.scoring.metric import Likelihoods, MaskedScorer, Metric, PairValues
from curate.scoring.statistics import CONFIDENCE, RESAMPLES, fold_matrix, share

__all__ = ["Dataset", "ScoreRun", "score_pairs", "write_scores"]

_BATCH = 512
Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Dataset:
    """What was scored: a name, and a version (of a release) or a content hash."""

    name: str
    version: str


@dataclass
class ScoreRun:
    """`scores` is `schema.SCORES`; `summary` has one record a metric, language and group."""

    scores: pa.Table
    summary: list[dict[str, Any]] = field(default_factory=list)


def score_pairs(
    table: pa.Table,
    *,
    scorer: MaskedScorer,
    metrics: Sequence[Metric],
    dataset: Dataset,
    options: Mapping[str, Any] | None = None,
    seed: int = 0,
    resamples: int = RESAMPLES,
    on_progress: Progress | None = None,
) -> ScoreRun:
    """Every metric on every pair of a table as `curate.sources.read_pairs` gives it.

    Values are a = masculine (or the first column), b = feminine. Where pairs carry folds, those in
    no fold are not scored: the balance left them out. `on_progress` hears the number of pairs done.
    """
    table = _balanced(table)
    values = _values(table, Likelihoods(scorer), metrics, options or {}, on_progress)
    common = {
        "model": scorer.name,
        "revision": scorer.revision,
        "dataset": dataset.name,
        "version": dataset.version,
    }
    run = ScoreRun(
        pa.concat_tables([_scores(table, m.name, values[m.name], common) for m in metrics])
    )
    for lang, group, rows in _groups(table):
        for metric in metrics:
            record = _summary(table, rows, values[metric.name], seed=seed, resamples=resamples)
            own = {"likelihood": (options or {}).get("likelihood", "aula")}
            settings = own if metric.name == "sbm" else {}
            run.summary.append(
                {"metric": metric.name, "lang": lang, "group": group, **common, **record}
                | {"title": metric.title, "definition": metric.source, **settings}
            )
    return run


def _values(
    table: pa.Table,
    likelihoods: Likelihoods,
    metrics: Sequence[Metric],
    options: Mapping[str, Any],
    on_progress: Progress | None,
) -> dict[str, PairValues]:
    """Every metric's values by row, a stretch of the table at a time."""
    values = {metric.name: PairValues() for metric in metrics}
    for start in range(0, table.num_rows, _BATCH):
        part = table.slice(start, _BATCH)
        for metric in metrics:
            own = _without_bad_rows(part, metric.values(part, likelihoods, options))
            values[metric.name].extend(own)
        likelihoods.forget()
        if on_progress is not None:
            on_progress(start + part.num_rows)
    return values


def _without_bad_rows(part: pa.Table, values: PairValues) -> PairValues:
    """No value for a row that broke its table, whatever is left of its cells."""
    if "problem" in part.schema.names:
        for at, problem in enumerate(part.column("problem").to_pylist()):
            if problem is not None:
                values.value_a[at] = values.value_b[at] = None
                values.reasons[at] = "bad-row"
    return values


def _balanced(table: pa.Table) -> pa.Table:
    """The pairs that are in a fold; the whole table where none is."""
    if "folds" not in table.schema.names:
        return table
    inside = pc.greater(pc.list_value_length(table.column("folds")), 0)
    return table.filter(inside) if pc.any(inside).as_py() else table


def _scores(
    table: pa.Table, metric: str, values: PairValues, common: Mapping[str, str]
) -> pa.Table:
    size = table.num_rows
    return pa.table(
        {
            "pair_id": table.column("pair_id"),
            "row": table.column("row"),
            "metric": [metric] * size,
            "model": [common["model"]] * size,
            "revision": [common["revision"]] * size,
            "value_a": values.value_a,
            "value_b": values.value_b,
            "n_tokens_a": values.n_tokens_a,
            "n_tokens_b": values.n_tokens_b,
        },
        schema=schema.SCORES,
    )


def _groups(table: pa.Table) -> list[tuple[str, str, list[int]]]:
    """(language, group, rows) in order; the group is the method, or ``all`` of a foreign file."""
    langs = table.column("lang").to_pylist()
    own = "method" in table.schema.names
    methods = table.column("method").to_pylist() if own else ["all"] * table.num_rows
    rows: dict[tuple[str, str], list[int]] = defaultdict(list)
    for at, key in enumerate(zip(langs, methods, strict=True)):
        rows[key].append(at)
    return [(lang, group, rows[lang, group]) for lang, group in sorted(rows)]


def _summary(
    table: pa.Table, rows: list[int], values: PairValues, *, seed: int, resamples: int
) -> dict[str, Any]:
    a, b = (
        np.array([np.nan if side[at] is None else side[at] for at in rows], dtype=np.float64)
        for side in (values.value_a, values.value_b)
    )
    folds = table.column("folds").to_pylist() if "folds" in table.schema.names else None
    members = fold_matrix([folds[at] for at in rows] if folds is not None else [[]] * len(rows))
    result = share(a, b, members=members, seed=seed, resamples=resamples)
    dropped = Counter(reason for at in rows if (reason := values.reasons[at]))
    return {
        "value": result.value,
        "ci_low": result.ci_low,
        "ci_high": result.ci_high,
        "n": result.n,
        "n_tied": result.n_tied,
        "n_dropped": dropped.total(),
        "seed": seed,
        "unit": "percent",
        "interval": {
            "confidence": CONFIDENCE,
            "method": "percentile bootstrap",
            "draws": resamples,
        },
        "dropped": dict(sorted(dropped.items())),
        "folds": len(result.fold_values),
        "fold_mean": result.fold_mean,
        "fold_std": result.fold_std,
        "fold_values": list(result.fold_values),
    }


def write_scores(run: ScoreRun, out: Path) -> None:
    """Write ``scores.parquet`` and ``summary.json`` (a list of records) under `out`."""
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    write_parquet(out / "scores.parquet", schema.SCORES, [run.scores])
    write_json(out / "summary.json", run.summary)
