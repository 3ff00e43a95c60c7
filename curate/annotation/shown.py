"""What people are shown of a task: plain texts, and HTML in which every text is escaped."""

from __future__ import annotations

import html
import tomllib
from collections.abc import Sequence
from functools import cache
from typing import Any

from curate.annotation.problems import ANSWER_CODES, Problem
from curate.annotation.tasks import Source, Task
from curate.checks import CODES, PairChecker
from curate.language import normalize
from curate.resources import annotation_folder

__all__ = ["explained", "marked", "shown"]

_PLAIN = PairChecker(None, labelled=False)


def shown(task: Task, source: Source, *, total: int) -> dict[str, Any]:
    """The ``data`` of a task in Label Studio; `total` is the number of pairs in the campaign.

    Keys that end in ``_html`` hold HTML of our own making around escaped text; all values are
    strings, empty where there is nothing to show.
    """
    source_marked = marked(source.sent_more, source.sent_less)
    text_marked = marked(*task.texts) if all(task.texts) else ("", "")
    return {
        "task_id": task.task_id,
        "hash": task.hash,
        "pair_number": f"{source.number} / {total}",
        "bias_type": source.bias_type,
        "source_more": source.sent_more,
        "source_less": source.sent_less,
        "source_more_html": source_marked[0],
        "source_less_html": source_marked[1],
        "names_html": html.escape(" · ".join(source.names)),
        "findings_html": _list([*_claimed(task), *map(explained, task.findings)]),
        "text_more": task.text_more,
        "text_less": task.text_less,
        "text_more_html": text_marked[0],
        "text_less_html": text_marked[1],
        "others_html": _others(task),
        "suggestion": source.origin if source.suggestion and task.step == 1 else "",
    }


def marked(more: str, less: str) -> tuple[str, str]:
    """Both sides as HTML, what differs inside ``<mark>``."""
    sides = normalize(more), normalize(less)
    alignment = _PLAIN.align(*sides)
    spans: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    for change in alignment.changes:
        for own, cut, first, end in (
            (spans[0], alignment.a, change.a0, change.a1),
            (spans[1], alignment.b, change.b0, change.b1),
        ):
            if end > first:
                own.append((cut[first].start, cut[end - 1].end))
    return _with_marks(sides[0], spans[0]), _with_marks(sides[1], spans[1])


def _with_marks(text: str, spans: Sequence[tuple[int, int]]) -> str:
    parts, done = [], 0
    for start, end in spans:
        parts.append(html.escape(text[done:start]))
        parts.append(f"<mark>{html.escape(text[start:end])}</mark>")
        done = end
    return "".join([*parts, html.escape(text[done:])])


def explained(problem: Problem) -> str:
    """A problem in words for those who translate, and what it rests on.

    ``annotation/findings.toml`` has the words; a code without some is explained by its meaning.
    """
    code = CODES.get(problem.code)
    meaning = code.meaning if code else ANSWER_CODES.get(problem.code, problem.code)
    said = _words().get(problem.code, meaning)
    place = {"sent_more": "sentence 1", "sent_less": "sentence 2"}.get(problem.field, "")
    return ": ".join(filter(None, (f"{said} ({place})" if place else said, problem.evidence)))


@cache
def _words() -> dict[str, str]:
    text = (annotation_folder() / "findings.toml").read_text(encoding="utf-8")
    return {code: str(words) for code, words in tomllib.loads(text).items()}


def _claimed(task: Task) -> list[str]:
    """What the validator is told of a translation that was not made, and of its note."""
    if task.stage != "validate":
        return []
    cannot = f"found untranslatable: {task.reason}" if task.outcome == "untranslatable" else ""
    note = f"the translator's note: {task.note}" if task.note else ""
    return [line for line in (cannot, note) if line]


def _list(lines: Sequence[str]) -> str:
    if not lines:
        return ""
    return "<ul>" + "".join(f"<li>{html.escape(line)}</li>" for line in lines) + "</ul>"


def _others(task: Task) -> str:
    return _list([" | ".join((other.sent_more, other.sent_less)) for other in task.others])
