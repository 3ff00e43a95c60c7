"""What a translation campaign asks and is answered."""

from __future__ import annotations

import pyarrow as pa

__all__ = ["ANSWERS", "OTHERS", "PROBLEMS", "TRANSLATION_TASKS", "TRANSLATION_UNITS"]

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
