"""What came back in a file, made the same answers as every other channel's."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from curate.annotation.answers import RawAnswer
from curate.annotation.campaign import Campaign
from curate.annotation.files.given import campaign_mark
from curate.annotation.files.marks import folded, is_as_given
from curate.annotation.form import TEXT_FIELDS, form_of
from curate.annotation.problems import Problem
from curate.annotation.tasks import DONE, Source, Task
from curate.errors import InputError

__all__ = ["Returned", "Sources", "raw_answers", "split_choices"]

_SEPARATORS = re.compile(r"[,;،؛、，；\n]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    """A task as a file holds it; nothing of it was believed yet.

    `sources` are the source texts that stand beside the answer, `where` and `ref` the place, for
    an error and for the record. `fields` holds an answer by the name of the field, `given` the
    marks of the texts that stood there.
    """

    task_id: str
    hash: str
    campaign: str
    lang: str
    sources: tuple[str, str]
    fields: dict[str, str]
    given: dict[str, str]
    where: str
    ref: str
    problems: tuple[Problem, ...] = ()


class Sources:
    """The units of every language, found once and by uid."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._known: dict[str, dict[str, Source]] = {}

    def of(self, task: Task) -> Source | None:
        """The source pair of a task; None where it was taken out of the campaign."""
        if task.lang not in self._known:
            self._known[task.lang] = self._campaign.sources(task.lang)
        return self._known[task.lang].get(task.uid)


def raw_answers(
    campaign: Campaign, items: Sequence[Returned], *, person: str, channel: str
) -> list[RawAnswer]:
    """The answers among `items`: those that somebody touched.

    Raises InputError, with the place, for a file of another campaign or language, a task that
    stands there twice, and an answer that stands beside another task's source: then none counts.
    """
    sources = Sources(campaign)
    seen: dict[str, str] = {}
    answers = []
    for item in items:
        task = campaign.tasks.get(item.task_id)
        _check_place(campaign, item, task, sources)
        if item.task_id in seen:
            raise InputError(
                f"task {item.task_id} stands here twice, first at {seen[item.task_id]}",
                where=item.where, hint="keep one of them",
            )  # fmt: skip
        seen[item.task_id] = item.ref
        known = task is not None and task.stage != DONE
        if known and _is_untouched(item):
            continue
        fields = _fields(item, task) if task is not None and known else _as_given(item)
        answers.append(
            RawAnswer(
                task_id=item.task_id,
                hash=item.hash,
                fields=fields,
                person=person,
                channel=channel,
                ref=item.ref,
                problems=item.problems,
            )
        )
    return answers


def _check_place(campaign: Campaign, item: Returned, task: Task | None, sources: Sources) -> None:
    if item.campaign != campaign_mark(campaign):
        raise InputError(
            f"this belongs to campaign {item.campaign!r}, not to {campaign_mark(campaign)!r}",
            where=item.where, hint="name the campaign that it was exported from",
        )  # fmt: skip
    if task is None:
        return
    if item.lang.lower() != task.lang.lower():
        raise InputError(
            f"the language is {item.lang!r}, but task {task.task_id} is {task.lang}",
            where=item.where, hint="export the tasks of each language to a file of its own",
        )  # fmt: skip
    source = sources.of(task)
    if source is None or item.hash != task.hash:
        return  # the core says what it thinks of an answer to something else
    texts = (source.sent_more, source.sent_less)
    if any(_bare(own) != _bare(there) for own, there in zip(texts, item.sources, strict=True)):
        raise InputError(
            f"the source beside task {task.task_id} is not the source of that task",
            where=item.where,
            hint="were some columns sorted without the others, or cells pasted one row off?",
        )


def _bare(text: str) -> str:
    return folded(text).replace(" ", "")  # a program that cuts sentences may lose spaces


def _is_untouched(item: Returned) -> bool:
    return not item.problems and all(
        is_as_given(text, item.given.get(name, "")) for name, text in item.fields.items()
    )


def _as_given(item: Returned) -> dict[str, list[str]]:
    return {name: [text] for name, text in item.fields.items()}


def _fields(item: Returned, task: Task) -> dict[str, list[str]]:
    """Values by field: choices as the form writes them, several in one cell taken apart."""
    form = form_of(task.stage)
    values: dict[str, list[str]] = {}
    for name, text in item.fields.items():
        field = form.fields.get(name)
        values[name] = split_choices(text) if field and field.choices else [text]
    response = "".join(values.get("response", []))
    cannot = response.startswith("no-correction-") or "untranslatable" in values.get("outcome", [])
    if response and "outcome" in form.fields and not values.get("outcome"):
        values["outcome"] = ["untranslatable" if cannot else "translated"]  # said already
    if cannot:
        for name in TEXT_FIELDS:  # what a machine or a predecessor wrote is not this answer's text
            if is_as_given(item.fields.get(name, ""), item.given.get(name, "")):
                values[name] = []
    return values


def split_choices(text: str) -> list[str]:
    """Choices from a cell or a line: lower case, without marks of direction, ``-`` for spaces."""
    words = ("".join(c for c in part if unicodedata.category(c) != "Cf") for part in
             _SEPARATORS.split(text))  # fmt: skip
    return ["-".join(word.lower().split()) for word in words if word.strip()]
