"""Runs a stage over batches; knows no domain."""

from __future__ import annotations

from curate.engine.files import replacing, row_groups, write_json, write_parquet
from curate.engine.local import available_workers, run_local
from curate.engine.progress import Part, Parts
from curate.engine.stage import Config, Outputs, Stage, config_hash, run_stage

__all__ = [
    "Config",
    "Outputs",
    "Part",
    "Parts",
    "Stage",
    "available_workers",
    "config_hash",
    "replacing",
    "row_groups",
    "run_local",
    "run_stage",
    "write_json",
    "write_parquet",
]
