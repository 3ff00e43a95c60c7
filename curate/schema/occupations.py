"""Sentences with an occupation in the place of their subject."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

__all__ = ["OCCUPATIONS", "OCCUPATION_PLACES", "occupations_wide"]

OCCUPATIONS = pa.schema(
    [
        pa.field("sent_id", pa.string(), nullable=False),
        pa.field("row", pa.int64(), nullable=False),
        pa.field("lang", pa.string(), nullable=False),
        pa.field("kind", pa.string(), nullable=False),
        pa.field("occupation", pa.string(), nullable=False),
        pa.field("form", pa.string(), nullable=False),
        pa.field("column", pa.string(), nullable=False),
        pa.field("gender", pa.string(), nullable=False),
        pa.field("subject", pa.string(), nullable=False),
        pa.field("start", pa.int32(), nullable=False),
        pa.field("end", pa.int32(), nullable=False),
        pa.field("text", pa.string(), nullable=False),
        pa.field("original", pa.string(), nullable=False),
        pa.field("source_text", pa.string(), nullable=False),
        pa.field("isco", pa.string(), nullable=False),
        pa.field("status", pa.string(), nullable=False),
        pa.field("share_women", pa.float64()),
        pa.field("source", pa.string(), nullable=False),
        pa.field("licence", pa.string(), nullable=False),
        pa.field("lexicon_version", pa.string(), nullable=False),
        pa.field("occupations_version", pa.string(), nullable=False),
    ]
)
"""One row a sentence and subject. `kind` is ``pronoun`` (`occupation` is ``he`` or ``she``,
whatever the language says for it) or ``occupation`` (its key, the same in every language); `form`
is ``masculine``, ``feminine``, ``neutral`` or ``common``; `column` is the column of the wide table.
`subject` is what stands in the place of the man or woman, article and all; `start` and `end` are
the noun or pronoun in `text`, without its article, in code points. `original` is the gender of the
person in `source_text`; `row` counts the rows of the set from 0. `gender` is grammatical, empty
where the language has none."""

OCCUPATION_PLACES = ("sent_id", "row", "lang", "original", "source_text")
"""The columns of the wide table that stand before ``he``, ``she`` and the occupations."""


def occupations_wide(columns: Sequence[str]) -> pa.Schema:
    """The schema of a wide table: one row a sentence, one column a subject.

    `columns` are ``he``, ``she`` (never null) and the `column` values of the long table (null where
    a sentence has no such form).
    """
    places = [OCCUPATIONS.field(name) for name in OCCUPATION_PLACES]
    subjects = [pa.field(name, pa.string(), nullable=name not in {"he", "she"}) for name in columns]
    return pa.schema([*places, *subjects])
