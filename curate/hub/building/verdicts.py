"""What the pair checks found in a run, where `curate pairs check --write` left its verdicts."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa

from curate import schema
from curate.checks import CODES, count_codes
from curate.checks.stored import VERDICTS_FILE, read_stamp
from curate.errors import InputError
from curate.sources.files import sha256_file
from curate.sources.tables import read_parquet

__all__ = ["read_verdicts"]

_SHOWN = 3


def read_verdicts(folder: Path, pairs: Path) -> dict[str, Any] | None:
    """``{curate, pairs, codes}`` of a run's verdicts: rows by code, notes among them.

    None where there are no verdicts, or they are about other pairs than these. Raises InputError
    where a pair is broken: the first code that says so, with the first rows.
    """
    path = folder / VERDICTS_FILE
    if not path.is_file():
        return None
    stamp = read_stamp(path)
    if stamp is None or stamp.pairs_sha256 != sha256_file(pairs):
        return None
    table = read_parquet(path, wanted=schema.VERDICTS.names)
    unknown = sorted(set(table.column("code").unique().to_pylist()) - CODES.keys())
    if unknown:
        raise InputError(f"a code that no check gives: {unknown[0]}", where=path)
    _refuse_errors(table, path)
    return {"curate": stamp.curate, "pairs": stamp.pairs, "codes": count_codes(table)}


def _refuse_errors(table: pa.Table, path: Path) -> None:
    rows: dict[str, list[int]] = {}
    counts: Counter[str] = Counter()
    for code, row in zip(*(table.column(n).to_pylist() for n in ("code", "row")), strict=True):
        if CODES[code].level == "error":
            counts[code] += 1
            rows.setdefault(code, []).append(row)
    if not counts:
        return
    code = next(code for code in CODES if counts[code])
    shown = ", ".join(str(row) for row in rows[code][:_SHOWN])
    more = f", and {len(counts) - 1} other codes" if len(counts) > 1 else ""
    raise InputError(
        f"{counts[code]:,} pairs are broken, {code}: {CODES[code].meaning} (rows {shown}){more}",
        where=path,
        hint=f"curate pairs check {path.parent} shows them; they are not released",
    )
