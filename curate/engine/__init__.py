"""Runs a stage over batches; knows no domain."""

from __future__ import annotations

from curate.engine.files import (
    ParquetTable,
    ahead,
    open_parquet,
    read_json,
    row_groups,
    write_json,
    write_parquet,
)
from curate.engine.local import available_workers
from curate.engine.parts import Part, Parts
from curate.engine.running import LOCAL, Engine, run, run_local, usual_rows
from curate.engine.stage import Config, Outputs, Stage, config_hash, run_stage
from curate.engine.storage import (
    alone,
    folder_at,
    is_remote,
    make_folder,
    not_written,
    remove_folder,
    replacing,
    settled,
)

__all__ = [
    "LOCAL",
    "Config",
    "Engine",
    "Outputs",
    "ParquetTable",
    "Part",
    "Parts",
    "Stage",
    "ahead",
    "alone",
    "available_workers",
    "config_hash",
    "folder_at",
    "is_remote",
    "make_folder",
    "not_written",
    "open_parquet",
    "read_json",
    "remove_folder",
    "replacing",
    "row_groups",
    "run",
    "run_local",
    "run_stage",
    "settled",
    "usual_rows",
    "write_json",
    "write_parquet",
]
