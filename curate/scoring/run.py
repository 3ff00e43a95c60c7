"""Score a table of pairs with a model: a table of scores and the rows of a summary."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from curate import schema
from curate.engine import write_json, write_parquet
from curate.scoring.collected import Collected, collect, drop_table, score_tables
from curate.scoring.metric import Metric, Options
from curate.scoring.statistics import RESAMPLES
from curate.scoring.summary import find_groups, summarise
from curate.scoring.values import batch_rows, value_pairs

__all__ = ["Dataset", "ScoreRun", "balanced", "finish", "score_pairs", "write_scores"]

Progress = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class Dataset:
    """What was scored: a name, and a version (of a release) or a content hash."""

    name: str
    version: str


@dataclass
class ScoreRun:
    """`scores` is `schema.SCORES`; `summary` has one record a metric, language and group.

    `drops` (`schema.DROPS`) says for every pair that a metric left out which, and why.
    """

    scores: pa.Table
    summary: list[dict[str, Any]]
    drops: pa.Table


def score_pairs(
    table: pa.Table,
    *,
    scorer: Any,
    metrics: Sequence[Metric],
    dataset: Dataset,
    options: Options | Mapping[str, Any] | None = None,
    by: Sequence[str] = (),
    sides: tuple[str, str] = ("masculine", "feminine"),
    seed: int = 0,
    resamples: int = RESAMPLES,
    on_progress: Progress | None = None,
) -> ScoreRun:
    """Every metric on every pair of a table as `curate.sources.read_pairs` gives it, in memory.

    `scorer` is a `MaskedModel`, or a `CausalModel` for perplexity. Side a is the masculine one (or
    the first column), side b the feminine one; `sides` are their names. Where pairs carry folds,
    those in no fold are not scored: the balance left them out. `by` are columns by which pairs are
    also grouped. `on_progress` hears the number of pairs done.
    """
    table = balanced(table)
    settings = options if isinstance(options, Options) else Options(**(options or {}))
    parts = _parts(table, scorer, metrics, settings, on_progress)
    return finish(
        table, collect(parts, metrics), scorer=scorer, dataset=dataset, options=settings, by=by,
        sides=sides, seed=seed, resamples=resamples, precision=_precision(scorer),
    )  # fmt: skip


def _precision(scorer: Any) -> str:
    return str(getattr(scorer, "precision", "fp32"))


def _parts(
    table: pa.Table,
    scorer: Any,
    metrics: Sequence[Metric],
    options: Options,
    on_progress: Progress | None,
) -> Iterator[tuple[pa.Table, pa.Table]]:
    """The values of the table, a stretch at a time."""
    size = batch_rows(metrics)
    for start in range(0, table.num_rows, size):
        part = table.slice(start, size)

        def tell(share: float, start: int = start, rows: int = part.num_rows) -> None:
            if on_progress is not None:
                on_progress(start + share * rows)

        found = value_pairs(part, scorer=scorer, metrics=metrics, options=options, on_share=tell)
        tell(1.0)
        yield found["scores"], found["sentences"]


def finish(
    table: pa.Table,
    collected: Collected,
    *,
    scorer: Any,
    dataset: Dataset,
    options: Options,
    by: Sequence[str],
    sides: tuple[str, str],
    seed: int,
    resamples: int,
    precision: str,
    auto: Mapping[str, Any] | None = None,
) -> ScoreRun:
    """The scores, the summary and the drops of values that are there.

    `auto` is what `curate.scoring.auto` did, where it did.
    """

    def precision_of(metric: Metric) -> dict[str, Any]:
        if auto is None:
            return {"precision": precision}
        exact = metric.name in auto["exact"]
        return {"precision": "fp32"} if exact else {"precision": "auto", "auto": dict(auto)}

    names = {"model": scorer.name, "revision": scorer.revision}
    data = {"dataset": dataset.name, "version": dataset.version}
    tables = [*score_tables(table, collected, **names)] or [schema.SCORES.empty_table()]
    summary = summarise(
        table, collected, groups=find_groups(table, by), sides=sides, options=options,
        common=names | data | _first_token(scorer), precision=precision_of, seed=seed,
        resamples=resamples,
    )  # fmt: skip
    return ScoreRun(pa.concat_tables(tables), summary, drop_table(table, collected))


def _first_token(scorer: Any) -> dict[str, bool]:
    """Said of a causal model that cannot value the first token of a text."""
    counted = getattr(scorer, "first_token_counted", True)
    return {} if counted else {"first_token_counted": False}


def balanced(table: pa.Table) -> pa.Table:
    """The pairs that are in a fold; the whole table where none is."""
    if "folds" not in table.schema.names:
        return table
    inside = pc.greater(pc.list_value_length(table.column("folds")), 0)
    return table.filter(inside) if pc.any(inside).as_py() else table


def write_scores(run: ScoreRun, out: Path) -> None:
    """Write ``scores.parquet`` and ``summary.json`` (a list of records) under `out`.

    Where pairs were left out, ``drops.parquet`` has them with the reasons.
    """
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    write_parquet(out / "scores.parquet", schema.SCORES, [run.scores])
    write_json(out / "summary.json", run.summary)
    if run.drops.num_rows:
        write_parquet(out / "drops.parquet", schema.DROPS, [run.drops])
    else:
        (out / "drops.parquet").unlink(missing_ok=True)
