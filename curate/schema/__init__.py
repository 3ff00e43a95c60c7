"""The Arrow schemas, row ids and content hashes: the one place that knows columns."""

from curate.genders import GENDERS, other_gender
from curate.schema.ids import (
    pair_id,
    sentence_id,
    stable_id,
    table_hash,
)
from curate.schema.occupations import OCCUPATION_PLACES, OCCUPATIONS, occupations_wide
from curate.schema.pairs import CROWS, DROPS, PAIRS, SCORES, SENTENCES, VERDICTS
from curate.schema.politicians import POLITICIAN_WORDS, POLITICIANS
from curate.schema.translation import (
    ANSWERS,
    PROBLEMS,
    TRANSLATION_TASKS,
    TRANSLATION_UNITS,
)

SCHEMA_VERSION = "1.0.0"  # of all tables; tests/golden/columns.json holds what it promises

__all__ = [
    "ANSWERS",
    "CROWS",
    "DROPS",
    "GENDERS",
    "OCCUPATIONS",
    "OCCUPATION_PLACES",
    "PAIRS",
    "POLITICIANS",
    "POLITICIAN_WORDS",
    "PROBLEMS",
    "SCHEMA_VERSION",
    "SCORES",
    "SENTENCES",
    "TRANSLATION_TASKS",
    "TRANSLATION_UNITS",
    "VERDICTS",
    "occupations_wide",
    "other_gender",
    "pair_id",
    "sentence_id",
    "stable_id",
    "table_hash",
]
