"""Which rows of a configuration were added, removed and changed, and in which columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from curate.hub.diff.datafile import DataFile, stored_columns
from curate.hub.diff.examples import Examples
from curate.hub.diff.keys import Indices, Kind, kind_of, left_over, matches, row_codes
from curate.hub.diff.model import ConfigDiff, Counts, ShownRow, Status
from curate.hub.diff.values import differing

__all__ = ["Progress", "compare_files", "one_sided"]

Progress = Callable[[int], None]
_BLOCK = 1 << 18


@dataclass(frozen=True)
class _Matched:
    """Places of the same rows in both files, and by column which of them differ."""

    old: Indices
    new: Indices
    columns: Mapping[str, npt.NDArray[np.bool_]]

    @property
    def changed(self) -> npt.NDArray[np.bool_]:
        found = np.zeros(self.old.size, dtype=bool)
        for mask in self.columns.values():
            found |= mask
        return found


def compare_files(
    config: str, kind: str, old: DataFile, new: DataFile, *, limit: int, on_progress: Progress
) -> ConfigDiff:
    """Compare two files of one configuration; `limit` examples of each language and sort of change.

    Reads a column of both files at a time. `on_progress` is told the rows of `new` that are done,
    counted over all columns.
    """
    own = kind_of(kind, new.schema)
    before, now = _types(old), _types(new)
    shared = [name for name in now if before.get(name) == now[name]]
    pairs = _matched_rows(own, old, new, shared)
    columns = {}
    for number, name in enumerate(shared, start=1):
        columns[name] = _column_differs(old, new, name, pairs)
        on_progress(number * new.rows // len(shared))
    matched = _Matched(*pairs, columns)
    found = ConfigDiff(
        config, kind, "rewritten", (old.rows, new.rows),
        columns={name: int(mask.sum()) for name, mask in columns.items() if mask.any()},
        columns_added={name: now[name] for name in now if name not in before},
        columns_removed={name: before[name] for name in before if name not in now},
        columns_retyped={
            name: (before[name], now[name])
            for name in now if before.get(name, now[name]) != now[name]
        },
    )  # fmt: skip
    return _with_rows(found, Examples(own, limit), old, new, matched)


def _with_rows(
    found: ConfigDiff, examples: Examples, old: DataFile, new: DataFile, matched: _Matched
) -> ConfigDiff:
    changed = matched.changed
    removed = left_over(old.rows, [matched.old])
    added = left_over(new.rows, [matched.new])
    in_old, in_new = matched.old[changed], matched.new[changed]
    columns = {name: mask[changed] for name, mask in matched.columns.items() if mask.any()}
    shown = [
        *examples.changed(old, new, in_old, in_new, columns),
        *examples.single("removed", old, removed),
        *examples.single("added", new, added),
    ]
    counts = {
        "added": languages_at(new, added),
        "removed": languages_at(old, removed),
        "changed": languages_at(new, in_new),
    }
    languages = {
        lang: Counts(**{what: by_lang[lang] for what, by_lang in counts.items()})
        for lang in sorted(set().union(*counts.values()))
    }
    columns_differ = found.columns_added or found.columns_removed or found.columns_retyped
    status: Status = "changed" if languages or columns_differ else "rewritten"
    return replace(found, status=status, languages=languages, shown=tuple(shown))


def one_sided(config: str, kind: str, file: DataFile, *, added: bool, limit: int) -> ConfigDiff:
    """A configuration that is only in the new release (`added`), or only in the old one."""
    places = np.arange(file.rows, dtype=np.int64)
    counts = languages_at(file, places)
    what = "added" if added else "removed"
    shown: Sequence[ShownRow] = Examples(kind_of(kind, file.schema), limit).single(
        "added" if added else "removed", file, places
    )
    return ConfigDiff(
        config, kind, "added" if added else "removed",
        (0, file.rows) if added else (file.rows, 0),
        languages={lang: Counts(**{what: n}) for lang, n in sorted(counts.items())},
        shown=tuple(shown),
    )  # fmt: skip


def languages_at(file: DataFile, places: Indices) -> Counter[str]:
    """How many of some rows are in each language; ``""`` where the table tells none."""
    if not places.size:
        return Counter()
    if not file.has(["lang"]):
        return Counter({"": places.size})
    found = pc.value_counts(file.column("lang").take(pa.array(places)))
    return Counter({str(item["values"] or ""): item["counts"] for item in found.to_pylist()})


def _types(file: DataFile) -> dict[str, str]:
    return {field.name: str(field.type) for field in file.schema}


def _matched_rows(
    kind: Kind, old: DataFile, new: DataFile, shared: Sequence[str]
) -> tuple[Indices, Indices]:
    """Places of the same rows in `old` and `new`, in the order of `old`."""
    found_old: list[Indices] = []
    found_new: list[Indices] = []
    for number, key in enumerate(kind.keys):
        if not stored_columns(key) <= set(shared):
            continue
        free = [left_over(file.rows, found) for file, found in ((old, found_old), (new, found_new))]
        if number:
            free = [_told(f, key, places) for f, places in zip((old, new), free, strict=True)]
        if not all(places.size for places in free):
            continue
        sides = [
            file.columns(key, places if number else None)
            for file, places in zip((old, new), free, strict=True)
        ]
        in_old, in_new = matches(*row_codes(*sides))
        found_old.append(free[0][in_old])
        found_new.append(free[1][in_new])
    empty = np.zeros(0, dtype=np.int64)
    all_old, all_new = np.concatenate([empty, *found_old]), np.concatenate([empty, *found_new])
    order = np.argsort(all_old)
    return all_old[order], all_new[order]


def _told(file: DataFile, key: Sequence[str], places: Indices) -> Indices:
    """Those of some rows whose key is not empty: an id that nobody gave is nobody's."""
    last = file.column(key[-1]).take(pa.array(places))
    told = pc.fill_null(pc.not_equal(last, ""), False)
    kept: Indices = places[told.to_numpy(zero_copy_only=False)]
    return kept


def _column_differs(
    old: DataFile, new: DataFile, name: str, pairs: tuple[Indices, Indices]
) -> npt.NDArray[np.bool_]:
    before, now = old.column(name), new.column(name)
    if before.type != now.type:  # one of them is too large for plain strings
        before, now = before.cast(pa.large_string()), now.cast(pa.large_string())
    found = np.zeros(pairs[0].size, dtype=bool)
    for start in range(0, found.size, _BLOCK):
        block = slice(start, start + _BLOCK)
        places = [pa.array(side[block]) for side in pairs]
        found[block] = differing(before.take(places[0]), now.take(places[1]))
    return found
