"""Read an answer strictly, every field of it, by the form of its stage."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

from curate import schema
from curate.annotation.answers import Answer, RawAnswer
from curate.annotation.form import TEXT_FIELDS, Form, form_of
from curate.annotation.problems import Problem
from curate.annotation.tasks import Task

__all__ = ["cleaned", "read_answer", "read_values"]

_CANNOT = "no-correction-"


def read_answer(raw: RawAnswer, task: Task, *, person: str, now: str) -> Answer:
    """Read every field of `raw` by the form of the task's stage.

    `status` is ``skipped``, ``stale`` (given to other texts than the task's), ``invalid`` (with
    its problems) or ``valid``. Texts are put in NFC, white space is folded to single spaces.
    `person` is the pseudonym, `now` stands where the channel knows no time.
    """
    values, problems = read_values(raw, form_of(task.stage))
    answer = _answer(raw, task, values, person=person, now=now)
    if raw.skipped:
        return answer.marked("skipped", ())
    if raw.hash != task.hash:
        evidence = "the source or the text was changed since"
        return answer.marked("stale", (Problem("stale", "", evidence),))
    problems += _contents(answer, task)
    return answer.marked("invalid" if problems else "valid", tuple(problems))


def read_values(raw: RawAnswer, form: Form) -> tuple[dict[str, list[str]], list[Problem]]:
    """The values of every field of a form, and what is wrong with them."""
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


def cleaned(raw: RawAnswer) -> RawAnswer:
    """The same with halves of surrogate pairs, which no file can hold, as U+FFFD."""
    return replace(
        raw,
        task_id=_whole(raw.task_id), hash=_whole(raw.hash), person=_whole(raw.person),
        ref=_whole(raw.ref), answered_at=_whole(raw.answered_at),
        fields={_whole(name): [_whole(one) for one in raw.fields[name]] for name in raw.fields},
        problems=tuple(
            Problem(one.code, _whole(one.field), _whole(one.evidence)) for one in raw.problems
        ),
    )  # fmt: skip


def _whole(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


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
    elif task.stage == "translate" and outcome != "untranslatable":
        reason = ""  # asked of what cannot be translated alone
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
    if answer.verdict == "reject" and not answer.reason:
        return [Problem("missing-field", "reason", "reject without a reason")]
    if answer.verdict == "accept" and given and answer.texts != task.texts:
        evidence = "accept, but the text was changed: revise was meant?"
        return [Problem("contradiction", "verdict", evidence)]
    return []
