"""What a project should hold beside what it holds: what is to be sent, mended or reported."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from curate.annotation.campaign import Campaign
from curate.annotation.form import TEXT_FIELDS
from curate.annotation.problems import Problem
from curate.annotation.shown import shown
from curate.annotation.studio.projects import PREFILL
from curate.annotation.studio.standing import Prediction, Standing
from curate.annotation.tasks import Source, Task

__all__ = ["Plan", "Wanted", "compare", "doubles", "prefilled", "wanted_tasks"]

Prefill = dict[str, list[str]]

_LOOSE = frozenset({"pair_number"})
"""Keys of a task's data that are not worth an update: one pair more changes them everywhere."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A task as it should stand; `prefill` holds the values that its fields begin with."""

    task_id: str
    data: dict[str, Any]
    prefill: Prefill


@dataclass(slots=True)
class Plan:
    """What is to be done in a project.

    `new` tasks to send, `update` those with other data, `refill` those with other predictions,
    `delete` doubles that nobody touched. `old` tasks were answered, or begun, before a change of
    what they ask. `found`: the task_id, the tasks' numbers, and what is wrong.
    """

    there: int = 0
    new: list[Wanted] = field(default_factory=list)
    update: list[tuple[Standing, Wanted]] = field(default_factory=list)
    refill: list[tuple[Standing, Wanted]] = field(default_factory=list)
    delete: list[Standing] = field(default_factory=list)
    old: list[Standing] = field(default_factory=list)
    surplus: int = 0
    found: list[tuple[str, list[int], Problem]] = field(default_factory=list)

    @property
    def mended(self) -> dict[int, tuple[Standing, Wanted]]:
        """Tasks with other data, other predictions or both, by number."""
        return {there.number: (there, wanted) for there, wanted in (*self.update, *self.refill)}


def wanted_tasks(
    campaign: Campaign, lang: str, stage: str, *, fields: Collection[str]
) -> dict[str, Wanted]:
    """The open tasks of a stage as they should stand; prefilled are only `fields`."""
    sources, total = campaign.sources(lang), campaign.source.num_rows
    wanted = {}
    for task in campaign.open_tasks(lang, stage):
        source = sources[task.uid]
        prefill = {name: value for name, value in prefilled(task, source).items() if name in fields}
        wanted[task.task_id] = Wanted(task.task_id, shown(task, source, total=total), prefill)
    return wanted


def prefilled(task: Task, source: Source) -> Prefill:
    """The values that the fields of a task begin with: a machine's at first, then the last text."""
    texts = task.texts
    if task.stage == "translate" and source.suggestion is not None:
        texts = source.suggestion
    values = {name: [text] for name, text in zip(TEXT_FIELDS, texts, strict=True) if text}
    if task.stage == "correct" and task.adaptation:
        values["adaptation"] = list(task.adaptation)
    return values


def compare(
    standing: Sequence[Standing], wanted: Mapping[str, Wanted], known: Collection[str]
) -> Plan:
    """The difference; `known` are all tasks that were ever given out in this project."""
    plan = Plan()
    by_task: dict[str, list[Standing]] = {}
    for one in standing:
        by_task.setdefault(one.task_id, []).append(one)
    for task_id, same in by_task.items():
        if task_id not in known:
            problem = Problem("unknown-task", "", f"task_id {task_id!r}")
            plan.found.append((task_id, [one.number for one in same], problem))
            continue
        kept, spare, rest = doubles(same)
        plan.delete += spare
        plan.surplus += len(same) - 1
        if rest:
            problem = Problem("duplicate-task", "", f"{len(rest) + 1} times, with answers")
            numbers = sorted(one.number for one in (kept, *rest))
            plan.found.append((task_id, numbers, problem))
        if task_id in wanted:
            plan.there += 1
            _compare_one(plan, kept, wanted[task_id])
    plan.new = [one for task_id, one in wanted.items() if task_id not in by_task]
    return plan


def doubles(same: Sequence[Standing]) -> tuple[Standing, list[Standing], list[Standing]]:
    """Of tasks that are one: which counts, which may go, and which have to stay."""
    kept, *others = sorted(same, key=lambda one: (-one.answers, not one.touched, one.number))
    return (
        kept,
        [one for one in others if not one.touched],
        [one for one in others if one.touched],
    )


def _compare_one(plan: Plan, there: Standing, wanted: Wanted) -> None:
    other = {
        name
        for name in there.data.keys() | wanted.data.keys()
        if there.data.get(name) != wanted.data.get(name)
    }
    if there.answers or there.begun:
        if "hash" in other:
            plan.old.append(there)
        return
    if other - _LOOSE:
        plan.update.append((there, wanted))
    if not _is_filled(there.predictions, wanted.prefill):
        plan.refill.append((there, wanted))


def _is_filled(predictions: Sequence[Prediction], prefill: Prefill) -> bool:
    """Whether the predictions of ours are the one that is wanted."""
    own = [one.values for one in predictions if one.version == PREFILL]
    return own == ([prefill] if prefill else [])
