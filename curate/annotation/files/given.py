"""What a file gives out of a task: cells to read, and texts that stand in the answer already."""

from __future__ import annotations

from dataclasses import dataclass

from curate.annotation.campaign import Campaign
from curate.annotation.files.marks import mark_of
from curate.annotation.form import TEXT_FIELDS, form_of
from curate.annotation.shown import explained
from curate.annotation.tasks import Source, Task

__all__ = ["INFO", "Given", "answer_columns", "campaign_mark", "given_tasks"]

INFO = (
    "task_id", "hash", "campaign", "lang", "stage", "pair_number", "bias_type",
    "source_more", "source_less", "names", "findings", "text_more", "text_less",
    "others", "suggestion", "given",
)  # fmt: skip
"""Columns that are given out and not asked for; `given` marks the texts that were filled in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A task as it goes into a file: `cells` by the names in `INFO`, and `prefilled` texts."""

    task: Task
    source: Source
    cells: dict[str, str]
    prefilled: dict[str, str]


def given_tasks(campaign: Campaign, lang: str, stage: str = "") -> list[Given]:
    """The open tasks of a language (of one stage, or all), in the order of the source table."""
    sources = campaign.sources(lang)
    return [_given(campaign, task, sources[task.uid]) for task in campaign.open_tasks(lang, stage)]


def answer_columns(stages: list[str]) -> list[str]:
    """The fields of the forms of these stages: the texts, the choices, then what else is said."""
    fields = {name: one for stage in stages for name, one in form_of(stage).fields.items()}
    choices = [name for name, one in fields.items() if one.choices]
    return list(dict.fromkeys([*TEXT_FIELDS, *choices, *fields]))


def campaign_mark(campaign: Campaign) -> str:
    """What a file says it belongs to; the letter keeps a spreadsheet from reading a number."""
    return f"c-{campaign.settings.campaign}"


def _prefilled(task: Task, source: Source) -> dict[str, str]:
    """The texts that stand in the answer fields when the task is given out."""
    texts = task.texts
    if task.stage == "translate" and task.step == 1:
        texts = source.suggestion or texts
    return dict(zip(TEXT_FIELDS, texts, strict=True))


def _given(campaign: Campaign, task: Task, source: Source) -> Given:
    start = _prefilled(task, source)
    cells = {
        "task_id": task.task_id,
        "hash": task.hash,
        "campaign": campaign_mark(campaign),
        "lang": task.lang,
        "stage": task.stage,
        "pair_number": f"{source.number} of {campaign.source.num_rows}",  # 1 / 12 would be a date
        "bias_type": source.bias_type,
        "source_more": source.sent_more,
        "source_less": source.sent_less,
        "names": " · ".join(source.names),
        "findings": "\n".join(explained(problem) for problem in task.findings),
        "text_more": task.text_more,
        "text_less": task.text_less,
        "others": "\n".join(" | ".join((one.sent_more, one.sent_less)) for one in task.others),
        "suggestion": source.origin if task.stage == "translate" and any(start.values()) else "",
        "given": " ".join(mark_of(start[name]) for name in TEXT_FIELDS),
    }
    return Given(task=task, source=source, cells=cells, prefilled=start)
