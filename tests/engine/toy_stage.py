"""A stage that divides numbers: what the tests of the engine run."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from curate.engine import Stage
from curate.errors import CurateError, UnreadableError

NUMBERS = pa.schema([pa.field("n", pa.int64(), nullable=False)])


class Config:
    """A config without pydantic: the engine wants no more than this."""

    def __init__(self, by: int = 2, fail_at: int = -1, once: Path | None = None) -> None:
        self.by, self.fail_at, self.once = by, fail_at, once

    def model_dump(self, *, mode: str) -> dict[str, Any]:
        assert mode == "json"
        return {"by": self.by}


def divide(table: pa.Table, config: Config) -> dict[str, pa.Table]:
    numbers = table.column("n").to_pylist()
    if config.fail_at in numbers:
        raise CurateError("here it ends", where=f"row {config.fail_at}", hint="choose another")
    whole = [n for n in numbers if n % config.by == 0]
    rest = [n for n in numbers if n % config.by]
    return {
        name: pa.table({"n": rows}, NUMBERS) for name, rows in (("whole", whole), ("rest", rest))
    }


def die(table: pa.Table, config: Config) -> dict[str, pa.Table]:
    os._exit(9)


def die_once(table: pa.Table, config: Config) -> dict[str, pa.Table]:
    """Kill the process that works on row 50, but only the first."""
    assert config.once is not None
    if 50 in table.column("n").to_pylist() and not config.once.exists():
        config.once.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return divide(table, config)


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
DYING_ONCE = replace(STAGE, function=die_once)


def batches(total: int, rows: int) -> Iterator[pa.Table]:
    for start in range(0, total, rows):
        yield pa.table({"n": list(range(start, min(total, start + rows)))}, NUMBERS)


class Unreadable:
    """Batches that end in an error of ours."""

    def __iter__(self) -> Iterator[pa.Table]:
        yield from batches(30, 10)
        raise UnreadableError("no more can be read", where="corpus:31", hint="mend the corpus")
