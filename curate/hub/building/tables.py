"""The two configurations beside the data: what was dropped, and the lexicon."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa

from curate import schema
from curate.errors import UsageError
from curate.hub.building.parquet import stream
from curate.hub.building.part import Part
from curate.hub.layout import PAIRS, RELEASE_DROPS, RELEASE_LEXICON
from curate.lexicon import Lexicon, load_lexicon

__all__ = ["drops_tables", "lexicon_table", "lexicons_of"]


def drops_tables(parts: Sequence[Part]) -> Iterator[pa.Table]:
    """`RELEASE_DROPS` of all parts, each in the order of its corpus, in pieces."""
    for part in parts:
        if part.drops is None:
            continue
        for table in stream(part.drops, schema.DROPS):
            keys = {"lang": part.drop_lang or part.lang, "method": part.method}
            columns = {name: pa.repeat(value, table.num_rows) for name, value in keys.items()}
            columns |= {name: table.column(name) for name in table.schema.names}
            yield pa.table(columns, schema=RELEASE_DROPS)


def lexicons_of(parts: Sequence[Part]) -> list[Lexicon]:
    """The lexicons that the pairs were made with, in order of language.

    Raises UsageError where the lexicon has changed since: the release would ship another one.
    """
    lexicons = []
    for lang in sorted({part.lang for part in parts if part.kind == PAIRS}):
        lexicon = load_lexicon(lang)
        used = {version for part in parts if part.lang == lang for version in part.lexicons}
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
