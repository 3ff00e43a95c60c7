"""Which side of a pair is the masculine one, where the lexicon tells."""

from __future__ import annotations

import pyarrow as pa

from curate import schema
from curate.checks import PairChecker
from curate.checks.gender import direction
from curate.checks.links import FORWARD
from curate.language import normalize
from curate.lexicon import available_languages, load_lexicon

__all__ = ["fill_sides"]


def fill_sides(table: pa.Table) -> pa.Table:
    """`schema.CROWS` with `masculine` and `feminine` where every gender change points one way.

    Null stays where a language has no lexicon, nothing changes gender (*poor* | *rich*), or changes
    contradict each other (*she saw him* | *he saw her*).
    """
    checkers: dict[str, PairChecker | None] = {}
    rows = table.to_pylist()
    for row in rows:
        lang = row["lang"]
        if lang not in checkers:
            known = lang in available_languages()
            checkers[lang] = PairChecker(load_lexicon(lang), labelled=False) if known else None
        checker = checkers[lang]
        if checker is None:
            continue
        sides = (row["sent_more"], row["sent_less"])
        way = direction(checker.align(*(normalize(side) for side in sides)))
        if way is not None:
            row["masculine"], row["feminine"] = sides if way == FORWARD else sides[::-1]
    return pa.Table.from_pylist(rows, schema=schema.CROWS)
