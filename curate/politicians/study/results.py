"""The tables of a study: their columns, and their files.

Every row says what it is of: language, part of speech, model (``all`` for all models together) and
subset of the people. Every number has its n and its interval; an interval's end is null where a
bootstrap found none, as where a word was never seen beside a gender.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from curate.engine import replacing, write_parquet
from curate.sources.delimited import guarded

__all__ = [
    "ALL_MODELS",
    "TABLES",
    "Unit",
    "as_table",
    "clear_tables",
    "finite",
    "write_tables",
    "write_tsv",
]

ALL_MODELS = "all"
Unit = dict[str, Any]

_UNIT: list[tuple[str, Any]] = [
    ("lang", pa.string()), ("upos", pa.string()), ("model", pa.string()), ("subset", pa.string())
]  # fmt: skip
_ENDS: list[tuple[str, Any]] = [("ci_low", pa.float64()), ("ci_high", pa.float64())]
_TEXT, _REAL, _WHOLE, _FLAG = pa.string(), pa.float64(), pa.int64(), pa.bool_()


def _schema(*columns: tuple[str, Any]) -> pa.Schema:
    return pa.schema([pa.field(name, kind) for name, kind in [*_UNIT, *columns]])


TABLES: dict[str, pa.Schema] = {
    # who was counted, and who the two-gender parts leave out
    "people": _schema(
        ("gender", _TEXT), ("n", _WHOLE), ("weight", _REAL), ("in_two_genders", _FLAG)
    ),
    "pmi": _schema(
        ("word", _TEXT), ("gender", _TEXT), ("n", _WHOLE), ("n_gender", _WHOLE),
        ("weight", _REAL), ("pmi", _REAL), *_ENDS, ("draws", _WHOLE), ("seed", _WHOLE),
    ),
    "differences": _schema(
        ("word", _TEXT), ("first", _TEXT), ("second", _TEXT), ("n_first", _WHOLE),
        ("n_second", _WHOLE), ("difference", _REAL), ("only", _TEXT), *_ENDS, ("p", _REAL),
        ("test", _TEXT), ("p_bonferroni", _REAL), ("n_words", _WHOLE), ("draws", _WHOLE),
        ("seed", _WHOLE),
    ),
    "deviations": _schema(
        ("gender", _TEXT), ("sentiment", _TEXT), ("rank", _WHOLE), ("word", _TEXT),
        ("n", _WHOLE), ("deviation", _REAL), *_ENDS, ("grid_std", _REAL),
        ("p_sentiment", _REAL), ("in_lexicon", _FLAG), ("draws", _WHOLE), ("seed", _WHOLE),
    ),
    "grid": _schema(
        ("l1_weight", _REAL), ("posterior_weight", _REAL), ("loss", _REAL),
        ("cross_entropy", _REAL), ("divergence", _REAL), ("n_words", _WHOLE),
        ("n_known", _WHOLE), ("steps", _WHOLE),
    ),
    "sentiment": _schema(
        ("sentiment", _TEXT), ("first", _TEXT), ("second", _TEXT), ("mean_first", _REAL),
        ("mean_second", _REAL), ("difference", _REAL), *_ENDS, ("p", _REAL),
        ("p_bonferroni", _REAL), ("n_first", _WHOLE), ("n_second", _WHOLE),
        ("permutations", _WHOLE), ("exact", _FLAG), ("seed", _WHOLE),
    ),
    "supersenses": _schema(
        ("sentiment", _TEXT), ("supersense", _TEXT), ("first", _TEXT), ("second", _TEXT),
        ("mean_first", _REAL), ("mean_second", _REAL), ("difference", _REAL), *_ENDS,
        ("p", _REAL), ("p_bonferroni", _REAL), ("n_first", _WHOLE), ("n_second", _WHOLE),
        ("permutations", _WHOLE), ("exact", _FLAG), ("seed", _WHOLE),
    ),
    "anova": _schema(
        ("gender", _TEXT), ("sentiment", _TEXT), ("factor", _TEXT), ("level", _TEXT),
        ("baseline", _FLAG), ("value", _REAL), *_ENDS, ("p", _REAL), ("factor_p", _REAL),
        ("n", _WHOLE),
    ),
    "clusters": _schema(
        ("gender", _TEXT), ("cluster", _WHOLE), ("n", _WHOLE), ("words", _TEXT),
        ("of_gender", _TEXT), ("weight", _REAL), ("share", _REAL), *_ENDS,
        ("k", _WHOLE), ("seed", _WHOLE), ("silhouette", _REAL),
    ),
    "cluster_trials": _schema(
        ("gender", _TEXT), ("k", _WHOLE), ("seed", _WHOLE), ("inertia", _REAL),
        ("silhouette", _REAL), ("n", _WHOLE),
    ),
}  # fmt: skip


def finite(value: float | None) -> float | None:
    """The value, or None where it is no finite number."""
    return float(value) if value is not None and math.isfinite(value) else None


def as_table(name: str, rows: Sequence[Mapping[str, Any]]) -> pa.Table:
    """Rows as one of `TABLES`; a column that a row lacks is null."""
    return pa.Table.from_pylist([dict(row) for row in rows], schema=TABLES[name])


def write_tables(out: Path, tables: Mapping[str, pa.Table]) -> list[str]:
    """Write each table that has rows as parquet and as TSV; the names of the files."""
    written = []
    for name, table in tables.items():
        if not table.num_rows:
            continue
        write_parquet(out / f"{name}.parquet", TABLES[name], [table])
        write_tsv(out / f"{name}.tsv", table.column_names, table.to_pylist())
        written += [f"{name}.parquet", f"{name}.tsv"]
    return written


def clear_tables(out: Path, earlier: Iterable[str], *, kept: Iterable[str]) -> None:
    """Remove the tables that an earlier study wrote there and this one did not write anew."""
    own = {f"{name}.{kind}" for name in TABLES for kind in ("parquet", "tsv")}
    for name in own & set(earlier) - set(kept):
        (out / name).unlink(missing_ok=True)


def write_tsv(path: Path, names: list[str], rows: Iterable[Mapping[str, Any]]) -> None:
    """Rows as TSV, numbers in six digits, cells that no spreadsheet takes for formulas."""
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, delimiter="\t", lineterminator="\n")
        writer.writerow(names)
        writer.writerows([_cell(row[name]) for name in names] for row in rows)


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else guarded(str(value)) if isinstance(value, str) else str(value)
