"""What an unfinished run has done so far: its parts, each with the mark of its maker."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from curate.engine.files import read_json, write_json, write_parquet
from curate.engine.stage import Config, Stage, config_hash, run_stage
from curate.engine.storage import is_remote, make_folder, remove_folder, settled
from curate.errors import CurateError, InputError, UsageError, first_line

__all__ = ["Part", "Parts", "gaps"]

_RUN = "run.json"


@dataclass(frozen=True, order=True)
class Part:
    """A finished table: where its input starts (rows, from 0), its input rows, rows by output."""

    start: int
    rows: int
    written: dict[str, int] = field(default_factory=dict, compare=False)

    @property
    def end(self) -> int:
        return self.start + self.rows


class Parts:
    """The folder ``parts/`` of a run: ``run.json`` says of what, every part has its tables.

    A part counts once its mark (a small JSON file, written last and by whoever made the part) is
    there. Nothing else is recorded, so that it does not matter who is killed, and when. What a run
    is of stands in the name of its files, so that nobody takes what another run has left, or still
    writes, for its own. An object of this class can be sent to another process, which may `make`
    parts.
    """

    def __init__(self, folder: Path, *, stage: Stage, config: Config, source: str) -> None:
        self.folder = folder
        self.stage = stage
        self.config = config
        self._key = {
            "stage": stage.name,
            "version": stage.version,
            "config": config_hash(stage, config),
            "input": source,
        }
        key = json.dumps(self._key, sort_keys=True)
        self._run = hashlib.sha256(key.encode()).hexdigest()[:12]
        self.done: list[Part] = []

    def open(self, *, restart: bool = False) -> None:
        """Find the finished parts of the same run, or start; raise UsageError if it is another."""
        if restart:
            self.remove()
        run = self.folder / _RUN
        with settled(run):
            if run.is_file():
                self._refuse_another(read_json(run))
                self.done = self._found()
                return
            make_folder(self.folder)
        write_json(run, self._key)

    def _refuse_another(self, found: dict[str, Any]) -> None:
        changed = [name for name, value in self._key.items() if found.get(name) != value]
        if changed:
            raise UsageError(
                f"an unfinished run with another {' and '.join(changed)} lies here",
                where=self.folder.parent,
                hint="--restart throws its parts away and begins anew; or name another folder",
            )

    def _found(self) -> list[Part]:
        """The parts that are whole: marked, their files as large as the mark says, none twice."""
        files = {path.name: path for path in self.folder.iterdir()}
        found: list[Part] = []
        marks = re.compile(rf"(\d{{12}})\+(\d+)-{self._run}\.json")
        for name in sorted(files):
            match = marks.fullmatch(name)
            if match is None:
                continue
            part = Part(int(match[1]), int(match[2]))
            try:
                mark = read_json(files[name])
            except InputError:  # a disk that lost power may leave it empty
                continue
            whole = all(
                (path := files.get(self.path(part, output).name)) is not None
                and path.stat().st_size == size
                for output, size in mark["bytes"].items()
            )
            if whole and (not found or part.start >= found[-1].end):
                found.append(Part(part.start, part.rows, mark["written"]))
        return found

    def path(self, part: Part, output: str) -> Path:
        return self.folder / f"{self._name(part)}-{output}.parquet"

    def _mark(self, part: Part) -> Path:
        return self.folder / f"{self._name(part)}.json"

    def _name(self, part: Part) -> str:
        return f"{part.start:012d}+{part.rows}-{self._run}"

    def make(self, start: int, table: pa.Table) -> Part:
        """Run the stage on the rows from `start` on and write what comes out: in any process."""
        outputs = run_stage(self.stage, table, self.config)
        part = Part(start, table.num_rows)
        written = {
            name: write_parquet(self.path(part, name), made.schema, [made], checksums=True)
            for name, made in outputs.items()
        }
        with settled(self.folder):
            sizes = {name: self.path(part, name).stat().st_size for name in written}
        write_json(self._mark(part), {"written": written, "bytes": sizes})
        _release()
        return Part(part.start, part.rows, written)

    def add(self, part: Part) -> None:
        """Count a part that has been made, in whatever order."""
        self.done.append(part)

    def close(self) -> None:
        """Put the parts in order; InputError where rows are missing or there twice."""
        self.done.sort()
        end = 0
        for part in self.done:
            if part.start != end:
                raise InputError(
                    f"the parts do not fit: rows {end} and {part.start} should be one",
                    where=self.folder,
                    hint="run the same command with --restart",
                )
            end = part.end

    @property
    def rows(self) -> int:
        """Input rows that need not be read again."""
        return sum(part.rows for part in self.done)

    def read(self, output: str, *, columns: list[str] | None = None) -> Iterator[pa.Table]:
        """One output of all finished parts, in order, a part at a time."""
        for part in self.done:
            yield self._read(part, output, columns)
            _release()

    def _read(self, part: Part, output: str, columns: list[str] | None) -> pa.Table:
        path = self.path(part, output)
        try:
            file: Any = path
            if is_remote(path):
                with settled(path):
                    file = pa.BufferReader(path.read_bytes())
            # on one thread: a part is small, and every thread would keep memory of its own
            return pq.read_table(
                file, columns=columns, use_threads=False, pre_buffer=False,
                page_checksum_verification=True,
            )  # fmt: skip
        except (pa.ArrowException, OSError) as error:  # Arrow has both for what it cannot read
            with settled(path):
                self._mark(part).unlink(missing_ok=True)
            raise CurateError(
                f"this part of the run is damaged or gone ({first_line(error)})",
                where=path,
                hint="run the same command again: it is made anew",
            ) from error

    def remove(self) -> None:
        """Throw the parts away (the results have been put together, or the run starts anew)."""
        remove_folder(self.folder)
        self.done = []


def gaps(batches: Iterable[pa.Table], done: Iterable[Part]) -> Iterator[tuple[int, pa.Table]]:
    """What of the batches no part holds yet, each with the row at which it starts."""
    parts = iter(sorted(done))
    part = next(parts, None)
    start = 0
    for batch in batches:
        end = start + batch.num_rows
        at = start
        while part is not None and part.start < end:
            if at < part.start:
                yield at, batch.slice(at - start, part.start - at)
            at = min(max(at, part.end), end)
            if part.end > end:
                break
            part = next(parts, None)
        if at < end:
            yield at, batch.slice(at - start)
        start = end


def _release() -> None:
    """Give Arrow's free memory back, so that a run over any corpus stays as small as one part."""
    pa.default_memory_pool().release_unused()
