"""Put the parts of a run together: first come the pairs that repeat, then the balance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from curate import schema
from curate.engine import Parts, write_parquet
from curate.pairs.balance import fold_lists, fold_members, side_codes
from curate.sources import READING, drops_table
from curate.sources.duplicates import Seen

__all__ = ["OUTPUTS", "Assembly", "assemble"]

OUTPUTS = ("pairs.parquet", "aside.parquet", "drops.parquet")

_NOT_ONE_WORD = frozenset(
    {"no-gender-word", "fixed-gender-noun", "several-gender-words", "ambiguous-word", "bad-text"}
)
"""Refusals of sentences that do not hold exactly one gender word."""

Mask = NDArray[np.bool_]


@dataclass
class Assembly:
    """What was put together; `counts` is the common part of ``stats.json``.

    `read` counts the rows that reading left out: no sentences, or sentences seen before.
    """

    rows: dict[str, int] = field(default_factory=dict)
    read: int = 0
    drops: Counter[str] = field(default_factory=Counter)
    originals: Counter[str] = field(default_factory=Counter)
    words: dict[str, set[str]] = field(default_factory=lambda: {g: set() for g in schema.GENDERS})
    repeated: int = 0
    pairs: int = 0
    in_fold: int = 0

    def counts(self) -> dict[str, Any]:
        unfit = sum(n for code, n in self.drops.items() if code in _NOT_ONE_WORD)
        # the pairs that the balance set aside stand in `drops` too
        sentences = self.pairs + self.drops.total() - self.drops["balance"] - self.read
        return {
            "n_sentences": sentences,
            "n_single": sentences - unfit,
            "n_pairs": self.pairs,
            "kept": self.in_fold,
            "discarded_balance": self.pairs - self.in_fold,
            "original_masculine": self.originals["masculine"],
            "original_feminine": self.originals["feminine"],
            "words_masculine": len(self.words["masculine"]),
            "words_feminine": len(self.words["feminine"]),
            "drops": dict(sorted(self.drops.items())),
        }


def assemble(parts: Parts, out: Path, *, folds: int, seed: int, stage: str) -> Assembly:
    """Write `OUTPUTS` under `out` from finished parts; a pass for the balance, one a file.

    The first of equal pair ids is kept. Holds a few bytes a pair in memory, and a part at a time.
    """
    done = Assembly()
    first, members = _choose(parts, done, folds, seed)
    kept = first.copy()
    kept[first] = members.any(axis=1) if folds else True
    for name, chosen in (("pairs.parquet", kept), ("aside.parquet", first & ~kept)):
        tables = _pairs(parts, chosen, members[chosen[first]])
        done.rows[name] = write_parquet(out / name, schema.PAIRS, tables)
    done.rows["drops.parquet"] = write_parquet(
        out / "drops.parquet", schema.DROPS, _drops(parts, first, kept, stage, done)
    )
    return done


def _choose(parts: Parts, done: Assembly, folds: int, seed: int) -> tuple[Mask, NDArray[np.bool_]]:
    """Which pairs come for the first time (all pairs), and the folds of those (first pairs)."""
    seen = Seen()
    firsts: list[Mask] = [np.zeros(0, dtype=np.bool_)]
    sides: list[NDArray[np.int8]] = [np.zeros(0, dtype=np.int8)]
    for table in parts.read("pairs", columns=["pair_id", "original", "side", "word_m", "word_f"]):
        new = seen.first(_keys(table.column("pair_id")))
        firsts.append(new)
        table = table.filter(pa.array(new))  # noqa: PLW2901
        done.originals.update(table.column("original").to_pylist())
        sides.append(side_codes(table.column("side").to_pylist()))
        for gender, column in zip(schema.GENDERS, ("word_m", "word_f"), strict=True):
            words = pc.unique(pc.utf8_lower(table.column(column)))
            done.words[gender].update(word for word in words.to_pylist() if word)
    first = np.concatenate(firsts)
    members = fold_members(np.concatenate(sides), folds=folds, seed=seed)
    done.pairs = len(members)
    done.repeated = int(len(first) - first.sum())
    done.in_fold = int(members[:, 0].sum()) if folds else len(members)
    return first, members


def _keys(ids: pa.ChunkedArray) -> NDArray[np.uint64]:
    """The first 64 bits of each pair id."""
    return np.array([int(value[1:17], 16) for value in ids.to_pylist()], dtype=np.uint64)


def _pairs(parts: Parts, chosen: Mask, members: NDArray[np.bool_]) -> Iterator[pa.Table]:
    """The chosen pairs of every part, as `schema.PAIRS`; `members` are their folds."""
    at = taken = 0
    for table in parts.read("pairs"):
        mask = chosen[at : at + table.num_rows]
        at += table.num_rows
        part = table.filter(pa.array(mask)).select(schema.PAIRS.names[:-1])
        folds = fold_lists(members[taken : taken + part.num_rows])
        taken += part.num_rows
        column = pa.array(folds, pa.list_(pa.int8()))
        yield part.append_column(schema.PAIRS.field(-1), column).cast(schema.PAIRS)


def _drops(parts: Parts, first: Mask, kept: Mask, stage: str, done: Assembly) -> Iterator[pa.Table]:
    """All drops in the order of the corpus: the stage's, repeated pairs, those set aside."""
    at = 0
    reads = zip(
        parts.read("drops"), parts.read("pairs", columns=["sent_id", "row", "pair_id"]), strict=True
    )
    for drops, pairs in reads:
        end = at + pairs.num_rows
        repeated = pairs.filter(pa.array(~first[at:end]))
        aside = pairs.filter(pa.array(first[at:end] & ~kept[at:end]))
        at = end
        table = pa.concat_tables(
            [drops, _as_drops(repeated, stage, "duplicate"), _as_drops(aside, stage, "balance")]
        ).sort_by("row")
        done.drops.update(table.column("code").to_pylist())
        done.read += pc.sum(pc.equal(table.column("stage"), READING)).as_py() or 0
        yield table


def _as_drops(pairs: pa.Table, stage: str, code: str) -> pa.Table:
    ids = pairs.column("pair_id")
    return drops_table(pairs.column("sent_id"), pairs.column("row"), stage, code, ids)
