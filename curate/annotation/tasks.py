"""Tasks: what a person is asked about one pair in one language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from curate import schema
from curate.annotation.problems import Problem

__all__ = ["DONE", "OPEN", "Other", "Source", "Task", "content_hash", "first_task", "next_task"]

DONE, OPEN = "done", "open"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A source pair in a target language: what does not change from step to step.

    `number` counts from 1 in the order of the source table; `names` are the given names to use,
    masculine first; `suggestion` the machine's (more, less), `origin` where it comes from.
    """

    uid: str
    lang: str
    number: int
    source_id: str
    pair_id: str
    sent_more: str
    sent_less: str
    bias_type: str
    stereo_antistereo: str
    names: tuple[str, ...] = ()
    suggestion: tuple[str, str] | None = None
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Other:
    """What another person wrote for the same task."""

    person: str
    sent_more: str
    sent_less: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A row of `schema.TRANSLATION_TASKS`."""

    uid: str
    lang: str
    step: int
    round: int
    stage: str
    hash: str
    text_more: str = ""
    text_less: str = ""
    outcome: str = ""
    reason: str = ""
    adaptation: tuple[str, ...] = ()
    author: str = ""
    validator: str = ""
    state: str = OPEN
    note: str = ""
    findings: tuple[Problem, ...] = ()
    others: tuple[Other, ...] = ()

    @property
    def task_id(self) -> str:
        return f"{self.uid}.{self.step}"

    @property
    def texts(self) -> tuple[str, str]:
        return self.text_more, self.text_less

    def record(self) -> dict[str, Any]:
        """The row as plain values."""
        row = {item.name: getattr(self, item.name) for item in fields(self)}
        row["task_id"] = self.task_id
        row["adaptation"] = list(self.adaptation)
        row["findings"] = [asdict(one) for one in self.findings]
        row["others"] = [asdict(one) for one in self.others]
        return row

    @classmethod
    def from_record(cls, row: Mapping[str, Any]) -> Task:
        values = {name: value for name, value in row.items() if name != "task_id"}
        values["adaptation"] = tuple(row["adaptation"])
        values["findings"] = tuple(Problem(**one) for one in row["findings"])
        values["others"] = tuple(Other(**one) for one in row["others"])
        return cls(**values)


def content_hash(source: Source, texts: tuple[str, str] = ("", "")) -> str:
    """The hash of what an answer is about: the source pair, and the text to correct or validate."""
    return schema.stable_id("h", source.sent_more, source.sent_less, *texts)


def first_task(source: Source) -> Task:
    """The first task of a unit: translate."""
    return Task(
        uid=source.uid, lang=source.lang, step=1, round=1, stage="translate",
        hash=content_hash(source),
    )  # fmt: skip


def next_task(
    source: Source,
    last: Task,
    stage: str,
    *,
    texts: tuple[str, str],
    author: str,
    outcome: str = "translated",
    reason: str = "",
    adaptation: Sequence[str] = (),
    validator: str = "",
    state: str = OPEN,
    note: str = "",
    findings: Sequence[Problem] = (),
    others: Sequence[Other] = (),
) -> Task:
    """The task after `last`; a new round begins where a text is asked for."""
    return Task(
        uid=source.uid, lang=source.lang, step=last.step + 1,
        round=last.round + (stage == "correct"), stage=stage, hash=content_hash(source, texts),
        text_more=texts[0], text_less=texts[1], outcome=outcome, reason=reason,
        adaptation=tuple(adaptation), author=author, validator=validator, state=state, note=note,
        findings=tuple(findings), others=tuple(others),
    )  # fmt: skip
