"""The projects of a campaign on a server, one a language and stage, found again by a mark."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from curate.annotation.campaign import Campaign
from curate.annotation.form import STAGES
from curate.annotation.guidelines import guideline_html, language_title
from curate.annotation.problems import Problem
from curate.annotation.receive import Found
from curate.annotation.studio.client import Client, LostError
from curate.annotation.studio.config import config_problems, project_config
from curate.errors import UsageError

__all__ = [
    "PREFILL", "Project", "Projects", "check_langs", "copies_found", "create_project",
    "find_projects", "keep_settings", "same_words",
]  # fmt: skip

PREFILL = "curate"
"""The version under which our predictions stand: Label Studio fills in those of one version."""

_MARK = re.compile(r"curate:([0-9a-f]+):([A-Za-z0-9-]+):([a-z]+)")
_KEEP = "Leave this mark here, the project is found by it:"
_LONGEST_TITLE = 50
_PAGE = 200
_SHOWN = 5
_FIELDS = "id,title,description,label_config,maximum_annotations,expert_instruction"
_TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True, slots=True)
class Project:
    """A project as it stands on the server; `config` is its form there."""

    number: int
    lang: str
    stage: str
    config: str
    overlap: int = 1
    instruction: str = ""

    @property
    def ref(self) -> str:
        return f"project {self.number}"

    def tasks_ref(self, numbers: Sequence[int]) -> str:
        """Where tasks stand: ``project 3, task 12, 17``."""
        shown = ", ".join(map(str, numbers[:_SHOWN]))
        more = f" and {len(numbers) - _SHOWN} more" if len(numbers) > _SHOWN else ""
        return f"{self.ref}, task {shown}{more}"


@dataclass(frozen=True, slots=True)
class Projects:
    """Those of a campaign by (language, stage); `copies` are others that carry the same mark."""

    own: Mapping[tuple[str, str], Project]
    copies: Mapping[tuple[str, str], list[int]]


def check_langs(campaign: Campaign, langs: Sequence[str]) -> None:
    """UsageError for a language that the campaign does not have."""
    for lang in langs:
        if lang not in campaign.settings.langs:
            known = ", ".join(campaign.settings.langs)
            raise UsageError(f"the campaign has no {lang}", where=campaign.folder, hint=known)


def find_projects(client: Client, campaign: Campaign) -> Projects:
    """The campaign's projects on the server.

    A number that the campaign remembers counts only where the project carries the campaign's
    mark, or our title and no mark at all: on another server the same number is somebody else's.
    A copy made by hand carries the mark too; the remembered one is ours, else the oldest.
    """
    found: dict[tuple[str, str], list[Project]] = {}
    rows = client.read_all(
        "the list of projects",
        lambda studio, page: studio.projects.list(page=page, page_size=_PAGE, include=_FIELDS),
    )
    for row in rows:
        key = _key(campaign, row)
        if key is not None:
            own = Project(
                row.id, *key, config=row.label_config or "",
                overlap=row.maximum_annotations or 1, instruction=row.expert_instruction or "",
            )  # fmt: skip
            found.setdefault(key, []).append(own)
    chosen, copies = {}, {}
    for key, projects in found.items():
        remembered = campaign.settings.projects.get("/".join(key))
        projects.sort(key=lambda one: (one.number != remembered, one.number))
        chosen[key] = projects[0]
        copies[key] = [one.number for one in projects[1:]]
    return Projects(chosen, copies)


def _key(campaign: Campaign, row: Any) -> tuple[str, str] | None:
    """The language and stage of a project; None where it is none of ours."""
    mark = _MARK.search(row.description or "")
    if mark is not None:
        ours = mark[1] == campaign.settings.campaign and mark[3] in STAGES
        return (mark[2], mark[3]) if ours else None
    for name, number in campaign.settings.projects.items():
        lang, _, stage = name.rpartition("/")
        if number == row.id and row.title == _title(campaign, lang, stage):
            return lang, stage
    return None


def create_project(client: Client, campaign: Campaign, lang: str, stage: str) -> Project:
    """Make the project of a language and stage; LostError where nobody knows whether it was."""
    config = project_config(campaign, lang, stage)
    overlap = _overlap(campaign, stage)
    instruction = guideline_html(lang)
    made = client.write(
        f"making the project {lang} {stage}",
        lambda studio: studio.projects.create(
            title=_title(campaign, lang, stage),
            description=f"{_KEEP} curate:{campaign.settings.campaign}:{lang}:{stage}",
            label_config=config,
            expert_instruction=instruction,
            show_instruction=True,
            maximum_annotations=overlap,
            show_skip_button=True,
            skip_queue="REQUEUE_FOR_OTHERS",
            show_collab_predictions=True,
            model_version=PREFILL,
        ),
    )
    if not made.id:
        raise LostError(f"the project {lang} {stage} was made without a number", where=client.url)
    return Project(made.id, lang, stage, config, overlap, instruction)


def copies_found(projects: Projects, project: Project) -> list[Found]:
    """Other projects that carry the mark of one: nothing is sent there, nor read."""
    evidence = f"a copy of project {project.number}, which is the one that counts"
    problem = Problem("config-changed", "", evidence)
    return [
        Found(project.lang, "", f"project {number}", "", problem)
        for number in projects.copies.get((project.lang, project.stage), [])
    ]


def keep_settings(client: Client, campaign: Campaign, project: Project) -> Project:
    """Bring overlap, instructions and looks up to date; the project as it is then.

    The form is left alone where a hand changed its fields: answers may hang on them.
    """
    changes: dict[str, Any] = {}
    if project.overlap != _overlap(campaign, project.stage):
        changes["maximum_annotations"] = _overlap(campaign, project.stage)
    instruction = guideline_html(project.lang)
    if not same_words(instruction, project.instruction):
        changes["expert_instruction"] = instruction
    config = project_config(campaign, project.lang, project.stage)
    if config.strip() != project.config.strip() and not config_problems(
        project.stage, project.config
    ):
        changes["label_config"] = config
    if changes:
        client.write(
            f"settings of {project.ref}",
            lambda studio: studio.projects.update(id=project.number, **changes),
        )
    return replace(project, config=changes.get("label_config", project.config))


def _title(campaign: Campaign, lang: str, stage: str) -> str:
    language = language_title(lang).partition(" · ")[0]
    title = " · ".join((language, stage, campaign.settings.name))
    return title if len(title) <= _LONGEST_TITLE else title[: _LONGEST_TITLE - 1] + "…"


def _overlap(campaign: Campaign, stage: str) -> int:
    return campaign.settings.overlap if stage == "translate" else 1


def same_words(page: str, other: str) -> bool:
    """Whether two pages of HTML read the same: Label Studio rewrites the tags."""
    return _words(page) == _words(other)


def _words(text: str) -> str:
    return " ".join(html.unescape(_TAG.sub(" ", text)).split())
