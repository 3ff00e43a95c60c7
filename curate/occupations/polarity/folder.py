"""The folder that `curate occupations polarity` writes, and reading it again."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from curate import schema
from curate.engine import replacing, write_json, write_parquet
from curate.errors import InputError, UsageError
from curate.occupations.polarity.measure import Polarity
from curate.occupations.polarity.tables import CORRELATIONS, STABILITY, SUMMARY, VALUES
from curate.sources.tables import read_parquet

__all__ = ["ABOUT", "PolarityFolder", "read_polarity", "write_polarity"]

ABOUT = "polarity.json"
_SUMMARY = "polarity"
_CORRELATIONS = "correlations"
_VALUES = "values.parquet"
_STABILITY = "stability.parquet"
_DROPS = "polarity-drops.parquet"  # a table's own drops may lie beside it


@dataclass(frozen=True)
class PolarityFolder:
    """What a folder holds: rows of the tables of `polarity.tables`, and what they rest on."""

    values: pa.Table
    stability: pa.Table
    summary: list[dict[str, Any]]
    correlations: list[dict[str, Any]]
    about: dict[str, Any]


def prepare_folder(out: Path) -> None:
    """Make the folder; without `ABOUT` it is not whole."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"no folder to write to ({error.strerror})", where=out) from error
    (out / ABOUT).unlink(missing_ok=True)


def write_polarity(found: Polarity, out: Path, *, about: Mapping[str, Any]) -> dict[str, Any]:
    """Write the tables, as parquet and TSV, and last ``polarity.json``; returns what that says.

    `about` names the table that was read; the JSON has the summary and correlations too.
    """
    prepare_folder(out)
    tables = {
        _VALUES: (VALUES, found.values),
        _STABILITY: (STABILITY, found.stability),
        f"{_SUMMARY}.parquet": (SUMMARY, found.summary),
        f"{_CORRELATIONS}.parquet": (CORRELATIONS, found.correlations),
        _DROPS: (schema.DROPS, found.drops),
    }
    hashes = {}
    for name, (fields, rows) in tables.items():
        table = pa.Table.from_pylist(list(rows), schema=fields)
        write_parquet(out / name, fields, [table])
        hashes[name] = schema.table_hash(table)
    _write_tsv(out / f"{_SUMMARY}.tsv", SUMMARY.names, found.summary)
    _write_tsv(out / f"{_CORRELATIONS}.tsv", CORRELATIONS.names, found.correlations)
    told = {
        **about, **found.about, "tables": hashes,
        "summary": found.summary, "correlations": found.correlations,
    }  # fmt: skip
    write_json(out / ABOUT, told)
    return told


def _write_tsv(path: Path, names: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(names)
        writer.writerows([_cell(row[name]) for name in names] for row in rows)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def read_polarity(folder: Path) -> PolarityFolder:
    """Read what `write_polarity` wrote. Raises InputError for a folder that is not such a one."""
    path = Path(folder) / ABOUT
    if not path.is_file():
        raise InputError(
            f"no {ABOUT} here: no measurement of polarity, or one that was cut off",
            where=folder,
            hint="curate occupations polarity --data DIR --model MODEL --out DIR",
        )
    try:
        about = json.loads(path.read_text(encoding="utf-8"))
        summary, correlations = about.pop("summary"), about.pop("correlations")
        hashes = about["tables"]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"not an account of polarity ({error})", where=path) from error
    tables = {}
    for name in (_VALUES, _STABILITY):
        tables[name] = read_parquet(Path(folder) / name)
        if schema.table_hash(tables[name]) != hashes.get(name):
            raise InputError(f"not the table that {ABOUT} names", where=Path(folder) / name)
    return PolarityFolder(tables[_VALUES], tables[_STABILITY], summary, correlations, about)
