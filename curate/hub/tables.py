"""The two configurations beside the pairs: what was dropped, and the lexicon."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from curate.errors import UsageError
from curate.hub.layout import RELEASE_DROPS, RELEASE_LEXICON
from curate.hub.runs import Run
from curate.lexicon import Lexicon, load_lexicon

__all__ = ["drops_table", "lexicon_table", "lexicons_of"]


def drops_table(runs: Sequence[Run]) -> pa.Table:
    """`RELEASE_DROPS` of all runs, each in the order of its corpus."""
    parts = [RELEASE_DROPS.empty_table()]
    for run in runs:
        size = run.drops.num_rows
        columns = {"lang": pa.array([run.lang] * size), "method": pa.array([run.method] * size)}
        columns |= {name: run.drops.column(name) for name in run.drops.schema.names}
        parts.append(pa.table(columns, schema=RELEASE_DROPS))
    return pa.concat_tables(parts).combine_chunks()


def lexicons_of(runs: Sequence[Run]) -> list[Lexicon]:
    """The lexicons that the runs were made with, in order of language.

    Raises UsageError where the lexicon has changed since: the release would ship another one.
    """
    lexicons = []
    for lang in sorted({run.lang for run in runs}):
        lexicon = load_lexicon(lang)
        used = {
            version
            for run in runs
            if run.lang == lang
            for version in run.pairs.column("lexicon_version").unique().to_pylist()
        }
        other = sorted(used - {lexicon.version})
        if other:
            raise UsageError(
                f"pairs in {lang!r} were made with lexicon {other[0]}, which is now"
                f" {lexicon.version}",
                hint="make the pairs again, or install the lexicon they were made with",
            )
        lexicons.append(lexicon)
    return lexicons


def lexicon_table(lexicons: Sequence[Lexicon]) -> pa.Table:
    """`RELEASE_LEXICON`: the pairs of forms of every lexicon, in file order."""
    rows = [
        {
            "lang": lexicon.lang,
            "version": lexicon.version,
            **{
                name: getattr(row, name)
                for name in RELEASE_LEXICON.names
                if name not in {"lang", "version", "flags"}
            },
            "flags": sorted(row.flags),
        }
        for lexicon in lexicons
        for row in lexicon.pairs
    ]
    return pa.Table.from_pylist(rows, schema=RELEASE_LEXICON)
