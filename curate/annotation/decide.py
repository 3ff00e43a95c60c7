"""What follows from the answers to a task: the next task, the end, or waiting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from curate.annotation.answers import Answer
from curate.annotation.problems import Problem, is_dismissible, is_shape
from curate.annotation.tasks import DONE, Other, Source, Task, next_task

__all__ = ["Rules", "decide", "latest", "reissue"]

Findings = Callable[[Source, tuple[str, str]], Sequence[Problem]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """How a campaign is run.

    `passes`: 2, a second person validates; 1, none does. `overlap`: how many people translate the
    same pair. `max_rounds`: how often a text is asked for before the pair is given up.
    """

    passes: int = 2
    overlap: int = 1
    max_rounds: int = 3


def latest(answers: Sequence[Answer]) -> list[Answer]:
    """The last answer of every person that says something, the earliest person first.

    Skipped tasks say nothing; an answer whose form is broken waits to be mended.
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
    source: Source, last: Task, answers: Sequence[Answer], *, rules: Rules, findings: Findings
) -> Task | None:
    """The task that follows `last`, given all answers to it; None while it waits for some.

    A task of the stage ``done`` ends the unit. `findings` are those of the checks on a text.
    """
    if last.stage == DONE:
        return None
    given = latest(answers)
    if not given:
        return _after_stale(source, last, [one for one in answers if one.status == "stale"])
    if last.stage == "validate":
        return _Validated(source, last, rules, findings).next(given)
    if last.stage == "translate" and len(given) < rules.overlap:
        return None
    return _Translated(source, last, rules, findings).next(given)


def reissue(source: Source, last: Task, *, answered: bool, fresh: str) -> Task | None:
    """The task that a change of the source makes of `last`; None where nothing changed.

    `fresh` is the hash of the source as it is now with the texts of `last`. An unanswered first
    task is given out again as it stands, with the new source; anything later is to be corrected.
    """
    if last.hash == fresh:
        return None
    if last.stage == "translate" and not answered:
        values = {name: getattr(last, name) for name in last.__slots__}
        return Task(**(values | {"hash": fresh}))
    changed = Problem("source-changed", "", "the source was changed after this was translated")
    return next_task(
        source, last, "correct", texts=last.texts, author=last.author, outcome=last.outcome,
        reason=last.reason, adaptation=last.adaptation, findings=[changed],
    )  # fmt: skip


def _after_stale(source: Source, last: Task, stale: list[Answer]) -> Task | None:
    if not stale:
        return None
    answer = stale[-1]
    texts = last.texts if last.stage == "validate" else answer.texts
    changed = Problem("source-changed", "", "the source was changed after this was translated")
    return next_task(
        source, last, "correct", texts=texts, author=answer.person, adaptation=answer.adaptation,
        findings=[changed],
    )  # fmt: skip


class _Step:
    """What the two kinds of step share."""

    def __init__(self, source: Source, last: Task, rules: Rules, findings: Findings) -> None:
        self.source, self.last, self.rules, self.findings = source, last, rules, findings

    @property
    def another_round(self) -> bool:
        return self.last.round < self.rules.max_rounds

    def new(self, found: Sequence[Problem]) -> list[Problem]:
        """Those that nobody has been shown yet, or that nobody may call right."""
        known = {one.code for one in self.last.findings}
        return [one for one in found if one.code not in known or not is_dismissible(one)]


class _Translated(_Step):
    """After ``translate`` and ``correct``: back with findings, on to the validator, or done."""

    def next(self, given: list[Answer]) -> Task:
        good = [answer for answer in given if answer.status == "valid"]
        if not good:
            return self._make("correct", given[0], given[0].problems)
        first = good[0]
        others = _differing(first, good[1:])
        conflict = [_conflict(others)] if others else []
        if first.outcome == "untranslatable":
            found: list[Problem] = []
        else:
            found = list(self.findings(self.source, first.texts))
        dismissed = first.response == "right-as-it-is"
        asked = self.new(found) if dismissed else found
        if asked and self.another_round:
            return self._make("correct", first, [*asked, *conflict], others=others)
        if self.rules.passes > 1:
            return self._make("validate", first, [*found, *conflict], others=others)
        return self._end(first, found, asked, conflict, others)

    def _end(
        self, first: Answer, found: list[Problem], asked: list[Problem],
        conflict: list[Problem], others: list[Other],
    ) -> Task:  # fmt: skip
        if conflict and self.another_round:
            return self._make("correct", first, [*found, *conflict], others=others)
        state = "unresolved" if asked or conflict else first.outcome
        return self._make(DONE, first, [*found, *conflict], others=others, state=state)

    def _make(
        self, stage: str, answer: Answer, found: Sequence[Problem], *,
        others: Sequence[Other] = (), state: str = "open",
    ) -> Task:  # fmt: skip
        return next_task(
            self.source, self.last, stage, texts=answer.texts, author=answer.person,
            outcome=answer.outcome or "translated", reason=answer.reason,
            adaptation=answer.adaptation, findings=found, others=others, state=state,
            note=answer.note,
        )  # fmt: skip


class _Validated(_Step):
    """After ``validate``: done, back to a translator, or to another validator."""

    def next(self, given: list[Answer]) -> Task:
        foreign = [answer for answer in given if answer.person != self.last.author]
        if not foreign:
            evidence = "the validator wrote this text: another person is wanted"
            return self._again([Problem("same-person", "verdict", evidence)])
        good = [answer for answer in foreign if answer.status == "valid"]
        if not good:
            return self._again(list(foreign[0].problems))
        first = good[0]
        others = _differing(first, good[1:])
        if others or any(answer.verdict != first.verdict for answer in good):
            return self._again([_conflict(others)], others=others)
        return {"accept": self._accept, "revise": self._revise, "reject": self._reject}[
            first.verdict
        ](first)

    def _accept(self, answer: Answer) -> Task:
        state = "accepted" if self.last.outcome == "translated" else "untranslatable"
        return self._done(state, answer, texts=self.last.texts, found=self.last.findings)

    def _revise(self, answer: Answer) -> Task:
        found = list(self.findings(self.source, answer.texts))
        asked = self.new(found)
        if asked and self.another_round:
            return next_task(
                self.source, self.last, "correct", texts=answer.texts, author=answer.person,
                adaptation=self.last.adaptation, findings=asked, note=answer.note,
            )  # fmt: skip
        state = "unresolved" if asked else "revised"
        return self._done(state, answer, texts=answer.texts, found=found)

    def _reject(self, answer: Answer) -> Task:
        said = Problem("rejected", "", "; ".join(filter(None, (answer.reason, answer.note))))
        if not self.another_round:
            return self._done("rejected", answer, texts=self.last.texts, found=[said])
        return next_task(
            self.source, self.last, "correct", texts=self.last.texts, author=self.last.author,
            outcome=self.last.outcome, reason=self.last.reason, adaptation=self.last.adaptation,
            findings=[said],
        )  # fmt: skip

    def _done(
        self, state: str, answer: Answer, *, texts: tuple[str, str], found: Sequence[Problem]
    ) -> Task:
        outcome = "untranslatable" if state == "untranslatable" else "translated"
        reason = answer.reason if state == "rejected" else self.last.reason
        return next_task(
            self.source, self.last, DONE, texts=texts, author=self.last.author, outcome=outcome,
            reason=reason if state in {"rejected", "untranslatable"} else "",
            adaptation=self.last.adaptation, validator=answer.person, state=state,
            findings=found, note=answer.note or self.last.note,
        )  # fmt: skip

    def _again(self, found: list[Problem], *, others: Sequence[Other] = ()) -> Task:
        kept = [one for one in self.last.findings if one.code not in {two.code for two in found}]
        return next_task(
            self.source, self.last, "validate", texts=self.last.texts, author=self.last.author,
            outcome=self.last.outcome, reason=self.last.reason, adaptation=self.last.adaptation,
            findings=[*kept, *found], others=others or self.last.others, note=self.last.note,
        )  # fmt: skip


def _differing(first: Answer, rest: Sequence[Answer]) -> list[Other]:
    return [
        Other(one.person, one.sent_more, one.sent_less)
        for one in rest
        if (one.texts, one.outcome, one.verdict) != (first.texts, first.outcome, first.verdict)
    ]


def _conflict(others: Sequence[Other]) -> Problem:
    people = ", ".join(sorted({one.person for one in others}))
    return Problem("conflict", "", f"answered otherwise by {people}")
