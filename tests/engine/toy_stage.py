"""A stage that divides numbers: what the tests of the engine run."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pyarrow as pa

from curate.engine import Stage
from curate.errors import CurateError

NUMBERS = pa.schema([pa.field("n", pa.int64(), nullable=False)])


class Config:
    """A config without pydantic: the engine wants no more than this."""

    def __init__(self, by: int = 2, fail_at: int = -1) -> None:
        self.by, self.fail_at = by, fail_at

    def model_dump(self, *, mode: str) -> dict[str, Any]:
        assert mode == "json"
        return {"by": self.by}


def divide(table: pa.Table, config: Config) -> dict[str, pa.Table]:
    numbers = table.column("n").to_pylist()
    if config.fail_at in numbers:
        raise CurateError("here it ends")
    whole = [n for n in numbers if n % config.by == 0]
    rest = [n for n in numbers if n % config.by]
    return {
        name: pa.table({"n": rows}, NUMBERS) for name, rows in (("whole", whole), ("rest", rest))
    }


def die(table: pa.Table, config: Config) -> dict[str, pa.Table]:
    os._exit(9)


def slow(table: pa.Table, config: Config) -> dict[str, pa.Table]:
    time.sleep(0.05)
    return divide(table, config)


STAGE = Stage(
    name="divide", version="1", function=divide, reads=("n",),
    writes={"whole": NUMBERS, "rest": NUMBERS},
)  # fmt: skip


SECOND = replace(STAGE, version="2")
SLOW = replace(STAGE, function=slow)
DYING = replace(STAGE, function=die)


def batches(total: int, rows: int) -> Iterator[pa.Table]:
    for start in range(0, total, rows):
        yield pa.table({"n": list(range(start, min(total, start + rows)))}, NUMBERS)
