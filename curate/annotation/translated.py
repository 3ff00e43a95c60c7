"""After ``translate`` and ``correct``: back with findings, on to the validator, or the end."""

from __future__ import annotations

from collections.abc import Sequence

from curate.annotation.answers import Answer
from curate.annotation.problems import Problem
from curate.annotation.step import Step, conflict, differing
from curate.annotation.tasks import DONE, OPEN, Other, Task, next_task

__all__ = ["Translated"]


class Translated(Step):
    """What follows from answers that hold a text, or say that there can be none."""

    def next(self, given: list[Answer]) -> Task:
        """The next task; `given` are readable answers of different people, at least one."""
        good = [answer for answer in given if answer.status == "valid"]
        if not good:
            return self._back(given[0], self.beside(given[0].problems))
        first = good[0]
        others = differing(first, good[1:])
        found = self._found(first)
        asked = self.new(found) if first.response == "right-as-it-is" else found
        found = [*found, *conflict(others)]
        if asked:
            return self._back(first, found, others=others)
        if self.rules.passes > 1:
            return self._make("validate", first, found, others=others)
        if others:
            return self._back(first, found, others=others)
        return self._make(DONE, first, found, state=first.outcome)

    def _found(self, answer: Answer) -> list[Problem]:
        if answer.outcome == "untranslatable":
            return []
        return list(self.findings(self.source, answer.texts))

    def _back(
        self, answer: Answer, found: Sequence[Problem], *, others: Sequence[Other] = ()
    ) -> Task:
        """To somebody who corrects it, unless it was asked for often enough."""
        if self.another_round:
            return self._make("correct", answer, found, others=others)
        return self._make(DONE, answer, found, others=others, state="unresolved")

    def _make(
        self, stage: str, answer: Answer, found: Sequence[Problem], *,
        others: Sequence[Other] = (), state: str = OPEN,
    ) -> Task:  # fmt: skip
        texts = answer.texts if any(answer.texts) else self.last.texts
        claimed = answer.outcome == "untranslatable" != self.last.outcome
        kept = texts == self.last.texts and bool(self.last.author) and not claimed
        return next_task(
            self.source, self.last, stage, texts=texts,
            author=self.last.author if kept else answer.person,
            outcome=answer.outcome or self.last.outcome or "translated", reason=answer.reason,
            adaptation=answer.adaptation, findings=found, others=others, state=state,
            note=answer.note,
        )  # fmt: skip
