"""The rows of a summary: a metric's estimate for every language, method and group of pairs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from curate.errors import InputError
from curate.scoring.collected import Collected
from curate.scoring.mbe_statistic import mbe
from curate.scoring.metric import Metric, Options
from curate.scoring.statistics import (
    CONFIDENCE,
    Estimate,
    fold_matrix,
    mean_difference,
    rate,
    share,
)

__all__ = ["GROUPED", "Group", "find_groups", "group_columns", "summarise"]

GROUPED = ("bias_type", "stereo_antistereo")
"""Columns by which pairs are also grouped wherever a table has them."""
_SIGNIFICANT = 6


@dataclass(frozen=True, slots=True)
class Group:
    """Some pairs of one language: ``all``, a method, or ``column=value``; places in the table."""

    lang: str
    name: str
    rows: NDArray[np.int64]


def find_groups(table: pa.Table, by: Sequence[str] = ()) -> list[Group]:
    """The groups of a table: by language and method, then by its `group_columns`."""
    langs = table.column("lang").to_pylist()
    own = "method" in table.schema.names
    groups = _partition(langs, table.column("method").to_pylist() if own else ["all"] * len(langs))
    for name in group_columns(table.schema.names, by):
        cells = table.column(name).to_pylist()
        groups += _partition(langs, [f"{name}={'' if c is None else c}" for c in cells])
    return groups


def group_columns(names: Sequence[str], by: Sequence[str] = ()) -> list[str]:
    """The columns by which pairs are grouped: those that begin with a name of `GROUPED`, and `by`.

    Raises InputError for a column of `by` that is not among the `names`.
    """
    missing = [name for name in by if name not in names]
    if missing:
        raise InputError(
            f"no column {missing[0]!r} to group by", hint="--by takes columns of the scored file"
        )
    return list(dict.fromkeys([*(name for name in names if name.startswith(GROUPED)), *by]))


def _partition(langs: Sequence[str], names: Sequence[str]) -> list[Group]:
    rows: dict[tuple[str, str], list[int]] = defaultdict(list)
    for at, key in enumerate(zip(langs, names, strict=True)):
        rows[key].append(at)
    return [Group(lang, name, np.array(rows[lang, name])) for lang, name in sorted(rows)]


def summarise(
    table: pa.Table,
    collected: Collected,
    *,
    groups: Sequence[Group],
    sides: tuple[str, str],
    options: Options,
    common: Mapping[str, Any],
    precision: Callable[[Metric], dict[str, Any]],
    seed: int,
    resamples: int,
) -> list[dict[str, Any]]:
    """One record a group and metric; `common` (model, dataset, …) stands in each."""
    folds = table.column("folds").to_pylist() if "folds" in table.schema.names else None
    members = fold_matrix(folds if folds is not None else [[]] * table.num_rows)
    records = []
    for group in groups:
        for metric in collected.metrics:
            estimate = _estimate(
                collected, metric, group, members, options, seed=seed, resamples=resamples
            )
            own = _record(collected, metric, group, estimate, seed=seed)
            settings = {name: getattr(options, name) for name in metric.settings}
            about = {"metric": metric.name, "lang": group.lang, "group": group.name}
            records.append(
                {**about, **common, **own, **settings, **_general(options), "sides": list(sides)}
                | precision(metric)
            )
    return records


def _general(options: Options) -> dict[str, str]:
    """The settings that change every metric, where they are not the usual ones."""
    return {
        name: getattr(options, name)
        for name in ("compat", "perturb")
        if getattr(options, name) != "none"
    }


def _estimate(
    collected: Collected,
    metric: Metric,
    group: Group,
    members: NDArray[np.bool_],
    options: Options,
    *,
    seed: int,
    resamples: int,
) -> Estimate:
    draws: dict[str, Any] = {"seed": seed, "resamples": resamples}
    if metric.kind == "weighted":
        return _weighted(collected, group, members, options, draws)
    at = collected.column(metric)
    a, b = (side[group.rows, at] for side in (collected.value_a, collected.value_b))
    inside = members[group.rows]
    if metric.kind == "mean":
        return mean_difference(a - b, members=inside, **draws)
    if metric.kind == "rate":
        counts = [side[group.rows, at] for side in (collected.tokens_a, collected.tokens_b)]
        return rate(a * counts[0] + b * counts[1], counts[0] + counts[1], members=inside, **draws)
    if metric.preferred == "lower":
        a, b = b, a
    return share(a, b, members=inside, **draws)


def _weighted(
    collected: Collected,
    group: Group,
    members: NDArray[np.bool_],
    options: Options,
    draws: Mapping[str, Any],
) -> Estimate:
    sentences = collected.sentences
    if sentences is None:
        return Estimate()
    inside = np.isin(sentences.place, group.rows)
    sets = [np.flatnonzero(inside & (sentences.first == first)) for first in (True, False)]
    paired = len(sets[0]) == len(sets[1]) and bool(
        (sentences.place[sets[0]] == sentences.place[sets[1]]).all()
    )
    m, f = sets
    return mbe(
        sentences.value[m], sentences.embedding[m], sentences.value[f], sentences.embedding[f],
        members_m=members[sentences.place[m]], members_f=members[sentences.place[f]],
        paired=paired, cosine=options.compat != "kaneko2022", **draws,
    )  # fmt: skip


def _record(
    collected: Collected, metric: Metric, group: Group, estimate: Estimate, *, seed: int
) -> dict[str, Any]:
    at = collected.column(metric)
    dropped = Counter(reason for reason in collected.reason[group.rows, at] if reason)
    return {
        "title": metric.title,
        "definition": metric.source,
        "kind": metric.kind,
        "value": estimate.value,
        "ci_low": estimate.ci_low,
        "ci_high": estimate.ci_high,
        "std_error": estimate.std_error,
        "n": estimate.n,
        "n_tied": estimate.n_tied,
        "n_dropped": dropped.total(),
        "dropped": dict(sorted(dropped.items())),
        "seed": seed,
        "unit": metric.unit,
        "no_preference": metric.no_preference,
        "preferred": metric.preferred,
        "interval": {
            "confidence": CONFIDENCE,
            "method": estimate.method,
            "draws": estimate.draws,
        },
        **_by_side(collected, metric, group),
        "folds": len(estimate.fold_values),
        "fold_mean": estimate.fold_mean,
        "fold_std": estimate.fold_std,
        "fold_values": list(estimate.fold_values),
        "differences": _differences(collected, metric, group),
    }


def _by_side(collected: Collected, metric: Metric, group: Group) -> dict[str, float | None]:
    """A rate of each side by itself, in percent; nothing for other kinds."""
    if metric.kind != "rate":
        return {}
    at = collected.column(metric)
    found: dict[str, float | None] = {}
    for name, values, tokens in (
        ("value_a", collected.value_a, collected.tokens_a),
        ("value_b", collected.value_b, collected.tokens_b),
    ):
        rates, counts = values[group.rows, at], tokens[group.rows, at].astype(np.float64)
        kept = ~np.isnan(rates) & (counts > 0)
        total = counts[kept].sum()
        found[name] = float(100 * (rates * counts)[kept].sum() / total) if total else None
    return found


def _differences(collected: Collected, metric: Metric, group: Group) -> list[float] | None:
    """The percentiles 0 to 100 of value_a - value_b, for the report's violins."""
    at = collected.column(metric)
    with np.errstate(invalid="ignore"):
        found = collected.value_a[group.rows, at] - collected.value_b[group.rows, at]
    found = found[np.isfinite(found)]
    if not len(found) or metric.kind == "weighted":
        return None
    percentiles = np.percentile(found, np.arange(101))
    return [float(f"{value:.{_SIGNIFICANT}g}") for value in percentiles]
