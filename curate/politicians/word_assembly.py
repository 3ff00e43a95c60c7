"""From the words of each distinct name to the words of every person, a stretch at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from curate import schema

__all__ = ["Names", "assemble_words"]


@dataclass(frozen=True)
class Names:
    """The distinct names of people in the order of their first bearers.

    `distinct`: each name once; `of`: for every person the place of the name among them.
    """

    distinct: tuple[str, ...]
    of: tuple[int, ...]

    @classmethod
    def collect(cls, names: Iterable[str]) -> Names:
        places: dict[str, int] = {}
        of = tuple(places.setdefault(name, len(places)) for name in names)
        return cls(tuple(places), of)

    def table(self) -> pa.Table:
        """``place`` and ``name`` of the distinct names."""
        places = pa.array(range(len(self.distinct)), pa.int64())
        return pa.table({"place": places, "name": pa.array(self.distinct, pa.string())})


def assemble_words(
    people: pa.Table, names: Names, parts: Iterable[pa.Table], *, model: str, revision: str
) -> Iterator[pa.Table]:
    """Tables of `schema.POLITICIAN_WORDS` in the order of `people`.

    `parts` have the words of the distinct names, in order of ``place``, each part those of a
    stretch of names. Only the words of names that come again are held beyond their part.
    """
    stock = _Stock(Counter(names.of))
    start = 0
    for part in parts:
        if not part.num_rows:
            continue
        stock.take(part)
        last = part.column("place")[-1].as_py()
        end = start
        while end < len(names.of) and names.of[end] <= last:
            end += 1
        yield _rows(people.slice(start, end - start), names.of[start:end], stock, model, revision)
        stock.keep_copies(part)
        start = end
    # whoever comes after the last name that has words has one that came before, or none
    rest = people.num_rows - start
    if rest:
        yield _rows(people.slice(start, rest), names.of[start:], stock, model, revision)


@dataclass
class _Stock:
    """The words of names that are needed now or again; `bearers` counts the people to come."""

    bearers: Counter[int]
    held: dict[int, pa.Table] = field(default_factory=dict)

    def take(self, part: pa.Table) -> None:
        places = part.column("place").to_numpy()
        changes = np.flatnonzero(np.diff(places)) + 1
        starts = np.concatenate([[0], changes]).tolist()
        ends = [*starts[1:], part.num_rows]
        for start, end in zip(starts, ends, strict=True):
            self.held[int(places[start])] = part.slice(start, end - start)

    def give(self, place: int) -> pa.Table | None:
        """The words of a name; forgotten after the last of its bearers."""
        self.bearers[place] -= 1
        return self.held.get(place) if self.bearers[place] else self.held.pop(place, None)

    def keep_copies(self, part: pa.Table) -> None:
        """Copy what is still needed of a part: a slice would keep all of the part in memory."""
        for place in {*part.column("place").to_pylist()} & self.held.keys():
            rows = self.held[place].num_rows
            self.held[place] = self.held[place].take(pa.array(range(rows), pa.int64()))


def _rows(
    people: pa.Table, places: tuple[int, ...], stock: _Stock, model: str, revision: str
) -> pa.Table:
    """The words of some people, one after another."""
    blocks = [stock.give(place) for place in places]
    lengths = [0 if block is None else block.num_rows for block in blocks]
    known = [block for block in blocks if block is not None]
    if not known:
        return schema.POLITICIAN_WORDS.empty_table()
    words = pa.concat_tables(known)
    owners = people.take(pa.array(np.repeat(np.arange(len(places)), lengths)))
    columns = {name: owners.column(name) for name in ("qid", "lang", "gender")}
    columns |= {"model": pa.repeat(model, words.num_rows)}
    columns |= {"revision": pa.repeat(revision, words.num_rows)}
    arrays = [
        columns[name] if name in columns else words.column(name)
        for name in schema.POLITICIAN_WORDS.names
    ]
    return pa.Table.from_arrays(arrays, schema=schema.POLITICIAN_WORDS)
