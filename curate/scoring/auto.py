"""Decisions of fp32 at nearly the speed of a reduced precision.

All pairs are scored in the reduced precision. The error of a pair's difference is measured on a
seeded sample that is scored in fp32 as well; the pairs whose difference is within the error bound
are scored again in fp32, and add to what is known of the error, until no pair is within the bound.
So every share is the one of fp32, unless an error exceeds four times its root mean square. Pairs
far from a decision keep the values of the reduced precision.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from curate.scoring.collected import Collected
from curate.scoring.metric import Metric

__all__ = ["score_auto"]

_SAMPLE = 24
_SPREADS, _LARGEST = 4.0, 1.2

Score = Callable[[pa.Table, Sequence[Metric], str], Collected]
Rows = NDArray[np.int64]


def score_auto(
    score: Score, table: pa.Table, metrics: Sequence[Metric], *, reduced: str, seed: int
) -> tuple[Collected, dict[str, Any]]:
    """The values of all pairs, and what was done: ``{"reduced", "again", "of", "bound", "exact"}``.

    `score(table, metrics, precision)` gives the values of a table. Metrics that compare more than
    the two sides of a pair, or probabilities with a threshold (``error`` is none), are scored in
    fp32 throughout, and so is what is read with them.
    """
    exact = [metric for metric in metrics if metric.error == "none"]
    needs = {need for metric in exact for need in metric.needs}
    exact = [m for m in metrics if m in exact or (m.needs and needs.issuperset(m.needs))]
    quick = [metric for metric in metrics if metric not in exact]
    about: dict[str, Any] = {
        "reduced": reduced, "again": 0, "of": table.num_rows, "bound": {},
        "exact": [metric.name for metric in exact],
    }  # fmt: skip
    parts = []
    if quick:
        parts.append(_quick(score, table, quick, about, reduced=reduced, seed=seed))
    if exact:
        parts.append(score(table, exact, "fp32"))
    whole = parts[0] if len(parts) == 1 else parts[0].beside(parts[1], metrics)
    return whole, about


def _quick(
    score: Score,
    table: pa.Table,
    metrics: Sequence[Metric],
    about: dict[str, Any],
    *,
    reduced: str,
    seed: int,
) -> Collected:
    values = score(table, metrics, reduced)
    first = _differences(values)
    scale = _scales(values)
    errors = np.full(first.shape, np.nan)
    again = np.zeros(table.num_rows, dtype=bool)
    bound: NDArray[np.float64] = np.zeros(len(metrics))
    lost = values.reason == "no-value"  # 16 bits may not hold it
    rows: Rows = np.flatnonzero(_sample(~np.isnan(first), seed) | lost.any(axis=1))
    while len(rows):
        exact = score(table.take(pa.array(rows)), metrics, "fp32")
        again[rows] = True
        errors[rows] = np.abs(_differences(exact) - first[rows]) / scale[rows]
        values.put(rows, exact)
        bound = _bounds(errors)
        decided = np.array([metric.kind == "share" for metric in metrics])
        close = (np.abs(first) <= bound * scale) & decided
        rows = np.flatnonzero(close.any(axis=1) & ~again)
    about["again"] = int(again.sum())
    about["bound"] = {m.name: float(f"{b:.3g}") for m, b in zip(metrics, bound, strict=True)}
    return values


def _sample(valued: NDArray[np.bool_], seed: int) -> NDArray[np.bool_]:
    """Some pairs drawn by the seed: of every metric so many that have a value, if there are."""
    order = np.random.default_rng(seed).permutation(len(valued))
    drawn = valued[order]
    chosen = np.zeros(len(valued), dtype=bool)
    chosen[order] = (drawn & (drawn.cumsum(axis=0) <= _SAMPLE)).any(axis=1)
    return chosen


def _differences(values: Collected) -> NDArray[np.float64]:
    with np.errstate(invalid="ignore"):
        return values.value_a - values.value_b


def _scales(values: Collected) -> NDArray[np.float64]:
    """How a value's error goes with its tokens: of a sum as sqrt(n), of a mean as 1/sqrt(n)."""
    tokens = np.maximum(np.minimum(values.tokens_a, values.tokens_b), 1).astype(np.float64)
    sums = np.array([metric.error == "sum" for metric in values.metrics])
    return np.where(sums, np.sqrt(tokens), 1 / np.sqrt(tokens))


def _bounds(errors: NDArray[np.float64]) -> NDArray[np.float64]:
    """By metric: four times the root mean square error, or 1.2 times the largest."""
    known = np.where(np.isnan(errors), 0.0, errors)
    count = np.maximum((~np.isnan(errors)).sum(axis=0), 1)
    spread = np.sqrt((known**2).sum(axis=0) / count)
    bounds: NDArray[np.float64] = np.maximum(_SPREADS * spread, _LARGEST * known.max(axis=0))
    return bounds
