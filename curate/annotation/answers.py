"""Answers: as a channel brings them, and as they are kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from curate.annotation.problems import Problem

__all__ = ["Answer", "RawAnswer"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RawAnswer:
    """What a channel holds for a task, before anything was believed.

    `fields`: the values as entered, by the name of the field. `person`: a mail address or name,
    which becomes a pseudonym. `answered_at`: ISO 8601, empty where the channel does not know.
    `ref`: where the answer stands there (``task 12, annotation 7``; ``de.csv:14``).
    `problems`: what the channel itself found (a cell with a formula).
    """

    task_id: str
    hash: str
    fields: Mapping[str, list[str]]
    person: str
    channel: str
    ref: str
    answered_at: str = ""
    skipped: bool = False
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A row of `schema.ANSWERS`."""

    answer_id: str
    task_id: str
    uid: str
    lang: str
    step: int
    stage: str
    hash: str
    person: str
    answered_at: str
    channel: str
    ref: str
    status: str
    outcome: str = ""
    verdict: str = ""
    sent_more: str = ""
    sent_less: str = ""
    reason: str = ""
    adaptation: tuple[str, ...] = ()
    response: str = ""
    note: str = ""
    problems: tuple[Problem, ...] = field(default=())

    @property
    def content(self) -> tuple[Any, ...]:
        """What the person said, without when and where."""
        return (
            self.outcome, self.verdict, self.sent_more, self.sent_less, self.reason,
            self.adaptation, self.response, self.note, self.status == "skipped",
        )  # fmt: skip

    @property
    def texts(self) -> tuple[str, str]:
        return self.sent_more, self.sent_less

    def marked(self, status: str, problems: tuple[Problem, ...]) -> Answer:
        """The same answer with another status."""
        return replace(self, status=status, problems=problems)

    def record(self) -> dict[str, Any]:
        """The row as plain values."""
        row = {item.name: getattr(self, item.name) for item in fields(self)}
        row["problems"] = [
            {"code": one.code, "field": one.field, "evidence": one.evidence}
            for one in self.problems
        ]
        row["adaptation"] = list(self.adaptation)
        return row

    @classmethod
    def from_record(cls, row: Mapping[str, Any]) -> Answer:
        values = dict(row)
        values["problems"] = tuple(Problem(**one) for one in row["problems"])
        values["adaptation"] = tuple(row["adaptation"])
        return cls(**values)
