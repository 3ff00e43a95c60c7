"""Parquet corpora, a row group at a time, from a disk or a store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pyarrow as pa
import pyarrow.parquet as pq

from curate.errors import InputError, first_line
from curate.sources.blocks import TextBlock, arrow_block, is_text, origin_columns
from curate.sources.files import open_raw
from curate.sources.formats import Reading, no_column

__all__ = ["read_parquet_texts"]

_ROWS = 8192
_BUFFER = 1 << 20


def read_parquet_texts(path: Path, reading: Reading) -> Iterator[TextBlock]:
    """The texts of a parquet file; memory stays under one row group of the wanted columns."""
    with open_raw(path) as stream:
        file = _opened(path, stream)
        origins = _origins(path, file.schema_arrow, reading)
        size, whole, done = stream.seek(0, 2), max(1, file.metadata.num_rows), 0
        for batch in _batches(path, file, [reading.column, *origins.values()]):
            yield arrow_block(
                batch, reading.column, origins, where=path, row=done, strict=reading.strict
            )
            done += batch.num_rows
            reading.on_bytes(size * done // whole)


def _opened(path: Path, stream: IO[bytes]) -> pq.ParquetFile:
    # a disk is read as it goes; a store is asked for a row group's columns at once
    store = hasattr(path, "fs")
    try:
        return pq.ParquetFile(stream, pre_buffer=store, buffer_size=0 if store else _BUFFER)
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"not a parquet file ({_line(error)})", where=path) from error


def _batches(path: Path, file: pq.ParquetFile, columns: list[str]) -> Iterator[pa.RecordBatch]:
    try:
        for group in range(file.num_row_groups):
            yield from file.iter_batches(_ROWS, row_groups=[group], columns=columns)
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"not a whole parquet file ({_line(error)})", where=path) from error


def _origins(path: Path, schema: pa.Schema, reading: Reading) -> dict[str, str]:
    """The columns that tell where a row is from; InputError where there is no text."""
    if reading.column not in schema.names:
        raise no_column(path, reading.column, schema.names)
    if schema.names.count(reading.column) > 1:
        raise InputError(f"more than one column is called {reading.column!r}", where=path)
    kind = schema.field(reading.column).type
    if not is_text(kind):
        raise InputError(f"the column {reading.column!r} holds {kind}, not text", where=path)
    told = origin_columns(schema.names, reading.carried, reading.column)
    return {
        name: column for name, column in told.items()
        if schema.names.count(column) == 1 and is_text(schema.field(column).type)
    }  # fmt: skip


def _line(error: BaseException) -> str:
    return first_line(error)[:200]
