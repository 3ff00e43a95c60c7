"""Give out the open tasks of a campaign on a Label Studio: what is there already stays.

The server is looked at, compared with what should be there, and sent the difference. Where the
connection breaks off nothing is known of the last write, so it is looked at again: a push that
is cut off and repeated gives the same as one that was not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from curate.annotation.campaign import Campaign
from curate.annotation.form import STAGES
from curate.annotation.receive import Found
from curate.annotation.studio.access import Access
from curate.annotation.studio.client import Client
from curate.annotation.studio.compare import Plan, compare, wanted_tasks
from curate.annotation.studio.config import config_problems, controls, project_config
from curate.annotation.studio.projects import (
    Project,
    Projects,
    check_langs,
    copies_found,
    create_project,
    find_projects,
    keep_settings,
)
from curate.annotation.studio.send import send
from curate.annotation.studio.standing import standing_tasks

__all__ = ["Counts", "OnProgress", "Pushed", "push"]

OnProgress = Callable[[str, int, int], None]


@dataclass(slots=True)
class Counts:
    """Tasks of a language and stage: `there` before, `new`, `updated`, `surplus` (the same task
    again), `answered_under_old` (answered or begun before what they ask was changed).
    """

    there: int = 0
    new: int = 0
    updated: int = 0
    surplus: int = 0
    answered_under_old: int = 0


@dataclass(slots=True)
class Pushed:
    """`counts` by (language, stage); `projects`: the pages' addresses by ``lang/stage``."""

    counts: dict[tuple[str, str], Counts] = field(default_factory=dict)
    projects: dict[str, str] = field(default_factory=dict)
    found: list[Found] = field(default_factory=list)


def push(
    campaign: Campaign,
    access: Access,
    *,
    langs: Sequence[str],
    dry_run: bool = False,
    on_progress: OnProgress = lambda what, done, total: None,
) -> Pushed:
    """Make sure that every open task stands once in the project of its language and stage.

    Tasks that are settled, and what people answered, stay as they are. The numbers of the
    projects are remembered in the campaign's settings, which the caller saves, also where this
    raises: UsageError for a language that the campaign does not have, RemoteError where the
    server fails. With `dry_run` nothing is sent, and the counts say what would be.
    """
    check_langs(campaign, langs)
    client = Client(access)
    done: dict[tuple[str, str], Counts] = {}

    def look() -> Pushed:
        run = _Run(campaign, client, done, dry_run=dry_run, on_progress=on_progress)
        return run.all(langs)

    return client.settle(look)


class _Run:
    """One look at the server, and what follows; `done` keeps the counts of the looks before."""

    def __init__(
        self, campaign: Campaign, client: Client, done: dict[tuple[str, str], Counts], *,
        dry_run: bool, on_progress: OnProgress,
    ) -> None:  # fmt: skip
        self.campaign, self.client, self.done = campaign, client, done
        self.dry_run, self.on_progress = dry_run, on_progress
        self.pushed = Pushed(counts=done)

    def all(self, langs: Sequence[str]) -> Pushed:
        projects = find_projects(self.client, self.campaign)
        for lang in langs:
            for stage in STAGES:
                self._stage(projects, lang, stage)
        return self.pushed

    def _stage(self, projects: Projects, lang: str, stage: str) -> None:
        project = projects.own.get((lang, stage))
        if project is None:
            if not self.campaign.open_tasks(lang, stage):
                return
            if self.dry_run:
                config = project_config(self.campaign, lang, stage)
                self._compare(Project(0, lang, stage, config))
                return
            project = create_project(self.client, self.campaign, lang, stage)
        elif not self.dry_run:
            project = keep_settings(self.client, self.campaign, project)
        self.pushed.found += copies_found(projects, project)
        self.pushed.found += [
            Found(lang, "", project.ref, "", one) for one in config_problems(stage, project.config)
        ]
        self._fill(project)

    def _fill(self, project: Project) -> None:
        key, name = (project.lang, project.stage), f"{project.lang}/{project.stage}"
        self.pushed.projects[name] = f"{self.client.url}/projects/{project.number}"
        if not self.dry_run:
            self.campaign.settings.projects[name] = project.number
        plan = self._compare(project)
        counts = self.done[key]
        total = len(plan.new) + len(plan.mended) + len(plan.delete)
        sent = {"new": 0, "updated": 0, "deleted": 0}

        def tell(what: str, number: int) -> None:
            sent[what] += number
            if what == "new":
                counts.new += number
            elif what == "updated":
                counts.updated += number
            self.on_progress(f"sending {project.lang} {project.stage}", sum(sent.values()), total)

        if not self.dry_run:
            send(self.client, project, plan, sent=tell)
            issued = [one for one in self.campaign.tasks.values() if (one.lang, one.stage) == key]
            self.campaign.settings.given_out[name] = len(issued)

    def _compare(self, project: Project) -> Plan:
        """The plan of a project, counted."""
        key = project.lang, project.stage
        wanted = wanted_tasks(self.campaign, *key, fields=controls(project.config))
        known = {
            task_id
            for task_id, task in self.campaign.tasks.items()
            if (task.lang, task.stage) == key
        }
        standing = []
        if project.number:
            standing = standing_tasks(self.client, project, what="predictions")
        plan = compare(standing, wanted, known)
        counts = self.done.setdefault(key, Counts())
        counts.there = plan.there - counts.new
        counts.surplus = max(counts.surplus, plan.surplus)
        counts.answered_under_old = len(plan.old)
        if self.dry_run:
            counts.new = len(plan.new)
            counts.updated = len(plan.mended)
        self.pushed.found += [
            Found(project.lang, task_id, project.tasks_ref(numbers), "", problem)
            for task_id, numbers, problem in plan.found
        ]
        return plan
