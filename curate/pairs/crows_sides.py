"""Which side of a pair is the masculine one, where the lexicon tells."""

from __future__ import annotations

import pyarrow as pa

from curate import schema
from curate.checks import load_checker
from curate.checks.gender import direction
from curate.checks.links import FORWARD
from curate.language import normalize
from curate.lexicon import available_languages

__all__ = ["fill_sides"]


def fill_sides(table: pa.Table) -> pa.Table:
    """`schema.CROWS` with `masculine` and `feminine` where every gender change points one way.

    Null stays where a language has no lexicon, nothing changes gender (*poor* | *rich*), or changes
    contradict each other (*she saw him* | *he saw her*).
    """
    rows = table.to_pylist()
    langs = {row["lang"] for row in rows} & set(available_languages())
    checkers = {lang: load_checker(lang) for lang in langs}
    for row in rows:
        if row["lang"] not in checkers:
            continue
        sides = (row["sent_more"], row["sent_less"])
        way = direction(checkers[row["lang"]].align(*(normalize(side) for side in sides)))
        if way is not None:
            row["masculine"], row["feminine"] = sides if way == FORWARD else sides[::-1]
    return pa.Table.from_pylist(rows, schema=schema.CROWS)
