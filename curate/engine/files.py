"""Files that are whole or not there, whose bytes depend on what is in them alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from curate.engine.storage import replacing, settled
from curate.errors import InputError

__all__ = [
    "ROW_GROUP",
    "ParquetTable",
    "ahead",
    "open_parquet",
    "read_json",
    "row_groups",
    "write_json",
    "write_parquet",
]

ROW_GROUP = 8_192
"""Rows in a row group of every file we write, however the rows came."""


def write_json(path: Path, value: Any) -> None:
    """Write JSON in one form: sorted keys, two spaces, a newline at the end."""
    with replacing(path) as temporary:
        text = json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True)
        temporary.write_text(text + "\n", encoding="utf-8")


def read_json(path: Path) -> dict[str, Any]:
    """What `write_json` wrote; InputError where the file is damaged."""
    with settled(path):
        whole = path.read_bytes()
    try:
        found = json.loads(whole)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise InputError(
            "this file of a run is damaged", where=path, hint="begin anew with --restart"
        )
    return found


class ParquetTable:
    """A parquet file in the making, whose bytes depend on its rows alone, however they came.

    A thread of its own compresses and writes, a table behind the one that is added.
    """

    def __init__(self, writer: pq.ParquetWriter, thread: ThreadPoolExecutor) -> None:
        self.rows = 0
        self._writer = writer
        self._thread = thread
        self._groups = RowGroups(ROW_GROUP)
        self._written: Future[None] | None = None

    def add(self, table: pa.Table) -> None:
        self.rows += table.num_rows
        self._write(self._groups.add(table))

    def finish(self) -> None:
        self._write(self._groups.rest())
        self._wait()

    def _write(self, table: pa.Table | None) -> None:
        if table is not None:
            self._wait()
            self._written = self._thread.submit(
                self._writer.write_table, table, row_group_size=ROW_GROUP
            )

    def _wait(self) -> None:
        if self._written is not None:
            self._written.result()


@contextmanager
def open_parquet(
    path: Path, schema: pa.Schema, *, checksums: bool = False
) -> Iterator[ParquetTable]:
    """A parquet file to add tables to; it is there, whole, once the block has ended well."""
    # zstd finds what repeats; dictionaries besides it make files larger and twice as slow to write
    options = {"compression": "zstd", "use_dictionary": False, "write_page_index": True}
    with (
        replacing(path) as new,
        pq.ParquetWriter(new, schema, write_page_checksum=checksums, **options) as writer,
        ThreadPoolExecutor(1) as thread,
    ):
        table = ParquetTable(writer, thread)
        yield table
        table.finish()


def write_parquet(
    path: Path, schema: pa.Schema, tables: Iterable[pa.Table], *, checksums: bool = False
) -> int:
    """Write tables as one parquet file and return its rows; its bytes depend on the rows alone.

    With `checksums` every page has one, so that a reader who verifies them misses no wrong bit.
    """
    with open_parquet(path, schema, checksums=checksums) as whole:
        for table in tables:
            whole.add(table)
    return whole.rows


def ahead(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """The same tables; each is made by another thread while the one before it is in use."""
    with ThreadPoolExecutor(1) as thread:
        coming = iter(tables)
        table = thread.submit(next, coming, None)
        while (here := table.result()) is not None:
            table = thread.submit(next, coming, None)
            yield here


class RowGroups:
    """Cuts rows into whole groups of `size`, however they come."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._held: list[pa.Table] = []
        self._rows = 0

    def add(self, table: pa.Table) -> pa.Table | None:
        """The whole groups that there are now, as one table; None where there is none yet."""
        self._held.append(table)
        self._rows += table.num_rows
        if self._rows < self._size:
            return None
        whole = pa.concat_tables(self._held)
        cut = self._rows - self._rows % self._size
        self._held, self._rows = [whole.slice(cut)], self._rows - cut
        return whole.slice(0, cut).combine_chunks()

    def rest(self) -> pa.Table | None:
        """What is left, less than a group; None where nothing is."""
        return pa.concat_tables(self._held).combine_chunks() if self._rows else None


def row_groups(tables: Iterable[pa.Table], size: int) -> Iterator[pa.Table]:
    """The same rows in tables of whole groups of `size`, but for the last, however they came."""
    groups = RowGroups(size)
    for table in tables:
        if (whole := groups.add(table)) is not None:
            yield whole
    if (rest := groups.rest()) is not None:
        yield rest
