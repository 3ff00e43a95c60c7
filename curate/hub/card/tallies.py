"""Counts that grow batch by batch: of values, of lengths, and the row nearest to a length."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from curate.hub.card.shapes import Counts, Example, Lengths

__all__ = ["LengthTally", "Nearest", "Tally", "by_frequency", "value_counts"]

MIDDLING = 45
"""The length, in code points, of which a pair is shown as an example."""


class Tally:
    """Rows by the values of one column or several."""

    def __init__(self, *columns: str) -> None:
        self.columns = list(columns)
        self.counts: Counter[tuple[str, ...]] = Counter()

    def add(self, batch: pa.RecordBatch) -> None:
        table = pa.Table.from_batches([batch]).select(self.columns)
        grouped = table.group_by(self.columns).aggregate([([], "count_all")])
        values = [grouped.column(name).to_pylist() for name in self.columns]
        for *key, count in zip(*values, grouped.column("count_all").to_pylist(), strict=True):
            self.counts[tuple(map(str, key))] += count

    def by_frequency(self) -> Counts:
        """The counts of one column."""
        return by_frequency({key[0]: count for key, count in self.counts.items()})


class LengthTally:
    """Lengths of texts in code points, exact: as many counters as there are lengths."""

    def __init__(self) -> None:
        self.counts: Counter[int] = Counter()

    def add(self, *texts: pa.Array) -> None:
        for column in texts:
            self.counts.update(value_counts(pc.utf8_length(column)))

    def facts(self) -> Lengths | None:
        """None where no text was counted."""
        total = self.counts.total()
        if not total:
            return None
        ordered = sorted(self.counts.items())
        middle = [_nth(ordered, (total - 1) // 2), _nth(ordered, total // 2)]
        return Lengths(
            least=ordered[0][0],
            median=sum(middle) / 2,
            mean=sum(length * count for length, count in ordered) / total,
            most=ordered[-1][0],
        )


class Nearest:
    """The first row whose `first` text is nearest to `MIDDLING` code points long."""

    def __init__(self, first: str, second: str) -> None:
        self.columns = (first, second)
        self.distance: int | None = None
        self.example: Example | None = None

    def add(self, batch: pa.RecordBatch) -> None:
        if self.distance == 0 or not batch.num_rows:
            return
        first, second = (batch.column(name) for name in self.columns)
        distances = pc.abs(pc.subtract(pc.utf8_length(first), MIDDLING))
        least = pc.min(distances).as_py()
        if least is not None and (self.distance is None or least < self.distance):
            row = pc.index(distances, pa.scalar(least, distances.type)).as_py()
            self.distance = least
            self.example = Example(first[row].as_py(), second[row].as_py())


def by_frequency(counts: Mapping[str, int]) -> Counts:
    """Most frequent first, then by value."""
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def value_counts(values: pa.Array) -> dict[Any, int]:
    """How often every value is there; null is left out."""
    counted = pc.value_counts(pc.drop_null(values))
    names, counts = counted.field("values").to_pylist(), counted.field("counts").to_pylist()
    return dict(zip(names, counts, strict=True))


def _nth(ordered: list[tuple[int, int]], place: int) -> int:
    for length, count in ordered:
        place -= count
        if place < 0:
            return length
    raise IndexError(place)
