"""Verdicts as CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pyarrow as pa

from curate.checks.codes import CODES
from curate.checks.table import count_codes
from curate.sources.delimited import guarded

__all__ = ["codes_json", "rows_with_findings", "verdicts_csv", "verdicts_json"]


def verdicts_csv(verdicts: pa.Table) -> str:
    """A header and one line a verdict: row (from 0), code, detail."""
    sink = io.StringIO()
    writer = csv.writer(sink, lineterminator="\n")
    writer.writerow(("row", "code", "detail"))
    for verdict in verdicts.to_pylist():
        writer.writerow((verdict["row"], verdict["code"], guarded(verdict["evidence"])))
    return sink.getvalue()


def verdicts_json(shown: pa.Table, verdicts: pa.Table, *, rows: int) -> str:
    """An object: rows checked, rows with findings, rows by code, and the `shown` verdicts."""
    content: dict[str, Any] = {
        "rows": rows,
        "rows_with_findings": rows_with_findings(verdicts),
        "codes": count_codes(verdicts),
        "verdicts": [
            {**verdict, "level": CODES[verdict["code"]].level} for verdict in shown.to_pylist()
        ],
    }
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def rows_with_findings(verdicts: pa.Table) -> int:
    """How many rows have an error or a warning."""
    pairs = zip(verdicts.column("row").to_pylist(), verdicts.column("ok").to_pylist(), strict=True)
    return len({row for row, ok in pairs if not ok})


def codes_json() -> str:
    """The table of codes."""
    table = [
        {name: getattr(code, name) for name in ("code", "check", "level", "meaning", "example")}
        for code in CODES.values()
    ]
    return json.dumps(table, ensure_ascii=False, indent=2) + "\n"
