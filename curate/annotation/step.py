"""What the steps after a text and after a verdict share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from curate.annotation.answers import Answer
from curate.annotation.problems import Problem, is_dismissible
from curate.annotation.tasks import Other, Source, Task

__all__ = ["Findings", "Rules", "Step", "conflict", "differing"]

Findings = Callable[[Source, tuple[str, str]], Sequence[Problem]]
"""The errors and warnings of the checks on the (more, less) of a unit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """How a campaign is run, from now on; what was decided before stays.

    `passes`: 2, a second person validates; 1, none does. `overlap`: how many people translate the
    same pair. `max_rounds`: how often a text is asked for before the pair is given up.
    """

    passes: int = 2
    overlap: int = 1
    max_rounds: int = 3


class Step:
    """A task, its source, and the rules for what may come next."""

    def __init__(self, source: Source, last: Task, rules: Rules, findings: Findings) -> None:
        self.source, self.last, self.rules, self.findings = source, last, rules, findings

    @property
    def another_round(self) -> bool:
        return self.last.round < self.rules.max_rounds

    def new(self, found: Sequence[Problem]) -> list[Problem]:
        """Those that nobody has been shown yet, or that nobody may call right."""
        known = self.last.findings
        return [one for one in found if one not in known or not is_dismissible(one)]

    def beside(self, found: Sequence[Problem]) -> list[Problem]:
        """`found`, and what was found before of other kinds."""
        kinds = {(one.code, one.field) for one in found}
        before = [one for one in self.last.findings if (one.code, one.field) not in kinds]
        return [*found, *before]


def differing(first: Answer, rest: Sequence[Answer]) -> list[Other]:
    """What the others said, where it is not what the first said."""
    return [
        Other(one.person, one.sent_more, one.sent_less)
        for one in rest
        if (one.texts, one.outcome, one.verdict) != (first.texts, first.outcome, first.verdict)
    ]


def conflict(others: Sequence[Other]) -> list[Problem]:
    """The finding that people differ, if they do."""
    if not others:
        return []
    people = ", ".join(sorted({one.person for one in others}))
    return [Problem("conflict", "", f"answered otherwise by {people}")]
