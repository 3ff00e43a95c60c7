"""Whether every configuration has the table that it should have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from curate.errors import InputError
from curate.hub.building.parquet import stream
from curate.hub.check.problem import Problem, problem
from curate.hub.check.rows import RowCheck
from curate.hub.layout import columns_of, config_schema, data_path, kind_of

__all__ = ["check_table"]


def check_table(folder: Path, config: str, manifest: Mapping[str, Any]) -> Iterator[Problem]:
    """Findings on the file of a configuration, then, if it can be read, on its rows."""
    entry, where = manifest["configs"][config], data_path(config)
    path = folder / where
    if path.is_symlink() or not path.is_file():
        return  # reported as a link, or a missing file
    try:
        described = pq.read_metadata(path)
        found = described.schema.to_arrow_schema().remove_metadata()
    except (pa.ArrowException, OSError) as error:
        yield problem(where, "not-parquet", str(error).splitlines()[0])
        return
    rows = described.num_rows
    listed = manifest["files"].get(where, {}).get("rows")
    for said in dict.fromkeys((entry["rows"], listed)):
        if said != rows:
            yield problem(where, "row-count", f"{rows:,} rows, the manifest says {said}")
    if not rows:
        yield problem(where, "no-rows")
    if not _has_page_index(described):
        yield problem(where, "no-page-index")
    wrong = list(_columns(found, config, entry, where))
    yield from wrong
    if not wrong:
        yield from _rows(path, config, where)


def _columns(
    found: pa.Schema, config: str, entry: Mapping[str, Any], where: str
) -> Iterator[Problem]:
    wanted = config_schema(config)
    if not found.equals(wanted):
        other = sorted({str(f) for f in found} ^ {str(f) for f in wanted})
        said = f"differs in {', '.join(other)}" if other else "in another order"
        yield problem(where, "wrong-columns", said)
    elif entry["columns"] != columns_of(wanted):
        yield problem(where, "wrong-columns", "other than the manifest says")


def _has_page_index(described: pq.FileMetaData) -> bool:
    """Whether every column says where its pages are (a file without rows has none)."""
    return all(
        described.row_group(group).column(column).has_offset_index
        for group in range(described.num_row_groups)
        for column in range(described.num_columns)
    )


def _rows(path: Path, config: str, where: str) -> Iterator[Problem]:
    rows = RowCheck(config, kind_of(config), where)
    try:
        for table in stream(path, config_schema(config)):
            rows.add(table)
    except InputError as error:
        yield problem(where, "not-parquet", error.message)
        return
    yield from rows.problems()
