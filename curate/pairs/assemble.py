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
from curate.engine import Parts, ahead, open_parquet
from curate.pairs.balance import fold_lists, fold_members
from curate.pairs.choice import choose
from curate.sources import READING, drops_table

__all__ = ["OUTPUTS", "Assembly", "assemble"]

OUTPUTS = ("pairs.parquet", "aside.parquet", "drops.parquet")

_NOT_ONE_WORD = frozenset(
    {"no-gender-word", "fixed-gender-noun", "several-gender-words", "ambiguous-word", "bad-text"}
)
"""Refusals of sentences that do not hold exactly one gender word."""


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
    pairs: int = 0
    in_fold: int = 0

    def count(self, new: pa.Table) -> None:
        """Count pairs that stay: the genders of their sources, their words."""
        self.originals.update(new.column("original").to_pylist())
        for gender, column in zip(schema.GENDERS, ("word_m", "word_f"), strict=True):
            words = pc.unique(pc.utf8_lower(new.column(column)))
            self.words[gender].update(word for word in words.to_pylist() if word)

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


def assemble(
    parts: Parts, out: Path, *, folds: int, seed: int, stage: str, near: float | None = None
) -> Assembly:
    """Write `OUTPUTS` under `out` from finished parts; a pass for the balance, one to write.

    The first of equal pair ids is kept, and of near-duplicates where `near` gives a similarity.
    Holds a few bytes a pair in memory (with `near`, some hundred), and a part at a time.
    """
    done = Assembly()
    choice = choose(parts, done.count, near=near, seed=seed)
    members = fold_members(choice.sides, folds=folds, seed=seed)
    first = choice.first
    kept = first.copy()
    kept[first] = members.any(axis=1) if folds else True
    done.pairs = len(members)
    done.in_fold = int(members[:, 0].sum()) if folds else len(members)
    with (
        open_parquet(out / OUTPUTS[0], schema.PAIRS) as pairs,
        open_parquet(out / OUTPUTS[1], schema.PAIRS) as aside,
        open_parquet(out / OUTPUTS[2], schema.DROPS) as drops,
    ):
        at = taken = 0
        for made, dropped in zip(
            ahead(parts.read("pairs")), ahead(parts.read("drops")), strict=True
        ):
            here = slice(at, at + made.num_rows)
            new = made.filter(pa.array(first[here]))
            whole = _with_folds(new, members[taken : taken + new.num_rows])
            inside = pa.array(kept[here][first[here]])
            pairs.add(whole.filter(inside))
            aside.add(whole.filter(pc.invert(inside)))
            left_out = [
                choice.drops(made, at, stage),
                _set_aside(new.filter(pc.invert(inside)), stage),
            ]
            drops.add(_in_order(dropped, left_out, done))
            at, taken = here.stop, taken + new.num_rows
    for name, table in zip(OUTPUTS, (pairs, aside, drops), strict=True):
        done.rows[name] = table.rows
    return done


def _with_folds(table: pa.Table, members: NDArray[np.bool_]) -> pa.Table:
    """New pairs of a part as `schema.PAIRS`; `members` are their folds."""
    named = table.select(schema.PAIRS.names[:-1])
    return named.append_column(schema.PAIRS.field(-1), fold_lists(members)).cast(schema.PAIRS)


def _in_order(drops: pa.Table, others: list[pa.Table], done: Assembly) -> pa.Table:
    """All drops of a part in the order of the corpus."""
    if any(table.num_rows for table in others):
        drops = pa.concat_tables([drops, *others]).sort_by("row")
    for count in drops.column("code").value_counts().to_pylist():
        done.drops[count["values"]] += count["counts"]
    done.read += pc.sum(pc.equal(drops.column("stage"), READING)).as_py() or 0
    return drops


def _set_aside(pairs: pa.Table, stage: str) -> pa.Table:
    """The drops of pairs that are in no fold."""
    ids = pairs.column("pair_id")
    return drops_table(pairs.column("sent_id"), pairs.column("row"), stage, "balance", ids)
