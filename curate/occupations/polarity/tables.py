"""The tables that a measurement of polarity is written as."""

from __future__ import annotations

import pyarrow as pa

__all__ = ["CORRELATIONS", "STABILITY", "SUMMARY", "VALUES"]

_SUBJECT = [
    pa.field("kind", pa.string(), nullable=False),
    pa.field("occupation", pa.string(), nullable=False),
    pa.field("form", pa.string(), nullable=False),
    pa.field("column", pa.string(), nullable=False),
]

VALUES = pa.schema(
    [
        pa.field("sent_id", pa.string(), nullable=False),
        pa.field("row", pa.int64(), nullable=False),
        pa.field("lang", pa.string(), nullable=False),
        *_SUBJECT,
        pa.field("n_tokens", pa.int32(), nullable=False),
        pa.field("polarity", pa.float64()),
        pa.field("from_midpoint", pa.float64()),
        pa.field("centred", pa.float64()),
    ]
)
"""One row a sentence and word that has a vector (`values` says what the measures are)."""

STABILITY = pa.schema(
    [
        pa.field("sent_id", pa.string(), nullable=False),
        pa.field("row", pa.int64(), nullable=False),
        pa.field("distance", pa.float64()),
        pa.field("angle", pa.float64()),
        pa.field("cosine", pa.float64()),
        pa.field("cosine_mean", pa.float64()),
    ]
)
"""One row a sentence: distance and angle (radians) of he and she, cosines with the direction."""

SUMMARY = pa.schema(
    [
        pa.field("measure", pa.string(), nullable=False),
        pa.field("lang", pa.string(), nullable=False),
        *_SUBJECT,
        pa.field("status", pa.string(), nullable=False),
        pa.field("share_women", pa.float64()),
        pa.field("n", pa.int64(), nullable=False),
        pa.field("n_dropped", pa.int64(), nullable=False),
        pa.field("mean", pa.float64()),
        pa.field("std", pa.float64()),
        pa.field("median", pa.float64()),
        pa.field("ci_low", pa.float64()),
        pa.field("ci_high", pa.float64()),
        pa.field("p", pa.float64()),
        pa.field("p_holm", pa.float64()),
        pa.field("p_placebo", pa.float64()),
        pa.field("model", pa.string(), nullable=False),
        pa.field("revision", pa.string(), nullable=False),
        pa.field("layer", pa.int32(), nullable=False),
        pa.field("seed", pa.int64(), nullable=False),
    ]
)
"""One row a measure and word. `p` and `p_holm` (over the occupations) only for measures whose 0 is
halfway between he and she, and only of occupations; `p_placebo` for ``centred`` alone."""

CORRELATIONS = pa.schema(
    [
        pa.field("measure", pa.string(), nullable=False),
        pa.field("against", pa.string(), nullable=False),
        pa.field("source", pa.string(), nullable=False),
        pa.field("form", pa.string(), nullable=False),
        pa.field("kind", pa.string(), nullable=False),
        pa.field("n", pa.int64(), nullable=False),
        pa.field("value", pa.float64()),
        pa.field("ci_low", pa.float64()),
        pa.field("ci_high", pa.float64()),
        pa.field("p", pa.float64()),
        pa.field("seed", pa.int64(), nullable=False),
    ]
)
"""One row a measure, what it is held against (``share_women``, ``similarity``), form of the words
(``all``: whichever) and `kind` of coefficient (``spearman``, ``pearson``)."""
