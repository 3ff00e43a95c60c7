"""What is wrong with an answer: codes of the answer itself, beside those of the checks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from curate.checks import CODES, Finding, is_finding

__all__ = [
    "ANSWER_CODES",
    "Problem",
    "from_findings",
    "is_about_people",
    "is_dismissible",
    "is_shape",
    "is_usable",
]

ANSWER_CODES = {
    "unknown-field": "a field that the form does not have",
    "unknown-choice": "a choice that the form does not have",
    "unreadable-field": "what stands in a field is neither text nor choice",
    "several-values": "several values where one is wanted",
    "missing-field": "a field that must be filled in is empty",
    "contradiction": "two fields of the answer contradict each other",
    "stale": "the source or the text was changed after the task was given out",
    "source-changed": "the source was changed after this was translated",
    "late": "the answer came after the task was settled",
    "conflict": "several people answered differently",
    "same-person": "the validator is the one who wrote the text",
    "rejected": "the validator rejected the text",
    "unknown-task": "a task that this campaign never gave out",
    "duplicate-task": "the same task stands there more than once",
    "missing-task": "a task that was given out is gone",
    "config-changed": "the form was changed by hand",
}
"""Codes that no check of a text gives, and what they mean."""

_SHAPE = frozenset(
    {"unknown-field", "unreadable-field", "unknown-choice", "several-values", "missing-field"}
)
_SIDES = {"a": "sent_more", "b": "sent_less"}
_TEXT_CHECKS = frozenset({"text", "translation"})
_ABOUT_PEOPLE = frozenset({"conflict", "rejected", "same-person"})
_NEVER_RIGHT = frozenset({"empty-side", "identical-sides", "bad-text", "markup", "formula"})


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, and with which field (empty: with the whole); `evidence` quotes it."""

    code: str
    field: str
    evidence: str

    def __str__(self) -> str:
        return ": ".join(filter(None, (self.code, self.field, self.evidence)))


def is_shape(problem: Problem) -> bool:
    """Whether it is the form that was not kept to: the answer waits to be mended where it is."""
    return problem.code in _SHAPE


def is_usable(problems: Iterable[Problem]) -> bool:
    """Whether a text with these problems may stand among the drafts: nothing says it is no text."""
    return not any(_spoils(problem.code) for problem in problems)


def _spoils(code: str) -> bool:
    if code in ANSWER_CODES:
        return code not in _ABOUT_PEOPLE
    return code in CODES and CODES[code].check in _TEXT_CHECKS and CODES[code].level == "error"


def is_about_people(problem: Problem) -> bool:
    """Whether it tells of who answered, not of the text."""
    return problem.code in _ABOUT_PEOPLE


def is_dismissible(problem: Problem) -> bool:
    """Whether a person may say that the text is right all the same."""
    return problem.code not in _NEVER_RIGHT


def from_findings(findings: Iterable[Finding], fields: tuple[str, ...]) -> list[Problem]:
    """Errors and warnings of the checks; evidence that begins with a field's name speaks of it."""
    problems = []
    for one in findings:
        if not is_finding(one.code):
            continue
        name, _, rest = one.evidence.partition(": ")
        if one.check == "text":  # these call the sides a and b
            name = _SIDES.get(name, name)
        field, evidence = (name, rest) if name in fields else ("", one.evidence)
        problems.append(Problem(one.code, field, evidence))
    return problems
