"""Read what people answered on a Label Studio; nothing is changed there, nothing written here."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from curate.annotation.answers import RawAnswer
from curate.annotation.campaign import Campaign
from curate.annotation.form import STAGES
from curate.annotation.problems import Problem
from curate.annotation.receive import Found
from curate.annotation.studio.access import Access
from curate.annotation.studio.client import Client
from curate.annotation.studio.config import config_problems
from curate.annotation.studio.projects import (
    Project,
    check_langs,
    copies_found,
    find_projects,
)
from curate.annotation.studio.standing import Standing, standing_tasks
from curate.annotation.tasks import Task

__all__ = ["CHANNEL", "FetchCounts", "Fetched", "addresses", "fetch", "read_annotation"]

CHANNEL = "label-studio"


@dataclass(frozen=True, slots=True)
class FetchCounts:
    """What a project holds: tasks, answers, and how many of these only say skip."""

    tasks: int
    answers: int
    skipped: int


@dataclass(slots=True)
class Fetched:
    """All answers on the server, old and new; `found`: what is wrong beside the answers."""

    raws: list[RawAnswer] = field(default_factory=list)
    found: list[Found] = field(default_factory=list)
    counts: dict[tuple[str, str], FetchCounts] = field(default_factory=dict)


def fetch(
    campaign: Campaign,
    access: Access,
    *,
    langs: Sequence[str],
    on_progress: Callable[[str, int, int], None] = lambda what, done, total: None,
) -> Fetched:
    """The answers in all projects of the campaign.

    All or nothing: RemoteError where the server fails in the middle. Raises UsageError for a
    language that the campaign does not have.
    """
    check_langs(campaign, langs)
    client = Client(access)
    projects = find_projects(client, campaign)
    people = addresses(client)
    fetched = Fetched()
    keys = [(lang, stage) for lang in langs for stage in STAGES]
    for number, key in enumerate(keys, start=1):
        project = projects.own.get(key)
        if project is None:
            fetched.found += _missing_project(campaign, *key)
        else:
            fetched.found += copies_found(projects, project)
            _read_project(fetched, campaign, client, project, people)
        on_progress("reading projects", number, len(keys))
    return fetched


def addresses(client: Client) -> dict[int, str]:
    """The mail address of every user by number."""
    users = client.read("the list of users", lambda studio: studio.users.list())
    return {user.id: user.email for user in users if user.id is not None and user.email}


def _missing_project(campaign: Campaign, lang: str, stage: str) -> list[Found]:
    """A project that was there once is gone; one that was never made is nothing to report."""
    number = campaign.settings.projects.get(f"{lang}/{stage}")
    if number is None:
        return []
    waiting = len(campaign.open_tasks(lang, stage))
    evidence = f"the project {stage} is gone; {waiting} tasks wait: push makes it again"
    return [Found(lang, "", f"project {number}", "", Problem("missing-task", "", evidence))]


def _read_project(
    fetched: Fetched,
    campaign: Campaign,
    client: Client,
    project: Project,
    people: Mapping[int, str],
) -> None:
    lang, stage = project.lang, project.stage
    standing = standing_tasks(client, project, what="annotations")
    by_task: dict[str, list[Standing]] = {}
    for one in standing:
        by_task.setdefault(one.task_id, []).append(one)
    known = {
        task_id
        for task_id in by_task
        if task_id in campaign.tasks
        and (campaign.tasks[task_id].lang, campaign.tasks[task_id].stage) == (lang, stage)
    }
    raws = [
        read_annotation(project, one, annotation, people)
        for task_id in by_task
        if task_id in known
        for one in by_task[task_id]
        for annotation in one.annotations
    ]
    said = [("", project.ref, one) for one in config_problems(stage, project.config)]
    said += _task_problems(project, by_task, known)
    said += [
        (task.task_id, project.ref, Problem("missing-task", "", _GONE))
        for task in _given_out(campaign, project)
        if task.task_id not in by_task
    ]
    fetched.raws += raws
    fetched.found += [Found(lang, task_id, ref, "", problem) for task_id, ref, problem in said]
    skipped = sum(raw.skipped for raw in raws)
    fetched.counts[lang, stage] = FetchCounts(len(standing), len(raws), skipped)


def _task_problems(
    project: Project, by_task: Mapping[str, list[Standing]], known: Collection[str]
) -> list[tuple[str, str, Problem]]:
    """Tasks that are none of ours, and those that stand there more than once."""
    said = []
    for task_id, same in by_task.items():
        ref = project.tasks_ref([one.number for one in same])
        if task_id not in known:
            said.append((task_id, ref, Problem("unknown-task", "", f"task_id {task_id!r}")))
        elif len(same) > 1:
            evidence = f"{len(same)} times: the answers to all count"
            said.append((task_id, ref, Problem("duplicate-task", "", evidence)))
    return said


_GONE = "it was given out and is gone: push gives it out again"


def _given_out(campaign: Campaign, project: Project) -> list[Task]:
    """The open tasks of a project that the last push knew of."""
    key = project.lang, project.stage
    issued = [task.task_id for task in campaign.tasks.values() if (task.lang, task.stage) == key]
    sent = set(issued[: campaign.settings.given_out.get("/".join(key), 0)])
    return [task for task in campaign.open_tasks(*key) if task.task_id in sent]


def read_annotation(
    project: Project, task: Standing, annotation: Mapping[str, Any], people: Mapping[int, str]
) -> RawAnswer:
    """An annotation as Label Studio gives it, field by field; nothing in it is believed."""
    values, problems = _values(annotation.get("result"))
    return RawAnswer(
        task_id=task.task_id,
        hash=str(task.data.get("hash") or ""),
        fields=values,
        person=_person(annotation.get("completed_by"), people),
        channel=CHANNEL,
        ref=f"{project.ref}, task {task.number}, annotation {annotation.get('id')}",
        answered_at=_in_utc(annotation.get("updated_at")),
        skipped=annotation.get("was_cancelled") is True,
        problems=tuple(problems),
    )


def _values(result: Any) -> tuple[dict[str, list[str]], list[Problem]]:
    values: dict[str, list[str]] = {}
    problems = []
    for item in result if isinstance(result, list) else [result]:
        name = str(item.get("from_name") or "") if isinstance(item, dict) else ""
        given = _given(item)
        if not name or given is None:
            problems.append(Problem("unreadable-field", name, _short(item)))
        if name:
            values.setdefault(name, []).extend(given or ())
    return values, problems


def _given(item: Any) -> list[str] | None:
    """The texts or choices of one result; None where it holds something else."""
    value = item.get("value") if isinstance(item, dict) else None
    if not isinstance(value, dict):
        return None
    given = value.get("text", value.get("choices"))
    if isinstance(given, str):
        return [given]
    if isinstance(given, list) and all(isinstance(one, str) for one in given):
        return given
    return None


def _short(item: Any) -> str:
    line = " ".join(str(item).split())
    return line if len(line) <= 120 else line[:119] + "…"


def _person(who: Any, people: Mapping[int, str]) -> str:
    if isinstance(who, dict):
        return str(who.get("email") or f"user {who.get('id')}")
    return people.get(who, f"user {who}") if isinstance(who, int) else ""


def _in_utc(moment: Any) -> str:
    """A moment as ISO 8601 in UTC; empty where it cannot be read."""
    try:
        return datetime.fromisoformat(str(moment)).astimezone(UTC).isoformat()
    except ValueError:
        return ""
