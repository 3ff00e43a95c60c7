"""Put the parts of a run together: first come the pairs that repeat, then the balance."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from curate import schema
from curate.engine import Parts, open_parquet
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
    """Write `OUTPUTS` under `out` from finished parts; a pass for the balance, one to write.

    The first of equal pair ids is kept. Holds a few bytes a pair in memory, and a part at a time.
    """
    done = Assembly()
    first, members = _choose(parts, done, folds, seed)
    kept = first.copy()
    kept[first] = members.any(axis=1) if folds else True
    with (
        open_parquet(out / OUTPUTS[0], schema.PAIRS) as pairs,
        open_parquet(out / OUTPUTS[1], schema.PAIRS) as aside,
        open_parquet(out / OUTPUTS[2], schema.DROPS) as drops,
    ):
        at = taken = 0
        for made, dropped in zip(parts.read("pairs"), parts.read("drops"), strict=True):
            here = slice(at, at + made.num_rows)
            new = made.filter(pa.array(first[here]))
            whole = _with_folds(new, members[taken : taken + new.num_rows])
            inside = pa.array(kept[here][first[here]])
            at, taken = here.stop, taken + new.num_rows
            pairs.add(whole.filter(inside))
            aside.add(whole.filter(pc.invert(inside)))
            again = made.filter(pa.array(~first[here]))
            drops.add(_drops(dropped, again, new.filter(pc.invert(inside)), stage, done))
    for name, table in zip(OUTPUTS, (pairs, aside, drops), strict=True):
        done.rows[name] = table.rows
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


def _with_folds(table: pa.Table, members: NDArray[np.bool_]) -> pa.Table:
    """New pairs of a part as `schema.PAIRS`; `members` are their folds."""
    named = table.select(schema.PAIRS.names[:-1])
    return named.append_column(schema.PAIRS.field(-1), fold_lists(members)).cast(schema.PAIRS)


def _drops(
    drops: pa.Table, repeated: pa.Table, aside: pa.Table, stage: str, done: Assembly
) -> pa.Table:
    """All drops of a part in the order of the corpus: the stage's, repeated pairs, those aside."""
    if repeated.num_rows or aside.num_rows:
        others = [_as_drops(repeated, stage, "duplicate"), _as_drops(aside, stage, "balance")]
        drops = pa.concat_tables([drops, *others]).sort_by("row")
    for count in drops.column("code").value_counts().to_pylist():
        done.drops[count["values"]] += count["counts"]
    done.read += pc.sum(pc.equal(drops.column("stage"), READING)).as_py() or 0
    return drops


def _as_drops(pairs: pa.Table, stage: str, code: str) -> pa.Table:
    ids = pairs.column("pair_id")
    return drops_table(pairs.column("sent_id"), pairs.column("row"), stage, code, ids)
