"""People by gender, and the words that models put beside their names."""

from __future__ import annotations

import pyarrow as pa

__all__ = ["POLITICIANS", "POLITICIAN_WORDS"]

POLITICIANS = pa.schema(
    [
        pa.field("qid", pa.string(), nullable=False),
        pa.field("lang", pa.string(), nullable=False),
        pa.field("name", pa.string(), nullable=False),
        pa.field("gender_qids", pa.list_(pa.string()), nullable=False),
        pa.field("gender", pa.string(), nullable=False),
        pa.field("birth_years", pa.list_(pa.int32()), nullable=False),
        pa.field("country_qids", pa.list_(pa.string()), nullable=False),
        pa.field("occupation_qids", pa.list_(pa.string()), nullable=False),
        pa.field("sitelinks", pa.int32()),
        pa.field("retrieved", pa.string(), nullable=False),
    ]
)
"""People of an occupation: one row a person and language in which they have a label. The lists hold
every truthy value, sorted; `gender` is what the scheme makes of `gender_qids`; `sitelinks` is null
where the endpoint does not know it; `retrieved` is the day, ISO 8601."""

POLITICIAN_WORDS = pa.schema(
    [
        pa.field("qid", pa.string(), nullable=False),
        pa.field("lang", pa.string(), nullable=False),
        pa.field("gender", pa.string(), nullable=False),
        pa.field("upos", pa.string(), nullable=False),
        pa.field("position", pa.string(), nullable=False),
        pa.field("rank", pa.int32(), nullable=False),
        pa.field("word", pa.string(), nullable=False),
        pa.field("lemma", pa.string(), nullable=False),
        pa.field("probability", pa.float64(), nullable=False),
        pa.field("model", pa.string(), nullable=False),
        pa.field("revision", pa.string(), nullable=False),
    ]
)
"""Words that a model puts beside a name: `position` is ``before`` or ``after`` it, `rank` counts
from 1 among the words of this `upos` that were kept, `probability` is the model's."""
