"""Files that are whole or not there: a temporary name first, then one rename."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

__all__ = ["ROW_GROUP", "replacing", "row_groups", "write_json", "write_parquet"]

ROW_GROUP = 8_192
"""Rows in a row group of every file we write, however the rows came."""


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary path beside `path` that becomes it at the end, or nothing at all on an error."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_json(path: Path, value: Any) -> None:
    """Write JSON in one form: sorted keys, two spaces, a newline at the end."""
    with replacing(path) as temporary:
        text = json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True)
        temporary.write_text(text + "\n", encoding="utf-8")


def write_parquet(path: Path, schema: pa.Schema, tables: Iterable[pa.Table]) -> int:
    """Write tables as one parquet file and return its rows; its bytes depend on the rows alone."""
    rows = 0
    options = {"compression": "zstd", "write_page_index": True}
    with replacing(path) as new, pq.ParquetWriter(new, schema, **options) as writer:
        for table in row_groups(tables, ROW_GROUP):
            writer.write_table(table, row_group_size=ROW_GROUP)
            rows += table.num_rows
    return rows


def row_groups(tables: Iterable[pa.Table], size: int) -> Iterator[pa.Table]:
    """The same rows in tables of whole groups of `size`, but for the last, however they came."""
    held: list[pa.Table] = []
    rows = 0
    for table in tables:
        held.append(table)
        rows += table.num_rows
        if rows < size:
            continue
        whole = pa.concat_tables(held)
        cut = rows - rows % size
        yield whole.slice(0, cut).combine_chunks()
        held, rows = [whole.slice(cut)], rows - cut
    if rows:
        yield pa.concat_tables(held).combine_chunks()
