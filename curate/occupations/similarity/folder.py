"""The folder that `curate occupations score` writes, and reading it again."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from curate.engine import replacing, write_json, write_parquet
from curate.errors import InputError
from curate.occupations.similarity.summary import Summary
from curate.occupations.similarity.tables import SCORES, SUMMARY
from curate.sources.tables import read_parquet

__all__ = ["RECORD", "SimilarityFolder", "find_similarity", "read_similarity", "write_similarity"]

SCORES_FILE = "scores.parquet"
SUMMARY_FILE = "summary.parquet"
SUMMARY_TEXT = "summary.tsv"
RECORD = "similarity.json"
"""Not ``summary.json``: that name is for the records of `curate score`, which the report reads."""

KIND = "occupation similarity"


@dataclass(frozen=True)
class SimilarityFolder:
    """A folder with its `SCORES`, its `SUMMARY` and the record that says all of the summary."""

    path: Path
    scores: pa.Table
    summary: pa.Table
    record: dict[str, Any]


def write_similarity(summary: Summary, scores: pa.Table, out: Path) -> SimilarityFolder:
    """Write the tables and, last, the record."""
    out.mkdir(parents=True, exist_ok=True)
    (out / RECORD).unlink(missing_ok=True)  # without it the folder is not whole
    write_parquet(out / SCORES_FILE, SCORES, [scores])
    write_parquet(out / SUMMARY_FILE, SUMMARY, [summary.table])
    _write_text(out / SUMMARY_TEXT, summary.table.to_pylist())
    write_json(out / RECORD, summary.record)
    return SimilarityFolder(out, scores, summary.table, summary.record)


def read_similarity(folder: Path) -> SimilarityFolder:
    """Read what `write_similarity` wrote. Raises InputError for a folder that is not such a one."""
    folder = Path(folder)
    path = folder / RECORD
    if not path.is_file():
        raise InputError(
            f"no {RECORD} here: no scores of occupations, or a run that was cut off",
            where=folder,
            hint="curate occupations score --data DIR --model MODEL --out DIR",
        )
    record = _record(path)
    tables = [read_parquet(folder / name) for name in (SCORES_FILE, SUMMARY_FILE)]
    for table, fields, name in zip(
        tables, (SCORES, SUMMARY), (SCORES_FILE, SUMMARY_FILE), strict=True
    ):
        if table.schema.names != fields.names:
            raise InputError("not a table of these scores", where=folder / name)
    return SimilarityFolder(folder, tables[0], tables[1], record)


def find_similarity(folder: Path) -> list[SimilarityFolder]:
    """The folders of scores of occupations in or below a folder, by name."""
    return [read_similarity(path.parent) for path in sorted(folder.glob(f"**/{RECORD}"))]


def _record(path: Path) -> dict[str, Any]:
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError("not JSON", where=path, hint="score again") from error
    if not isinstance(record, dict) or record.get("kind") != KIND:
        raise InputError("not a record of scores of occupations", where=path)
    return record


def _write_text(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """The summary as text, numbers to six digits; "" for what is not known."""
    with replacing(path) as new, new.open("w", encoding="utf-8", newline="") as handle:
        writer = csv.writer(handle, delimiter="\t", lineterminator="\n")
        writer.writerow(SUMMARY.names)
        for row in rows:
            writer.writerow([_cell(row[name]) for name in SUMMARY.names])


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
