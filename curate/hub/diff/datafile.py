"""One parquet file of a release, read a column at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from curate.errors import InputError
from curate.hub.diff.keys import Indices

__all__ = ["DataFile", "stored_columns"]

_LARGE = 1 << 30
_ORIGINAL_TEXT = "original_text"


def stored_columns(names: Iterable[str]) -> set[str]:
    """The columns of the file that these are made of."""
    wanted = set(names)
    if _ORIGINAL_TEXT in wanted:
        return (wanted - {_ORIGINAL_TEXT}) | {"masculine", "feminine", "original"}
    return wanted


class DataFile:
    """The rows of one configuration, never all of their columns at once."""

    def __init__(self, folder: Path, name: str) -> None:
        """`name` is relative to the release; InputError where it leaves it or is not there."""
        parts = PurePosixPath(name)
        if parts.is_absolute() or ".." in parts.parts:
            raise InputError(f"a path that leaves the release: {name}", where=folder)
        self.path = folder / parts
        if not self.path.is_file():
            hint = "see `curate release check`"
            raise InputError("missing: the manifest names it", where=self.path, hint=hint)

    @cached_property
    def _file(self) -> pq.ParquetFile:
        try:
            return pq.ParquetFile(self.path)
        except (pa.ArrowException, OSError) as error:
            raise InputError("not a parquet file", where=self.path) from error

    @property
    def schema(self) -> pa.Schema:
        return self._file.schema_arrow

    @property
    def rows(self) -> int:
        return int(self._file.metadata.num_rows)

    def column(self, name: str) -> pa.ChunkedArray:
        """One column; ``original_text`` is the text of the side that a pair was made from."""
        if name == _ORIGINAL_TEXT:
            masculine = pc.equal(self.column("original"), "masculine")
            return pc.if_else(masculine, self.column("masculine"), self.column("feminine"))
        column = self._table([name]).column(0)
        # Texts of more than 2 GiB do not fit the offsets of a plain string array.
        if pa.types.is_string(column.type) and column.nbytes > _LARGE:
            return column.cast(pa.large_string())
        return column

    def columns(self, names: Sequence[str], rows: Indices | None = None) -> pa.Table:
        """Some columns, of some rows."""
        table = pa.table({name: self.column(name) for name in names})
        return table if rows is None else table.take(pa.array(rows))

    def rows_at(self, places: Indices, names: Sequence[str]) -> list[dict[str, Any]]:
        """A few rows as Python values, in the given order; only their row groups are read."""
        found: dict[int, dict[str, Any]] = {}
        start = 0
        for number in range(self._file.num_row_groups):
            size = self._file.metadata.row_group(number).num_rows
            here = np.unique(places[(places >= start) & (places < start + size)])
            if here.size:
                table = self._table(names, [number]).take(pa.array(here - start))
                found |= dict(zip(here.tolist(), table.to_pylist(), strict=True))
            start += size
        return [found[place] for place in places.tolist()]

    def has(self, names: Iterable[str]) -> bool:
        """Whether all these columns are here."""
        return stored_columns(names) <= set(self.schema.names)

    def _table(self, names: Sequence[str], groups: Sequence[int] | None = None) -> pa.Table:
        try:
            if groups is None:
                return self._file.read(columns=list(names))
            return self._file.read_row_groups(list(groups), columns=list(names))
        except (pa.ArrowException, OSError) as error:
            raise InputError("the parquet file is damaged", where=self.path) from error
