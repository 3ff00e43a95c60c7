"""Whether the rows of a configuration are sound: read once, in pieces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from curate import schema
from curate.hub.check.problem import Problem, problem, shown_rows
from curate.hub.layout import CROWS, KINDS, PAIRS

__all__ = ["RowCheck"]

_SHOWN = 5
_ID_PARTS = {
    PAIRS: ("lang", "method", "masculine", "feminine"),
    CROWS: ("lang", None, "sent_more", "sent_less"),
}
_IMPORTED = "import"
"""The method in the ids of CrowS-Pairs rows: those of a foreign table with these two columns."""


class RowCheck:
    """Looks at the rows of one configuration, piece by piece, and says at the end what is wrong.

    Ids are that of the texts and stand once; rows belong here; folds are balanced; numbers are
    finite. Memory: 8 bytes a row, for the ids.
    """

    def __init__(self, config: str, kind: str, where: str) -> None:
        self._config, self._kind, self._where = config, kind, where
        self._rows = 0
        self._wrong: dict[str, list[int]] = {}
        self._counts: Counter[str] = Counter()
        self._folds: Counter[tuple[int, str]] = Counter()
        self._infinite: Counter[str] = Counter()
        self._ids: list[npt.NDArray[np.int64]] = []

    def add(self, table: pa.Table) -> None:
        """The next rows, with the kind's columns."""
        if self._kind in _ID_PARTS:
            self._note("pair-id", self._wrong_ids(table))
        if KINDS[self._kind].per_language:
            self._note("wrong-config", self._elsewhere(table))
        if keys := KINDS[self._kind].keys:
            columns = (table.column(name).to_pylist() for name in keys)
            # 64 bits of every id: among a million of them no two others meet by chance
            numbers = [hash(key) for key in zip(*columns, strict=True)]
            self._ids.append(np.array(numbers, np.int64))
        if self._kind == PAIRS:
            self._count_folds(table)
        for name, column in zip(table.schema.names, table.columns, strict=True):
            for numbers in _floats(column.combine_chunks()):
                valid = numbers.drop_null()
                self._infinite[name] += len(valid) - (pc.sum(pc.is_finite(valid)).as_py() or 0)
        self._rows += table.num_rows

    def _note(self, code: str, rows: Iterator[int]) -> None:
        """Count the rows (numbered in their piece) and keep the first."""
        numbers = [self._rows + row for row in rows]
        self._counts[code] += len(numbers)
        kept = self._wrong.setdefault(code, [])
        kept += numbers[: _SHOWN - len(kept)]

    def _wrong_ids(self, table: pa.Table) -> Iterator[int]:
        parts = [
            table.column(name).to_pylist() if name else [_IMPORTED] * table.num_rows
            for name in _ID_PARTS[self._kind]
        ]
        rows = zip(table.column("pair_id").to_pylist(), *parts, strict=True)
        return (row for row, (own, *texts) in enumerate(rows) if own != schema.pair_id(*texts))

    def _elsewhere(self, table: pa.Table) -> Iterator[int]:
        methods = table.column("method") if self._kind == PAIRS else pa.scalar(self._kind)
        names = pc.binary_join_element_wise(table.column("lang"), methods, "-")
        return iter(pc.indices_nonzero(pc.not_equal(names, self._config)).to_pylist())

    def _count_folds(self, table: pa.Table) -> None:
        """In every fold, how many pairs count for which side: that of the fill, else the found."""
        folds = table.column("folds").combine_chunks()
        kinds = pc.struct_field(table.column("fill").combine_chunks(), "kind")
        sides = pc.coalesce(kinds, table.column("original").combine_chunks())
        own = pa.table(
            {"fold": pc.list_flatten(folds), "side": sides.take(pc.list_parent_indices(folds))}
        )
        for row in own.group_by(["fold", "side"]).aggregate([([], "count_all")]).to_pylist():
            self._folds[row["fold"], row["side"]] += row["count_all"]

    def problems(self) -> Iterator[Problem]:
        """What was found, once all rows are added."""
        repeated = _repeated(self._ids)
        self._counts["duplicate-id"] = len(repeated)
        self._wrong["duplicate-id"] = repeated[:_SHOWN]
        for code, count in sorted(self._counts.items()):
            if count:
                rows = shown_rows(self._wrong[code], count)
                yield problem(self._where, code, f"{rows}: {problem('', code).message}")
        for fold in sorted({fold for fold, _ in self._folds}):
            masculine, feminine = (self._folds[fold, gender] for gender in schema.GENDERS)
            if masculine != feminine:
                message = f"fold {fold}: {masculine:,} masculine, {feminine:,} feminine"
                yield problem(self._where, "unbalanced-fold", message)
        for name, count in sorted(self._infinite.items()):
            if count:
                message = f"{count:,} numbers in {name!r} are infinite or none"
                yield problem(self._where, "not-finite", message)


def _repeated(ids: list[npt.NDArray[np.int64]]) -> list[int]:
    """The rows whose id an earlier row has."""
    every = np.concatenate([np.empty(0, np.int64), *ids])
    order = np.argsort(every, kind="stable")
    same = every[order[1:]] == every[order[:-1]]
    return sorted(order[1:][same].tolist())


def _floats(array: pa.Array) -> Iterator[pa.Array]:
    """All arrays of floating point numbers in a column, however deep in structs and lists."""
    if pa.types.is_floating(array.type):
        yield array
    elif pa.types.is_struct(array.type):
        for field in array.type:
            yield from _floats(pc.struct_field(array, field.name))
    elif pa.types.is_list(array.type):
        yield from _floats(pc.list_flatten(array))
