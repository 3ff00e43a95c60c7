"""What an unfinished run has done so far: its parts, on disk, one after another."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from curate.engine.files import write_json, write_parquet
from curate.engine.stage import Stage
from curate.errors import UsageError

__all__ = ["Part", "Parts"]

_STATE = "state.json"


@dataclass(frozen=True)
class Part:
    """One finished table: its number from 0, its input rows, and the rows of each output."""

    number: int
    rows: int
    written: dict[str, int] = field(default_factory=dict)


class Parts:
    """The folder ``parts/`` of a run and its ``state.json``, which names only finished parts."""

    def __init__(self, folder: Path, *, stage: Stage, config: str, source: str) -> None:
        self.folder = folder
        self.stage = stage
        self._key = {
            "stage": stage.name,
            "version": stage.version,
            "config": config,
            "input": source,
        }
        self.done: list[Part] = []

    def open(self, *, restart: bool) -> None:
        """Find the finished parts of the same run, or start; raise UsageError if it is another."""
        state = self.folder / _STATE
        if restart:
            self.remove()
        if state.is_file():
            found = json.loads(state.read_text(encoding="utf-8"))
            changed = [name for name, value in self._key.items() if found.get(name) != value]
            if changed:
                raise UsageError(
                    f"an unfinished run with another {' and '.join(changed)} lies here",
                    where=self.folder.parent,
                    hint="--restart throws its parts away and begins anew; or name another folder",
                )
            self.done = [Part(**part) for part in found["parts"]]
        self.folder.mkdir(parents=True, exist_ok=True)
        self._save()

    def _save(self) -> None:
        write_json(
            self.folder / _STATE, {**self._key, "parts": [asdict(part) for part in self.done]}
        )

    def path(self, number: int, output: str) -> Path:
        return self.folder / f"{number:06d}-{output}.parquet"

    def write(self, number: int, outputs: dict[str, pa.Table]) -> dict[str, int]:
        """Write a part's tables (any process may); it counts once `finish` has recorded it."""
        rows = {
            name: write_parquet(self.path(number, name), table.schema, [table])
            for name, table in outputs.items()
        }
        _release()
        return rows

    def finish(self, part: Part) -> None:
        self.done.append(part)
        self._save()

    @property
    def rows(self) -> int:
        """Input rows that need not be read again."""
        return sum(part.rows for part in self.done)

    def read(self, output: str, *, columns: list[str] | None = None) -> Iterator[pa.Table]:
        """One output of all finished parts, in order, a part at a time."""
        for part in self.done:
            path = self.path(part.number, output)
            # on one thread: a part is small, and every thread would keep memory of its own
            yield pq.read_table(path, columns=columns, use_threads=False, pre_buffer=False)
            _release()

    def remove(self) -> None:
        """Throw the parts away (the results have been put together, or the run starts anew)."""
        if self.folder.exists():
            shutil.rmtree(self.folder)
        self.done = []


def _release() -> None:
    """Give Arrow's free memory back, so that a run over any corpus stays as small as one part."""
    pa.default_memory_pool().release_unused()
