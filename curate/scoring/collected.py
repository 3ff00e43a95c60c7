"""The values of all pairs by metric, as arrays: what statistics and score tables are made from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from curate import schema
from curate.scoring.metric import Metric

__all__ = ["Collected", "Sentences", "collect", "drop_table", "score_tables"]

_ROWS_AT_ONCE = 8_192
_ABSENT = -1
Floats = NDArray[np.float64]


@dataclass
class Sentences:
    """The sentences that MBE compares: place in the table, whether side a, A(S), embedding."""

    place: NDArray[np.int64]
    first: NDArray[np.bool_]
    value: Floats
    embedding: Any


@dataclass
class Collected:
    """[pairs, metrics] arrays in the order of the table and of `metrics`.

    Values are NaN where a pair is left out, and `reason` then says why; token counts are -1 where
    there is none.
    """

    metrics: list[Metric]
    value_a: Floats
    value_b: Floats
    tokens_a: NDArray[np.int32]
    tokens_b: NDArray[np.int32]
    reason: NDArray[np.object_]
    sentences: Sentences | None = None

    def column(self, metric: Metric) -> int:
        """Where a metric's values lie."""
        return self.metrics.index(metric)

    def put(self, rows: NDArray[np.int64], other: Collected) -> None:
        """Take the values of `rows` (places in the table) from `other`, of the same metrics."""
        for name in _ARRAYS:
            getattr(self, name)[rows] = getattr(other, name)

    def beside(self, other: Collected, metrics: Sequence[Metric]) -> Collected:
        """The values of both for the same pairs, in the order of `metrics`."""
        order = [[*self.metrics, *other.metrics].index(metric) for metric in metrics]
        arrays = {
            name: np.hstack([getattr(self, name), getattr(other, name)])[:, order]
            for name in _ARRAYS
        }
        return Collected(list(metrics), **arrays, sentences=self.sentences or other.sentences)


_ARRAYS = ("value_a", "value_b", "tokens_a", "tokens_b", "reason")


def collect(
    parts: Iterable[tuple[pa.Table, pa.Table]],
    metrics: Sequence[Metric],
    *,
    folder: Path | None = None,
) -> Collected:
    """Put the tables of `curate.scoring.values.value_pairs` together, in order.

    With a `folder`, embeddings are kept in a file there and mapped, so that memory stays flat.
    """
    chunks = _Chunks(len(metrics))
    store = _Store(folder)
    pairs = 0
    for scores, sentences in parts:
        chunks.add(scores)
        store.add(sentences, scores.column("row").to_numpy()[:: len(metrics)], start=pairs)
        pairs += scores.num_rows // len(metrics)
    return Collected(list(metrics), **chunks.arrays(), sentences=store.sentences())


class _Chunks:
    def __init__(self, metrics: int) -> None:
        self._metrics = metrics
        self._held: dict[str, list[Any]] = {name: [] for name in _ARRAYS}

    def add(self, scores: pa.Table) -> None:
        for name, column, kind in (
            ("value_a", "value_a", np.float64), ("value_b", "value_b", np.float64),
            ("tokens_a", "n_tokens_a", np.int32), ("tokens_b", "n_tokens_b", np.int32),
        ):  # fmt: skip
            values = scores.column(column)
            empty = np.nan if kind is np.float64 else _ABSENT
            self._append(name, values.fill_null(empty).to_numpy().astype(kind))
        reasons = np.array(scores.column("reason").to_pylist() or [], dtype=object)
        self._append("reason", reasons)

    def _append(self, name: str, values: Any) -> None:
        self._held[name].append(values.reshape(-1, self._metrics))

    def arrays(self) -> dict[str, Any]:
        empty = np.empty((0, self._metrics))
        return {name: np.concatenate(held or [empty]) for name, held in self._held.items()}


@dataclass
class _Store:
    """Sentences as they come; their embeddings in memory, or in a file of the folder."""

    folder: Path | None
    place: list[Any] = field(default_factory=list)
    first: list[Any] = field(default_factory=list)
    value: list[Any] = field(default_factory=list)
    held: list[Any] = field(default_factory=list)
    size: int = 1

    def __post_init__(self) -> None:
        self.path = self.folder / "embeddings.f32" if self.folder else None
        if self.path is not None:
            self.path.unlink(missing_ok=True)

    def add(self, table: pa.Table, rows: NDArray[np.int64], *, start: int) -> None:
        """Sentences of the pairs `rows`, the first of which has the place `start`."""
        if not table.num_rows:
            return
        self.place.append(start + np.searchsorted(rows, table.column("row").to_numpy()))
        self.first.append(np.array(table.column("side").to_pylist()) == "a")
        self.value.append(table.column("value").to_numpy())
        flat = table.column("embedding").combine_chunks().flatten().to_numpy()
        self.size = len(flat) // table.num_rows
        if self.path is None:
            self.held.append(flat.reshape(-1, self.size))
        else:
            with self.path.open("ab") as handle:
                handle.write(flat.astype(np.float32).tobytes())

    def sentences(self) -> Sentences | None:
        if not self.place:
            return None
        places = np.concatenate(self.place)
        if self.path is None:
            embedding: Any = np.concatenate(self.held)
        else:
            embedding = np.memmap(self.path, np.float32, "r", shape=(len(places), self.size))
        return Sentences(places, np.concatenate(self.first), np.concatenate(self.value), embedding)


def score_tables(
    table: pa.Table, collected: Collected, *, model: str, revision: str
) -> Iterator[pa.Table]:
    """The values as tables of `schema.SCORES`: pair after pair, its metrics in order."""
    count = len(collected.metrics)
    names = [metric.name for metric in collected.metrics]
    for start in range(0, table.num_rows, _ROWS_AT_ONCE):
        rows = slice(start, min(start + _ROWS_AT_ONCE, table.num_rows))
        size = rows.stop - rows.start
        repeat = np.repeat(np.arange(rows.start, rows.stop), count)
        pairs = table.select(["pair_id", "row"]).take(pa.array(repeat))
        a, b = (side[rows].reshape(-1) for side in (collected.value_a, collected.value_b))
        tokens = [side[rows].reshape(-1) for side in (collected.tokens_a, collected.tokens_b)]
        yield pa.table(
            {
                "pair_id": pairs.column("pair_id"),
                "row": pairs.column("row"),
                "metric": names * size,
                "model": [model] * (size * count),
                "revision": [revision] * (size * count),
                "value_a": pa.array(a, mask=np.isnan(a)),
                "value_b": pa.array(b, mask=np.isnan(b)),
                "n_tokens_a": pa.array(tokens[0], mask=tokens[0] == _ABSENT),
                "n_tokens_b": pa.array(tokens[1], mask=tokens[1] == _ABSENT),
            },
            schema=schema.SCORES,
        )


def drop_table(table: pa.Table, collected: Collected) -> pa.Table:
    """`schema.DROPS` of the pairs that have no value: one row a pair and reason.

    `sent_id` is the pair's id, `detail` names the metrics, and what broke the row where it is bad.
    """
    ids, rows = (table.column(name).to_pylist() for name in ("pair_id", "row"))
    problems = table.column("problem").to_pylist() if "problem" in table.schema.names else None
    names = np.array([metric.name for metric in collected.metrics])
    drops = []
    for at in np.flatnonzero((collected.reason != None).any(axis=1)):  # noqa: E711
        for code in dict.fromkeys(reason for reason in collected.reason[at] if reason):
            detail = ", ".join(names[collected.reason[at] == code])
            if problems and problems[at]:
                detail = f"{problems[at]} ({detail})"
            drops.append((ids[at], rows[at], "score", code, detail))
    columns = zip(*drops, strict=True) if drops else [[]] * len(schema.DROPS)
    return pa.table([list(column) for column in columns], schema=schema.DROPS)
