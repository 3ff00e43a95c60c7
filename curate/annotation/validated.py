"""After ``validate``: the end, back to a translator, or on to another validator."""

from __future__ import annotations

from collections.abc import Sequence

from curate.annotation.answers import Answer
from curate.annotation.problems import Problem, is_about_people
from curate.annotation.step import Step, conflict, differing
from curate.annotation.tasks import DONE, Other, Task, next_task

__all__ = ["Validated"]


class Validated(Step):
    """What follows from verdicts."""

    def next(self, given: list[Answer], writers: frozenset[str]) -> Task:
        """The next task; verdicts of `writers` do not count, for the text is theirs."""
        foreign = [answer for answer in given if answer.person not in writers]
        if not foreign:
            evidence = "the validator had a hand in this text: another person is wanted"
            return self._again([Problem("same-person", "verdict", evidence)])
        good = [answer for answer in foreign if answer.status == "valid"]
        if not good:
            return self._again(foreign[0].problems)
        first = good[0]
        others = differing(first, good[1:])
        if others:
            return self._again(conflict(others), others=others)
        return {"accept": self._accept, "revise": self._revise, "reject": self._reject}[
            first.verdict
        ](first)

    def _accept(self, answer: Answer) -> Task:
        state = "accepted" if self.last.outcome == "translated" else "untranslatable"
        return self._done(state, answer, texts=self.last.texts, found=self.last.findings)

    def _revise(self, answer: Answer) -> Task:
        found = list(self.findings(self.source, answer.texts))
        if self.new(found):
            if not self.another_round:
                return self._done("unresolved", answer, texts=answer.texts, found=found)
            return self._written("correct", answer, found)
        if self.last.outcome == "untranslatable":  # nobody else has seen this text
            return self._written("validate", answer, found)
        return self._done("revised", answer, texts=answer.texts, found=found)

    def _written(self, stage: str, answer: Answer, found: Sequence[Problem]) -> Task:
        return next_task(
            self.source, self.last, stage, texts=answer.texts, author=answer.person,
            adaptation=self.last.adaptation, findings=found, note=answer.note,
        )  # fmt: skip

    def _reject(self, answer: Answer) -> Task:
        said = Problem("rejected", "", "; ".join(filter(None, (answer.reason, answer.note))))
        if not self.another_round:
            return self._done("rejected", answer, texts=self.last.texts, found=[said])
        return next_task(
            self.source, self.last, "correct", texts=self.last.texts, author=self.last.author,
            outcome=self.last.outcome, reason=self.last.reason, adaptation=self.last.adaptation,
            findings=[said, *(one for one in self.last.findings if not is_about_people(one))],
        )  # fmt: skip

    def _done(
        self, state: str, answer: Answer, *, texts: tuple[str, str], found: Sequence[Problem]
    ) -> Task:
        reasons = {"rejected": answer.reason, "untranslatable": self.last.reason}
        return next_task(
            self.source, self.last, DONE, texts=texts, author=self.last.author,
            outcome="untranslatable" if state == "untranslatable" else "translated",
            reason=reasons.get(state, ""), adaptation=self.last.adaptation,
            validator=answer.person, state=state, findings=found,
            note=answer.note or self.last.note,
        )  # fmt: skip

    def _again(self, found: Sequence[Problem], *, others: Sequence[Other] = ()) -> Task:
        return next_task(
            self.source, self.last, "validate", texts=self.last.texts, author=self.last.author,
            outcome=self.last.outcome, reason=self.last.reason, adaptation=self.last.adaptation,
            findings=self.beside(found), others=others or self.last.others, note=self.last.note,
        )  # fmt: skip
