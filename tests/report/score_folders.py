"""Folders of scores as `curate score` writes them, made of seeded random values."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from curate import schema

CROWS = ("sent_more", "sent_less")
GENDERS = ("masculine", "feminine")

_KINDS: dict[str, dict[str, Any]] = {
    "cps": {"kind": "share", "unit": "percent", "no_preference": 50.0, "preferred": "higher"},
    "sjsd": {"kind": "mean", "unit": "distance", "no_preference": 0.0, "preferred": "lower"},
    "ppl": {"kind": "share", "unit": "percent", "no_preference": 50.0, "preferred": "lower"},
    "mbe": {"kind": "weighted", "unit": "percent", "no_preference": 50.0, "preferred": "higher"},
    "acc": {"kind": "rate", "unit": "percent", "no_preference": None, "preferred": "higher"},
}


def record(metric: str, value: float | None, **changes: Any) -> dict[str, Any]:
    """A record of a summary; half as wide an interval as a share of 100 pairs has."""
    kind = _KINDS[metric]
    half = 5.0 if kind["unit"] == "percent" else 0.002
    made = {
        "metric": metric, "title": f"title of {metric}", "definition": "a paper, equation 1",
        "lang": "en", "group": "all", "model": "mini", "revision": "r1", "dataset": "pairs",
        "version": "1.0.0", "value": value, "ci_low": None if value is None else value - half,
        "ci_high": None if value is None else value + half,
        "std_error": None if value is None else half / 2, "n": 0 if value is None else 100,
        "n_tied": 0, "n_dropped": 0, "dropped": {}, "seed": 7, **kind, "sides": list(CROWS),
        "interval": {"confidence": 0.95, "method": "percentile bootstrap", "draws": 9999},
        "folds": 1, "fold_mean": value, "fold_std": None, "fold_values": [],
        "precision": "fp32", "differences": None,
    }  # fmt: skip
    return made | changes


def quantiles(values: Sequence[float]) -> list[float]:
    """The 101 quantiles of a record's `differences`."""
    return [float(q) for q in np.quantile(values, np.linspace(0, 1, 101))]


def write(folder: Path, records: Iterable[Mapping[str, Any]]) -> Path:
    """A score folder with a summary only."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "summary.json").write_text(json.dumps(list(records)), encoding="utf-8")
    return folder


def write_values(
    folder: Path, values: Mapping[str, Sequence[tuple[float | None, float | None]]]
) -> None:
    """``scores.parquet`` of the model *mini* with the (a, b) values of every metric."""
    rows = [
        {"pair_id": f"p{row}", "row": row, "metric": metric, "model": "mini", "revision": "r1",
         "value_a": a, "value_b": b, "n_tokens_a": 5, "n_tokens_b": 5}
        for metric, pairs in values.items()
        for row, (a, b) in enumerate(pairs)
    ]  # fmt: skip
    table = pa.Table.from_pylist(rows, schema=schema.SCORES)
    pq.write_table(table, folder / "scores.parquet")


def compared(folder: Path, *, models: Sequence[str], langs: Sequence[str]) -> Path:
    """Several models on several languages: shares, distances, accuracy, groups, folds."""
    random = np.random.default_rng(20)
    for model in models:
        records: list[dict[str, Any]] = []
        for lang in langs:
            common = {"model": model, "lang": lang, "revision": f"rev-{len(model)}"}
            log = random.normal(0.4, 2.0, 212) + random.standard_t(2, 212)
            distance = random.normal(-0.004, 0.02, 212)
            share, wide = 100 * float((log > 0).mean()), 6.7
            ends = {"ci_low": share - wide, "ci_high": share + wide, "n": 212, "n_dropped": 3,
                    "dropped": {"too-long": 2, "no-shared-token": 1}, "n_tied": 1}  # fmt: skip
            records.append(record("cps", share, **common, **ends, differences=quantiles(log)))
            mean = float(distance.mean())
            records.append(
                record("sjsd", mean, **common, n=212, differences=quantiles(distance),
                       folds=5, fold_mean=mean, fold_std=0.0004)
            )  # fmt: skip
            records.append(record("acc", float(random.uniform(50, 80)), **common))
            for kind in ("gender", "race-color"):
                value = float(random.uniform(40, 70))
                records.append(record("cps", value, **common, group=f"bias_type={kind}"))
        write(folder / model.replace("/", "-"), records)
    return folder
