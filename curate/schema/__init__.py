"""The Arrow schemas, row ids and content hashes: the one place that knows columns."""

from curate.schema.ids import (
    GENDERS,
    other_gender,
    pair_id,
    sentence_id,
    stable_id,
    table_hash,
)
from curate.schema.pairs import CROWS, DROPS, PAIRS, SCORES, SENTENCES, VERDICTS
from curate.schema.politicians import POLITICIAN_WORDS, POLITICIANS
from curate.schema.translation import (
    ANSWERS,
    PROBLEMS,
    TRANSLATION_TASKS,
    TRANSLATION_UNITS,
)

__all__ = [
    "ANSWERS",
    "CROWS",
    "DROPS",
    "GENDERS",
    "PAIRS",
    "POLITICIANS",
    "POLITICIAN_WORDS",
    "PROBLEMS",
    "SCORES",
    "SENTENCES",
    "TRANSLATION_TASKS",
    "TRANSLATION_UNITS",
    "VERDICTS",
    "other_gender",
    "pair_id",
    "sentence_id",
    "stable_id",
    "table_hash",
]
