"""Answers as a channel brings them, and what they become once every field was read."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from curate import schema
from curate.annotation.form import TEXT_FIELDS, form_of
from curate.annotation.problems import Problem
from curate.annotation.tasks import Task

__all__ = ["Answer", "RawAnswer", "read_answer"]

_CANNOT = "no-correction-"


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


def read_answer(raw: RawAnswer, task: Task, *, person: str, now: str) -> Answer:
    """Read every field of `raw` by the form of the task's stage.

    `status` is ``skipped``, ``stale`` (given to other texts than the task's), ``invalid`` (with
    its problems) or ``valid``. Texts are put in NFC, white space is folded to single spaces.
    `person` is the pseudonym, `now` stands where the channel knows no time.
    """
    values, problems = _values(raw, task.stage)
    answer = _answer(raw, task, values, person=person, now=now)
    if raw.skipped:
        return answer.marked("skipped", ())
    if raw.hash != task.hash:
        evidence = "the source or the text was changed since"
        return answer.marked("stale", (Problem("stale", "", evidence),))
    problems += _contents(answer, task)
    return answer.marked("invalid" if problems else "valid", tuple(problems))


def _values(raw: RawAnswer, stage: str) -> tuple[dict[str, list[str]], list[Problem]]:
    form = form_of(stage)
    values: dict[str, list[str]] = {}
    problems = list(raw.problems)
    for name, given in raw.fields.items():
        kept = [text for text in map(_folded, given) if text]
        if name not in form.fields:
            if kept:
                problems.append(Problem("unknown-field", name, f"{name} = {_shown(kept)}"))
            continue
        item = form.fields[name]
        if len(kept) > 1 and not item.many:
            problems.append(Problem("several-values", name, _shown(kept)))
        for value in kept if item.choices else ():
            if value not in item.choices:
                wanted = ", ".join(item.choices)
                problems.append(Problem("unknown-choice", name, f"{value!r} is none of {wanted}"))
        values[name] = kept
    if not raw.skipped:
        problems += [
            Problem("missing-field", item.name, "no answer")
            for item in form.fields.values()
            if item.required and not values.get(item.name)
        ]
    return values, problems


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


def _shown(values: list[str]) -> str:
    line = " | ".join(values)
    return line if len(line) <= 120 else line[:119] + "…"


def _answer(
    raw: RawAnswer, task: Task, values: dict[str, list[str]], *, person: str, now: str
) -> Answer:
    one = {name: given[0] for name, given in values.items() if given}
    adaptation = tuple(sorted(set(values.get("adaptation", ()))))
    outcome, reason, response = (one.get(name, "") for name in ("outcome", "reason", "response"))
    if task.stage == "correct":  # the response says what came of it
        outcome, reason = _came_of(response, task)
    said = [outcome, one.get("verdict", ""), *(one.get(name, "") for name in TEXT_FIELDS)]
    said += [reason, ",".join(adaptation), response, one.get("note", "")]
    identity = [task.task_id, person, raw.channel, raw.answered_at, str(raw.skipped), *said]
    return Answer(
        answer_id=schema.stable_id("a", *identity), task_id=task.task_id, uid=task.uid,
        lang=task.lang, step=task.step, stage=task.stage, hash=raw.hash, person=person,
        answered_at=raw.answered_at or now, channel=raw.channel, ref=raw.ref, status="",
        outcome=outcome, verdict=one.get("verdict", ""), sent_more=one.get("sent_more", ""),
        sent_less=one.get("sent_less", ""), reason=reason, adaptation=adaptation,
        response=response, note=one.get("note", ""),
    )  # fmt: skip


def _came_of(response: str, task: Task) -> tuple[str, str]:
    """The outcome and reason that the answer to findings stands for."""
    if response.startswith(_CANNOT):
        return "untranslatable", response.removeprefix(_CANNOT)
    if response == "right-as-it-is" and task.outcome == "untranslatable":
        return task.outcome, task.reason
    return ("translated" if response else ""), ""


def _contents(answer: Answer, task: Task) -> list[Problem]:
    """What the fields say against each other."""
    if task.stage == "validate":
        return _verdict_problems(answer, task)
    problems = _response_problems(answer, task)
    if answer.outcome == "untranslatable":
        if not answer.reason:
            problems.append(Problem("missing-field", "reason", "untranslatable without a reason"))
    elif answer.outcome == "translated":
        problems += [
            Problem("empty-side", name, "no translation")
            for name in TEXT_FIELDS
            if not getattr(answer, name)
        ]
    return problems


def _response_problems(answer: Answer, task: Task) -> list[Problem]:
    same = answer.texts == task.texts
    if answer.response == "right-as-it-is" and not same:
        evidence = "right-as-it-is, but the text was changed"
    elif answer.response == "corrected" and same:
        evidence = "corrected, but the text is what it was"
    else:
        return []
    return [Problem("contradiction", "response", evidence)]


def _verdict_problems(answer: Answer, task: Task) -> list[Problem]:
    given = [name for name in TEXT_FIELDS if getattr(answer, name)]
    if answer.verdict == "revise":
        problems = [
            Problem("empty-side", name, "revise without a text")
            for name in TEXT_FIELDS
            if name not in given
        ]
        if not problems and answer.texts == task.texts and task.outcome == "translated":
            evidence = "revise, but the text is what it was"
            problems.append(Problem("contradiction", "verdict", evidence))
        return problems
    if answer.verdict == "accept" and given and answer.texts != task.texts:
        evidence = "accept, but the text was changed: revise was meant?"
        return [Problem("contradiction", "verdict", evidence)]
    return []
