"""Quantiles of the differences between the two sides of a pair, for the violins."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from curate.sources.tables import read_parquet

__all__ = ["Differences"]

_QUANTILES = 101
_COLUMNS = ("metric", "model", "revision", "value_a", "value_b")


class Differences:
    """The differences value_a - value_b of the records of one score folder.

    A record's own quantiles come first. The table of scores stands in for them where all of its
    rows belong to the record: it knows neither languages nor groups of pairs.
    """

    def __init__(self, folder: Path, records: Sequence[Mapping[str, Any]]) -> None:
        self._path = folder / "scores.parquet"
        wholes = {
            (record.get("lang"), record.get("group"))
            for record in records
            if "=" not in str(record.get("group"))
        }
        self._whole = next(iter(wholes)) if len(wholes) == 1 else None

    def of(self, record: Mapping[str, Any]) -> tuple[float, ...]:
        """Quantiles in equal steps from the least to the largest; () where they are not known."""
        own = record.get("differences")
        if own is not None:
            values = [float(value) for value in own if value is not None]
            return tuple(value for value in values if math.isfinite(value))
        if (record.get("lang"), record.get("group")) != self._whole or not self._path.is_file():
            return ()
        return self._measured(record)

    @cached_property
    def _table(self) -> pa.Table:
        return read_parquet(self._path, wanted=_COLUMNS)

    def _measured(self, record: Mapping[str, Any]) -> tuple[float, ...]:
        own = self._table.filter(
            pc.and_(
                pc.equal(self._table["metric"], str(record["metric"])),
                pc.and_(
                    pc.equal(self._table["model"], str(record["model"])),
                    pc.equal(self._table["revision"], str(record.get("revision"))),
                ),
            )
        )
        a, b = (
            own.column(name).cast(pa.float64()).to_numpy(zero_copy_only=False)
            for name in ("value_a", "value_b")
        )
        known = np.isfinite(a) & np.isfinite(b)
        if not known.any():
            return ()
        found = np.quantile((a - b)[known], np.linspace(0, 1, _QUANTILES))
        return tuple(float(value) for value in found)
