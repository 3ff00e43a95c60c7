"""The Arrow schemas, row ids and content hashes: the one place that knows columns."""

from __future__ import annotations

import hashlib
import unicodedata
from typing import Any

import pyarrow as pa

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

GENDERS = ("masculine", "feminine")

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

PROBLEMS = pa.list_(
    pa.struct([("code", pa.string()), ("field", pa.string()), ("evidence", pa.string())])
)
"""What is wrong with an answer: a code, the field it is about, the words it rests on."""

OTHERS = pa.list_(
    pa.struct([("person", pa.string()), ("sent_more", pa.string()), ("sent_less", pa.string())])
)

TRANSLATION_TASKS = pa.schema(
    [
        pa.field("task_id", pa.string(), nullable=False),
        pa.field("uid", pa.string(), nullable=False),
        pa.field("lang", pa.string(), nullable=False),
        pa.field("step", pa.int32(), nullable=False),
        pa.field("round", pa.int32(), nullable=False),
        pa.field("stage", pa.string(), nullable=False),
        pa.field("hash", pa.string(), nullable=False),
        pa.field("text_more", pa.string(), nullable=False),
        pa.field("text_less", pa.string(), nullable=False),
        pa.field("outcome", pa.string(), nullable=False),
        pa.field("reason", pa.string(), nullable=False),
        pa.field("adaptation", pa.list_(pa.string()), nullable=False),
        pa.field("author", pa.string(), nullable=False),
        pa.field("validator", pa.string(), nullable=False),
        pa.field("state", pa.string(), nullable=False),
        pa.field("note", pa.string(), nullable=False),
        pa.field("findings", PROBLEMS, nullable=False),
        pa.field("others", OTHERS, nullable=False),
    ]
)
"""What people are asked: one row a task, in the order in which they were issued. `uid` is a source
pair in a target language, `step` counts its tasks from 1, `round` the times a text was asked for.
`text_*`, `outcome`, `reason` and `author` are the answer that is to be corrected or validated;
`hash` is that of the source and of these texts, so an answer to other texts is told as stale. The
stage ``done`` closes a unit with a `state` other than ``open``: the texts are the result."""

ANSWERS = pa.schema(
    [
        pa.field("answer_id", pa.string(), nullable=False),
        pa.field("task_id", pa.string(), nullable=False),
        pa.field("uid", pa.string(), nullable=False),
        pa.field("lang", pa.string(), nullable=False),
        pa.field("step", pa.int32(), nullable=False),
        pa.field("stage", pa.string(), nullable=False),
        pa.field("hash", pa.string(), nullable=False),
        pa.field("person", pa.string(), nullable=False),
        pa.field("answered_at", pa.string(), nullable=False),
        pa.field("channel", pa.string(), nullable=False),
        pa.field("ref", pa.string(), nullable=False),
        pa.field("status", pa.string(), nullable=False),
        pa.field("outcome", pa.string(), nullable=False),
        pa.field("verdict", pa.string(), nullable=False),
        pa.field("sent_more", pa.string(), nullable=False),
        pa.field("sent_less", pa.string(), nullable=False),
        pa.field("reason", pa.string(), nullable=False),
        pa.field("adaptation", pa.list_(pa.string()), nullable=False),
        pa.field("response", pa.string(), nullable=False),
        pa.field("note", pa.string(), nullable=False),
        pa.field("problems", PROBLEMS, nullable=False),
    ]
)
"""What people answered, whole and for ever: nothing is taken out. `person` is a pseudonym,
`answered_at` ISO 8601 in UTC, `ref` where the channel holds it; an empty string is no answer."""

TRANSLATION_UNITS = pa.schema(
    [
        pa.field("uid", pa.string(), nullable=False),
        pa.field("lang", pa.string(), nullable=False),
        pa.field("source_id", pa.string(), nullable=False),
        pa.field("source_pair_id", pa.string(), nullable=False),
        pa.field("state", pa.string(), nullable=False),
        pa.field("step", pa.int32(), nullable=False),
        pa.field("round", pa.int32(), nullable=False),
        pa.field("pair_id", pa.string()),
        pa.field("sent_more", pa.string()),
        pa.field("sent_less", pa.string()),
        pa.field("adaptation", pa.list_(pa.string()), nullable=False),
        pa.field("reason", pa.string(), nullable=False),
        pa.field("translator", pa.string(), nullable=False),
        pa.field("validator", pa.string(), nullable=False),
        pa.field("note", pa.string(), nullable=False),
    ]
)
"""How far every pair has come in every language, and its text so far (null where it has none)."""

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


def other_gender(gender: str) -> str:
    return "feminine" if gender == "masculine" else "masculine"


def _digest(*parts: str) -> str:
    digest = hashlib.blake2b(digest_size=10)
    for part in parts:
        encoded = unicodedata.normalize("NFC", part).encode()
        digest.update(len(encoded).to_bytes(8, "big"))
        digest.update(encoded)
    return digest.hexdigest()


def sentence_id(lang: str, text: str) -> str:
    """The same language and text give the same id for ever."""
    return "s" + _digest(lang, text)


def stable_id(kind: str, *parts: str) -> str:
    """`kind` and a hash of `parts`: the same parts give the same id for ever."""
    return kind + _digest(*parts)


def pair_id(lang: str, method: str, masculine: str, feminine: str) -> str:
    """The same language, method and texts give the same id for ever."""
    return "p" + _digest(lang, method, masculine, feminine)


def table_hash(table: pa.Table) -> str:
    """SHA-256 of a table's schema and values, whatever its chunks."""
    digest = hashlib.sha256(str(table.schema.remove_metadata()).encode())
    for row in table.combine_chunks().to_pylist():
        digest.update(repr(_plain(row)).encode())
    return digest.hexdigest()


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return [(key, _plain(inner)) for key, inner in value.items()]
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return value
