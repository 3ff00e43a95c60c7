"""Balance a finished run anew, over the pairs in it and those set aside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from curate import schema
from curate.engine import write_json, write_parquet
from curate.errors import InputError
from curate.pairs.assemble import OUTPUTS
from curate.pairs.balance import balance
from curate.pairs.folder import file_entries
from curate.sources import drops_table
from curate.sources.tables import read_parquet

__all__ = ["rebalance"]


def rebalance(folder: Path, *, folds: int = 5, seed: int = 0) -> dict[str, int]:
    """Give the pairs of a run folder new folds; its files become those of a run with this balance.

    Returns ``n_pairs``, ``kept`` (pairs in the first fold) and ``aside``. Raises InputError where
    the folder is no finished run, or its tables do not fit together.
    """
    stats, manifest = (_read_json(folder, name) for name in ("stats.json", "manifest.json"))
    drops = read_parquet(folder / "drops.parquet", wanted=schema.DROPS.names)
    whole = balance(_in_corpus_order(folder, drops, stats["n_rows"]), folds=folds, seed=seed)
    inside = pc.greater(pc.list_value_length(whole.column("folds")), 0)
    pairs, aside = whole.filter(inside), whole.filter(pc.invert(inside))
    reasons = drops_table(
        aside.column("sent_id"), aside.column("row"), manifest["method"], "balance",
        aside.column("pair_id"),
    )  # fmt: skip
    others = drops.filter(pc.not_equal(drops.column("code"), "balance"))
    drops = pa.concat_tables([others, reasons]).sort_by("row")
    kept = sum(0 in places for places in whole.column("folds").to_pylist())
    stats |= {
        "kept": kept,
        "discarded_balance": whole.num_rows - kept,
        "drops": _codes(drops),
        "folds": folds,
        "seed": seed,
    }
    _write(folder, dict(zip(OUTPUTS, (pairs, aside, drops), strict=True)), stats, manifest)
    return {"n_pairs": whole.num_rows, "kept": kept, "aside": aside.num_rows}


def _read_json(folder: Path, name: str) -> dict[str, Any]:
    path = folder / name
    if not path.is_file():
        raise InputError(f"no finished run: {name} is missing", where=folder)
    return dict(json.loads(path.read_text(encoding="utf-8")))


def _in_corpus_order(folder: Path, drops: pa.Table, n_rows: int) -> pa.Table:
    """All pairs of the run with their corpus `row`: every row without a drop is a pair."""
    pairs = read_parquet(folder / "pairs.parquet", wanted=schema.PAIRS.names)
    aside = read_parquet(folder / "aside.parquet", wanted=schema.PAIRS.names)
    free = np.ones(n_rows, dtype=np.bool_)
    free[drops.column("row").to_numpy()] = False
    rows = np.flatnonzero(free)
    left_out = drops.filter(pc.equal(drops.column("code"), "balance"))
    if len(rows) != pairs.num_rows or left_out.column("detail") != aside.column("pair_id"):
        raise InputError("pairs, aside and drops do not fit together", where=folder)
    whole = pa.concat_tables(
        [
            pairs.append_column("row", pa.array(rows, pa.int64())),
            aside.append_column("row", left_out.column("row")),
        ],
        promote_options="permissive",
    )
    return whole.sort_by("row")


def _codes(drops: pa.Table) -> dict[str, int]:
    counts = drops.column("code").value_counts().to_pylist()
    return {count["values"]: count["counts"] for count in counts}


def _write(
    folder: Path, tables: dict[str, pa.Table], stats: dict[str, Any], manifest: dict[str, Any]
) -> None:
    """Rewrite the run; without a manifest until the end, so that a cut leaves an unfinished run."""
    (folder / "manifest.json").unlink()
    rows = {}
    for name, table in tables.items():
        columns = schema.DROPS if name == "drops.parquet" else schema.PAIRS
        plain = table.select(columns.names).cast(columns)
        rows[name] = write_parquet(folder / name, columns, [plain])
    write_json(folder / "stats.json", stats)
    files = file_entries(folder, [*OUTPUTS, "stats.json"], rows)
    changed = {"folds": stats["folds"], "seed": stats["seed"], "files": files}
    write_json(folder / "manifest.json", manifest | changed)
