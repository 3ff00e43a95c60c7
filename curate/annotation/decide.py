"""What follows from the answers to a task: the next task, the end, or waiting."""

from __future__ import annotations

from collections.abc import Sequence

from curate.annotation.answers import Answer
from curate.annotation.changed import after_stale
from curate.annotation.problems import is_shape
from curate.annotation.step import Findings, Rules
from curate.annotation.tasks import DONE, Source, Task
from curate.annotation.translated import Translated
from curate.annotation.validated import Validated

__all__ = ["decide", "latest"]


def latest(answers: Sequence[Answer]) -> list[Answer]:
    """The last answer of every person that says something, the earliest person first.

    A skip takes back what was said before; an answer whose form is broken waits to be mended.
    """
    by_person: dict[str, Answer] = {}
    for answer in sorted(answers, key=lambda one: (one.answered_at, one.answer_id)):
        by_person[answer.person] = answer
    counted = [answer for answer in by_person.values() if answer.status in {"valid", "invalid"}]
    return sorted(
        (one for one in counted if not any(map(is_shape, one.problems))),
        key=lambda one: (one.answered_at, one.answer_id),
    )


def decide(
    source: Source,
    last: Task,
    answers: Sequence[Answer],
    *,
    rules: Rules,
    findings: Findings,
    writers: frozenset[str] = frozenset(),
) -> Task | None:
    """The task that follows `last`, given all answers to it; None while it waits for some.

    A task of the stage ``done`` ends the unit. `findings` are those of the checks on a text;
    `writers` have a hand in the text of `last` and cannot validate it.
    """
    if last.stage == DONE:
        return None
    given = latest(answers)
    if not given:
        return after_stale(source, last, [one for one in answers if one.status == "stale"])
    if last.stage == "validate":
        return Validated(source, last, rules, findings).next(given, writers | {last.author})
    old = {one.person for one in answers if one.status == "stale"} - {one.person for one in given}
    if last.stage == "translate" and len(given) + len(old) < rules.overlap:
        return None
    return Translated(source, last, rules, findings).next(given)
