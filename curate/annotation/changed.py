"""What a change of the source makes of a unit: nobody's work is lost, nothing old is passed on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from curate.annotation.answers import Answer
from curate.annotation.problems import Problem
from curate.annotation.tasks import Source, Task, content_hash, next_task

__all__ = ["after_stale", "reissue", "reopened"]

_CHANGED = Problem("source-changed", "", "the source was changed after this was translated")


def reissue(source: Source, last: Task, given: Sequence[Answer]) -> Task | None:
    """The task that a change of the source makes of `last`; None where nothing changed.

    `given` are the answers to `last` that say something. A text that nobody has answered about is
    asked for again in the same task, with the new source; anything later is to be corrected.
    """
    fresh = content_hash(source, last.texts)
    if last.hash == fresh:
        return None
    if last.stage in {"translate", "correct"} and not given:
        told = last.stage == "correct" and _CHANGED not in last.findings
        findings = (_CHANGED, *last.findings) if told else last.findings
        return replace(last, hash=fresh, findings=findings)
    if last.stage in {"translate", "correct"}:
        return _from_answer(source, last, given[0])
    return _to_correct(
        source, last, texts=last.texts, author=last.author, outcome=last.outcome,
        reason=last.reason, adaptation=last.adaptation,
    )  # fmt: skip


def reopened(source: Source, last: Task, *, max_rounds: int) -> Task | None:
    """A task to correct what was given up, where more rounds are allowed now; else None."""
    if last.state not in {"unresolved", "rejected"} or last.round >= max_rounds:
        return None
    return next_task(
        source, last, "correct", texts=last.texts, author=last.author, outcome=last.outcome,
        reason=last.reason if last.outcome == "untranslatable" else "",
        adaptation=last.adaptation, findings=last.findings, others=last.others, note=last.note,
    )  # fmt: skip


def after_stale(source: Source, last: Task, stale: Sequence[Answer]) -> Task | None:
    """The task after answers to a source that is no more; None where there is none."""
    if not stale:
        return None
    if last.stage == "validate":
        return _to_correct(
            source, last, texts=last.texts, author=last.author, outcome=last.outcome,
            reason=last.reason, adaptation=last.adaptation,
        )  # fmt: skip
    return _from_answer(source, last, stale[-1])


def _from_answer(source: Source, last: Task, answer: Answer) -> Task:
    written = any(answer.texts)
    return _to_correct(
        source, last, texts=answer.texts if written else last.texts,
        author=answer.person if written else last.author or answer.person,
        outcome="untranslatable" if answer.outcome == "untranslatable" else "translated",
        reason=answer.reason if answer.outcome == "untranslatable" else "",
        adaptation=answer.adaptation,
    )  # fmt: skip


def _to_correct(
    source: Source, last: Task, *, texts: tuple[str, str], author: str, outcome: str,
    reason: str, adaptation: Sequence[str],
) -> Task:  # fmt: skip
    """A task to correct that uses up no round: the change is not the translator's."""
    task = next_task(
        source, last, "correct", texts=texts, author=author, outcome=outcome, reason=reason,
        adaptation=adaptation, findings=[_CHANGED],
    )  # fmt: skip
    return replace(task, round=last.round)
