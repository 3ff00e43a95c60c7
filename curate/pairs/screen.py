"""What every method does around its own work on a table: who is a candidate, who was refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from curate.sources import admit, drops_table

__all__ = ["Refused", "refusals", "screen"]


class Refused(NamedTuple):
    """Why a candidate gave no pair."""

    code: str
    detail: str


def screen(
    table: pa.Table, scan: Callable[[Sequence[str]], list[bool]], *, stage: str
) -> tuple[pa.Table, list[pa.Table]]:
    """The sentences of a `CORPUS` table that could hold a gender word; drops of the others."""
    sentences, drops = admit(table)
    could = pa.array(scan(sentences.column("text").to_pylist()), pa.bool_())
    without = sentences.filter(pc.invert(could))
    no_word = drops_table(without.column("sent_id"), without.column("row"), stage, "no-gender-word")
    return sentences.filter(could), [drops, no_word]


def refusals(candidates: pa.Table, refused: Sequence[Refused | None], *, stage: str) -> pa.Table:
    """Drops of the candidates that were refused (None: kept), one entry a candidate."""
    left = candidates.filter(pa.array([one is not None for one in refused], pa.bool_()))
    given = [one for one in refused if one is not None]
    return drops_table(
        left.column("sent_id"),
        left.column("row"),
        stage,
        [one.code for one in given],
        [one.detail for one in given],
    )
