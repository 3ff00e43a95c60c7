"""What a stage is: a module-level function from a table and a config to named tables."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import pyarrow as pa

__all__ = ["Config", "Outputs", "Stage", "config_hash", "run_stage"]

Outputs = Mapping[str, pa.Table]


class Config(Protocol):
    """What a stage is configured with: any picklable object that writes itself as JSON values."""

    def model_dump(self, *, mode: str) -> dict[str, Any]: ...


@dataclass(frozen=True, kw_only=True)
class Stage:
    """A step of the work, whatever runs it.

    `function` must be importable by name, so that another process can find it, and must treat every
    row by itself: how rows are cut into tables may not change what comes out, in rows or order.
    `reads` are the columns that it needs; `writes` the schema of each output; `version` changes
    whenever the same input would come out otherwise. `model`: it loads a neural network, which is
    worth a process (and a GPU, where there is one) of its own for as long as the run takes.
    """

    name: str
    version: str
    function: Callable[[pa.Table, Any], Outputs]
    reads: tuple[str, ...]
    writes: Mapping[str, pa.Schema]
    model: bool = False


def run_stage(stage: Stage, table: pa.Table, config: Config) -> dict[str, pa.Table]:
    """Run a stage on one table and hold it to what it declares; outputs in the declared schemas."""
    missing = set(stage.reads) - set(table.schema.names)
    if missing:
        raise TypeError(f"stage {stage.name} reads {sorted(missing)}, which its input lacks")
    outputs = stage.function(table, config)
    if set(outputs) != set(stage.writes):
        raise TypeError(f"stage {stage.name} wrote {sorted(outputs)}, not {sorted(stage.writes)}")
    return {
        name: outputs[name].select(schema.names).cast(schema)
        for name, schema in stage.writes.items()
    }


def config_hash(stage: Stage, config: Config) -> str:
    """SHA-256 of a stage's name, version and outputs, and of its whole config."""
    described = {
        "stage": stage.name,
        "version": stage.version,
        "writes": {name: str(schema) for name, schema in sorted(stage.writes.items())},
        "config": config.model_dump(mode="json"),
    }
    return hashlib.sha256(json.dumps(described, sort_keys=True).encode()).hexdigest()
