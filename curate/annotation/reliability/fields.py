"""What people said on tasks that several of them answered, field by field.

Only valid answers count, of one person to one task the last. The categories of a text are its
words: NFC, white space folded, nothing else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from curate.annotation.reliability.alpha import Distance, Values
from curate.annotation.reliability.share import masi_distance
from curate.errors import InputError
from curate.language import normalize

__all__ = [
    "ALL",
    "ANSWER_COLUMNS",
    "DISTANCES",
    "FIELDS",
    "TASK_COLUMNS",
    "Judgements",
    "as_matrix",
    "judgements",
    "rows_of",
    "valid_answers",
]

ALL = "mul"
"""The tag of several languages taken together (ISO 639; "all" is a language)."""

ANSWER_COLUMNS = (
    "answer_id", "task_id", "uid", "lang", "step", "stage", "person", "answered_at", "status",
    "outcome", "verdict", "sent_more", "sent_less", "reason", "adaptation", "response",
)  # fmt: skip
TASK_COLUMNS = (
    "task_id", "uid", "lang", "step", "stage", "text_more", "text_less", "outcome", "author",
    "findings",
)  # fmt: skip

Row = Mapping[str, Any]
Judgements = dict[tuple[str, str, str], dict[str, dict[str, Hashable]]]
"""By (language, stage, field): the task's answers by person. Tasks with one person are not in it;
a task whose people left the field empty has fewer answers than people."""

_WRITTEN = ("outcome", "reason", "adaptation", "sent_more", "sent_less", "both texts")
FIELDS: dict[str, tuple[str, ...]] = {
    "translate": _WRITTEN,
    "correct": ("response", *_WRITTEN),
    "validate": ("verdict", "reason", "sent_more", "sent_less", "both texts"),
}
"""The fields that are compared, by stage."""

DISTANCES: dict[str, tuple[str, Distance]] = {"adaptation": ("MASI", masi_distance)}
"""Name and function of the distance of a field, where it is not nominal."""


def rows_of(table: pa.Table, wanted: Sequence[str], *, where: str) -> list[dict[str, Any]]:
    """The `wanted` columns as rows; InputError for a column that is not there."""
    missing = [name for name in wanted if name not in table.schema.names]
    if missing:
        raise InputError(f"no column {', '.join(missing)}", where=where)
    rows: list[dict[str, Any]] = table.select(list(wanted)).to_pylist()
    return rows


def valid_answers(answers: Iterable[Row]) -> list[Row]:
    """The valid answers, the last of each person and task, in order of task and person."""
    last: dict[tuple[str, str], Row] = {}
    for row in sorted(answers, key=lambda row: (row["answered_at"], row["answer_id"])):
        if row["status"] == "valid":
            last[row["task_id"], row["person"]] = row
    return [last[key] for key in sorted(last)]


def judgements(answers: Iterable[Row], tasks: Iterable[Row]) -> Judgements:
    """What several people said on the same task; `answers` are those of `valid_answers`.

    An answer whose person is not known is left out: two such answers may be of one person.
    """
    shown = {task["task_id"]: task for task in tasks}
    by_task: dict[str, list[Row]] = defaultdict(list)
    for row in answers:
        if row["person"] and row["stage"] in FIELDS:
            by_task[row["task_id"]].append(row)
    found: Judgements = {}
    for task_id, rows in by_task.items():
        if len(rows) < 2:
            continue
        for field in FIELDS[rows[0]["stage"]]:
            units = found.setdefault((rows[0]["lang"], rows[0]["stage"], field), {})
            said = ((row["person"], _value(field, row, shown.get(task_id))) for row in rows)
            units[task_id] = {person: value for person, value in said if value is not None}
    return found


def as_matrix(units: Mapping[str, Mapping[str, Hashable]], people: Sequence[str]) -> Values:
    """Units by the given people, None where one said nothing."""
    return [[said.get(person) for person in people] for said in units.values()]


def _value(field: str, row: Row, task: Row | None) -> Hashable | None:
    if field in _READERS:
        return _READERS[field](row, task)
    return row[field] or None


def _adaptation(row: Row, task: Row | None) -> Hashable | None:
    """The kinds, the empty set for none; a pair that was not translated was not adapted either."""
    return frozenset(row["adaptation"] or ()) if row["outcome"] == "translated" else None


def _text(side: str) -> Callable[[Row, Row | None], str | None]:
    """Reads the text that a person ends with; None where the person wrote or upheld none."""

    def read(row: Row, task: Row | None) -> str | None:
        if row["verdict"] == "reject" or row["outcome"] == "untranslatable":
            return None
        given = row[f"sent_{side}"]
        if not given and row["verdict"] == "accept" and task is not None:
            given = task[f"text_{side}"]  # upheld as it was shown
        return " ".join(normalize(given).split()) or None

    return read


def _both(row: Row, task: Row | None) -> Hashable | None:
    more, less = (_READERS[name](row, task) for name in ("sent_more", "sent_less"))
    return (more, less) if more and less else None


_READERS: dict[str, Callable[[Row, Row | None], Hashable | None]] = {
    "adaptation": _adaptation,
    "sent_more": _text("more"),
    "sent_less": _text("less"),
    "both texts": _both,
}
