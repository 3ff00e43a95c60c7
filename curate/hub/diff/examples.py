"""Rows that differ, picked as examples and read from their files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from curate.hub.diff.datafile import DataFile
from curate.hub.diff.keys import Indices, Kind
from curate.hub.diff.model import ShownRow

__all__ = ["Examples"]


@dataclass(frozen=True)
class Examples:
    """Picks the first `limit` rows of every language, in the order of the file."""

    kind: Kind
    limit: int

    def single(
        self, what: Literal["added", "removed"], file: DataFile, places: Indices
    ) -> list[ShownRow]:
        """Rows that only one release has."""
        picked = places[self._firsts(file, places)]
        if not picked.size:
            return []
        names = self._shown_columns(file)
        found = []
        for row in file.rows_at(picked, names):
            texts = {name: row[name] for name in self.kind.texts if name in row}
            key, lang = self._key(row), str(row.get("lang") or "")
            sides = (None, texts) if what == "added" else (texts, None)
            found.append(ShownRow(what, lang, key, key, tuple(texts), (), *sides))
        return found

    def changed(
        self,
        old: DataFile,
        new: DataFile,
        in_old: Indices,
        in_new: Indices,
        columns: Mapping[str, npt.NDArray[np.bool_]],
    ) -> list[ShownRow]:
        """Rows that both have; `columns` says of each of them whether the column differs."""
        picked = self._firsts(new, in_new)
        if not picked.size:
            return []
        names = [name for name in columns if columns[name][picked].any()]
        before = old.rows_at(in_old[picked], self._shown_columns(old, names))
        now = new.rows_at(in_new[picked], self._shown_columns(new, names))
        return [
            self._changed_row(own, other, tuple(name for name in names if columns[name][place]))
            for place, own, other in zip(picked.tolist(), before, now, strict=True)
        ]

    def _changed_row(
        self, old: dict[str, Any], new: dict[str, Any], columns: tuple[str, ...]
    ) -> ShownRow:
        texts = tuple(name for name in self.kind.texts if name in new and name in old)
        kept = [*texts, *(name for name in columns if name not in texts)]
        return ShownRow(
            "changed", str(new.get("lang") or ""), self._key(new), self._key(old), texts, columns,
            {name: old[name] for name in kept}, {name: new[name] for name in kept},
        )  # fmt: skip

    def _firsts(self, file: DataFile, places: Indices) -> Indices:
        """Which of `places` to show: numbers into `places`, in order of language, then place."""
        if not places.size or not self.limit:
            return np.zeros(0, dtype=np.int64)
        if not file.has(["lang"]):
            return np.arange(min(places.size, self.limit), dtype=np.int64)
        langs = file.column("lang").take(pa.array(places)).combine_chunks().dictionary_encode()
        codes = np.nan_to_num(langs.indices.to_numpy(zero_copy_only=False), nan=-1).astype(int)
        names = langs.dictionary.to_pylist()
        chosen = [
            np.flatnonzero(codes == number)[: self.limit]
            for number in sorted(range(len(names)), key=lambda number: str(names[number]))
        ]
        return np.concatenate([np.zeros(0, dtype=np.int64), *chosen]).astype(np.int64)

    def _shown_columns(self, file: DataFile, more: Any = ()) -> list[str]:
        names = dict.fromkeys(["lang", *self._key_columns, *self.kind.texts, *more])
        return [name for name in names if file.has([name])]

    @property
    def _key_columns(self) -> tuple[str, ...]:
        return self.kind.keys[0]

    def _key(self, row: Mapping[str, Any]) -> str:
        """The id of a row; of one that has none, what it is known by."""
        return " · ".join(str(row[name]) for name in self._key_columns if row.get(name))
