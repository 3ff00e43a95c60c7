"""Sentences, pairs made of them, verdicts, drops and scores."""

from __future__ import annotations

import pyarrow as pa

__all__ = ["CROWS", "DROPS", "EDITS", "FILL", "PAIRS", "SCORES", "SENTENCES", "VERDICTS"]

SENTENCES = pa.schema(
    [
        pa.field("sent_id", pa.string(), nullable=False),
        pa.field("lang", pa.string(), nullable=False),
        pa.field("text", pa.string(), nullable=False),
        pa.field("source", pa.string(), nullable=False),
        pa.field("licence", pa.string(), nullable=False),
    ]
)

EDITS = pa.list_(pa.struct([("start", pa.int32()), ("end", pa.int32()), ("rule", pa.string())]))

FILL = pa.struct(
    [
        ("model", pa.string()),
        ("revision", pa.string()),
        ("k", pa.int32()),
        ("threshold", pa.float64()),
        ("context", pa.string()),
        ("word_m", pa.string()),
        ("p_m", pa.float64()),
        ("word_f", pa.string()),
        ("p_f", pa.float64()),
        ("kind", pa.string()),
    ]
)

PAIRS = pa.schema(
    [
        pa.field("pair_id", pa.string(), nullable=False),
        pa.field("lang", pa.string(), nullable=False),
        pa.field("masculine", pa.string(), nullable=False),
        pa.field("feminine", pa.string(), nullable=False),
        pa.field("original", pa.string(), nullable=False),
        pa.field("method", pa.string(), nullable=False),
        pa.field("entries", pa.list_(pa.string()), nullable=False),
        pa.field("edits_m", EDITS, nullable=False),
        pa.field("edits_f", EDITS, nullable=False),
        pa.field("fill", FILL),
        pa.field("sent_id", pa.string(), nullable=False),
        pa.field("source", pa.string(), nullable=False),
        pa.field("licence", pa.string(), nullable=False),
        pa.field("lexicon_version", pa.string(), nullable=False),
        pa.field("folds", pa.list_(pa.int8()), nullable=False),
    ]
)

CROWS = pa.schema(
    [
        pa.field("pair_id", pa.string(), nullable=False),
        pa.field("lang", pa.string(), nullable=False),
        pa.field("sent_more", pa.string(), nullable=False),
        pa.field("sent_less", pa.string(), nullable=False),
        pa.field("stereo_antistereo", pa.string(), nullable=False),
        pa.field("bias_type", pa.string(), nullable=False),
        pa.field("masculine", pa.string()),
        pa.field("feminine", pa.string()),
        pa.field("source_id", pa.string(), nullable=False),
        pa.field("round", pa.int32(), nullable=False),
        pa.field("source", pa.string(), nullable=False),
        pa.field("licence", pa.string(), nullable=False),
    ]
)
"""Pairs of the CrowS-Pairs family: `sent_more` is always the side that was judged the more
stereotypical one, `stereo_antistereo` only says how it was written. `masculine` and `feminine` are
the same two texts where the lexicon tells which is which. `pair_id` is that of a foreign table with
the columns ``sent_more,sent_less``, so scores of the file carry it too. `source_id` is the row's id
where it was published; `round` counts the translation rounds (0: as imported)."""

VERDICTS = pa.schema(
    [
        pa.field("pair_id", pa.string()),
        pa.field("row", pa.int64(), nullable=False),
        pa.field("check", pa.string(), nullable=False),
        pa.field("code", pa.string(), nullable=False),
        pa.field("ok", pa.bool_(), nullable=False),
        pa.field("evidence", pa.string(), nullable=False),
    ]
)

DROPS = pa.schema(
    [
        pa.field("sent_id", pa.string(), nullable=False),
        pa.field("row", pa.int64(), nullable=False),
        pa.field("stage", pa.string(), nullable=False),
        pa.field("code", pa.string(), nullable=False),
        pa.field("detail", pa.string(), nullable=False),
    ]
)

SCORES = pa.schema(
    [
        pa.field("pair_id", pa.string(), nullable=False),
        pa.field("row", pa.int64(), nullable=False),
        pa.field("metric", pa.string(), nullable=False),
        pa.field("model", pa.string(), nullable=False),
        pa.field("revision", pa.string(), nullable=False),
        pa.field("value_a", pa.float64()),
        pa.field("value_b", pa.float64()),
        pa.field("n_tokens_a", pa.int32()),
        pa.field("n_tokens_b", pa.int32()),
    ]
)
