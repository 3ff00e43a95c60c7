"""From pairs to values: every metric on every pair of a table, with one pass of the model."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_
from typing import Any

import numpy as np
import pyarrow as pa

from curate import schema
from curate.scoring.mbe import MBE, SENTENCES, sentences
from curate.scoring.metric import Metric, Need, Options, PairBatch, PairValues
from curate.scoring.reading import read_pairs_once

__all__ = ["VALUES", "batch_rows", "value_pairs"]

VALUES = pa.schema([*schema.SCORES, pa.field("reason", pa.string())])
"""`schema.SCORES`, one row a pair and metric in that order, and why a pair is left out."""

_BATCH_MASKED, _BATCH_WHOLE = 128, 1024


def batch_rows(metrics: Sequence[Metric]) -> int:
    """Pairs that are read together: enough to fill the model's batches."""
    return _BATCH_MASKED if any(metric.needs.masks for metric in metrics) else _BATCH_WHOLE


def value_pairs(
    table: pa.Table,
    *,
    scorer: Any,
    metrics: Sequence[Metric],
    options: Options,
    on_share: Callable[[float], None] | None = None,
) -> dict[str, pa.Table]:
    """``scores`` (`VALUES`) and, for MBE, ``sentences`` (`SENTENCES`, else empty) of a table.

    `on_share` hears which share (0 to 1) of the work is done.
    """
    table = perturbed(table, options.perturb)
    needs = reduce(or_, (metric.needed(options) for metric in metrics), Need.NOTHING)
    readings = read_pairs_once(table, scorer, needs=needs, options=options, on_share=on_share)
    batch = PairBatch(table, readings, scorer, options)
    found = [_checked(table, metric.values(batch)) for metric in metrics]
    compared = SENTENCES.empty_table()
    for metric, values in zip(metrics, found, strict=True):
        if metric is MBE:
            compared = sentences(batch, values)
    return {"scores": _scores(table, metrics, found, scorer), "sentences": compared}


def perturbed(table: pa.Table, perturb: str) -> pa.Table:
    """The table with the last character of every text taken off (Steinborn et al. 2022)."""
    if perturb == "none":
        return table
    for name in ("masculine", "feminine"):
        texts = [text[:-1] for text in table.column(name).to_pylist()]
        at = table.schema.get_field_index(name)
        table = table.set_column(at, table.schema.field(name), pa.array(texts, pa.string()))
    return table


def _checked(table: pa.Table, values: PairValues) -> PairValues:
    """No value for a row that broke its table, whatever is left of its cells, nor for a NaN."""
    problems = table.column("problem").to_pylist() if "problem" in table.schema.names else None
    for at, sides in enumerate(zip(values.value_a, values.value_b, strict=True)):
        broken = problems is not None and problems[at] is not None
        if broken or any(side is not None and math.isnan(side) for side in sides):
            values.value_a[at] = values.value_b[at] = None
            values.reasons[at] = "bad-row" if broken else "no-value"
    return values


def _scores(
    table: pa.Table, metrics: Sequence[Metric], found: Sequence[PairValues], scorer: Any
) -> pa.Table:
    size, count = table.num_rows, len(metrics)
    by_metric = pa.table(
        {
            "pair_id": pa.concat_arrays([table.column("pair_id").combine_chunks()] * count),
            "row": pa.concat_arrays([table.column("row").combine_chunks()] * count),
            "metric": [metric.name for metric in metrics for _ in range(size)],
            "model": [scorer.name] * (size * count),
            "revision": [scorer.revision] * (size * count),
            "value_a": [value for values in found for value in values.value_a],
            "value_b": [value for values in found for value in values.value_b],
            "n_tokens_a": [tokens for values in found for tokens in values.n_tokens_a],
            "n_tokens_b": [tokens for values in found for tokens in values.n_tokens_b],
            "reason": [reason for values in found for reason in values.reasons],
        },
        schema=VALUES,
    )
    by_pair = np.arange(size * count).reshape(count, size).T.reshape(-1)
    return by_metric.take(pa.array(by_pair))
