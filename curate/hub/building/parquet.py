"""Parquet in and out, a group of rows at a time: memory does not grow with the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from curate.engine import replacing, row_groups
from curate.errors import InputError
from curate.sources.tables import read_parquet_schema

__all__ = ["ROW_GROUP", "read_columns", "rows_of", "stream", "write_stream"]

ROW_GROUP = 65_536
"""Rows in a row group of a release: one request of a reader who streams, and little memory here."""

_BATCH = 8_192

_DISTINCT = frozenset(
    ("pair_id", "sent_id", "masculine", "feminine", "sent_more", "sent_less", "qid", "name")
)
"""Columns whose values are mostly different. A dictionary of them would stand at the head of every
group, and be another one wherever a row more comes before."""


def stream(path: Path, columns: pa.Schema) -> Iterator[pa.Table]:
    """The rows of a file in their order, in pieces, with just these columns and types.

    Raises InputError for what is no parquet file or has other columns.
    """
    for table in read_columns(path, columns.names):
        try:
            yield table.cast(columns)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError, ValueError) as error:
            message = str(error).splitlines()[0]
            raise InputError(f"other columns than ours ({message})", where=path) from error


def read_columns(path: Path, names: Sequence[str]) -> Iterator[pa.Table]:
    """These columns (``fill.model``: a field of one) of a file, in pieces, in their order."""
    found = read_parquet_schema(path).names
    missing = [name for name in names if name.split(".")[0] not in found]
    if missing:
        raise InputError(
            f"no column {' and no column '.join(map(repr, missing))}; "
            f"the columns are {', '.join(map(repr, found))}",
            where=path,
        )
    order = list(dict.fromkeys(name.split(".")[0] for name in names))
    try:
        # reading ahead would hold a whole file in memory
        with pq.ParquetFile(path, pre_buffer=False) as file:
            for batch in file.iter_batches(batch_size=_BATCH, columns=list(names)):
                yield pa.Table.from_batches([batch]).select(order)
    except (pa.ArrowInvalid, OSError) as error:
        message = str(error).splitlines()[0]
        raise InputError(f"cannot be read to its end ({message})", where=path) from error


def rows_of(path: Path) -> int:
    """The number of rows of a parquet file; InputError where it is none."""
    read_parquet_schema(path)
    return int(pq.read_metadata(path).num_rows)


def write_stream(path: Path, columns: pa.Schema, tables: Iterable[pa.Table]) -> int:
    """Write tables as one file and return its rows; its bytes depend on the rows alone.

    Pages end where the content says (content-defined chunking): in a later version that adds rows,
    storage which cuts files by content finds most pages again. The index of pages lets a reader
    fetch only those it wants.
    """
    rows = 0
    with (
        replacing(path) as new,
        pq.ParquetWriter(
            new, columns, compression="zstd", write_page_index=True,
            use_content_defined_chunking=True, use_dictionary=_repeating(columns),
        ) as writer,
    ):  # fmt: skip
        for table in row_groups(tables, ROW_GROUP):
            writer.write_table(table, row_group_size=ROW_GROUP)
            rows += table.num_rows
    return rows


def _repeating(columns: pa.Schema) -> list[str]:
    """The paths of all simple values in the columns that are worth a dictionary."""
    return [
        leaf
        for column in columns
        if column.name not in _DISTINCT
        for leaf in _leaves(column.name, column.type)
    ]


def _leaves(path: str, kind: pa.DataType) -> Iterator[str]:
    """The paths of the simple values in a column, as parquet names them."""
    if pa.types.is_list(kind):
        yield from _leaves(f"{path}.list.element", kind.value_type)
    elif pa.types.is_struct(kind):
        for field in kind:
            yield from _leaves(f"{path}.{field.name}", field.type)
    else:
        yield path
