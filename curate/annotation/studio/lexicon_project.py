"""The project in which reviewers vote on a lexicon: made from our form, found again by a mark."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from curate.annotation.form import Form, read_form
from curate.annotation.guidelines import MASTER, direction, language_title, page_html
from curate.annotation.problems import Problem
from curate.annotation.studio.client import Client, LostError
from curate.annotation.studio.config import filled
from curate.annotation.studio.projects import Project, same_words
from curate.errors import UsageError
from curate.resources import annotation_folder

__all__ = [
    "REVIEWERS", "STAGE", "Review", "create_review", "find_review", "form_problems", "keep_review",
    "review_form",
]  # fmt: skip

STAGE = "lexicon"
REVIEWERS = 3
"""How many people vote on each lexeme where nobody says otherwise: the fewest with a majority."""

_MARK = "curate-lexicon:"
_KEEP = "Leave this mark here, the project is found by it:"
_LONGEST_TITLE = 50
_PAGE = 200
_FIELDS = "id,description,label_config,maximum_annotations,expert_instruction"
_PART_ONE = re.compile(r"^## [^\n]*\b1\b.*?(?=^## )", flags=re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Review:
    """The project of a language and what is wrong with it; `copies` carry the same mark."""

    project: Project
    copies: tuple[int, ...] = ()

    @property
    def problems(self) -> list[tuple[str, Problem]]:
        """Where, and what a hand changed there."""
        evidence = f"a copy of project {self.project.number}, which is the one that counts"
        said = [(self.project.ref, one) for one in form_problems(self.project.config)]
        copied = Problem("config-changed", "", evidence)
        return said + [(f"project {number}", copied) for number in self.copies]


@cache
def review_form() -> Form:
    """The fields of annotation/lexicon.xml."""
    return read_form(STAGE, _xml())


def form_problems(config: str) -> list[Problem]:
    """What a hand changed in a project's form: fields and choices beside those of ours."""
    ours = review_form().fields
    try:
        there = read_form(STAGE, config).fields
    except UsageError as error:
        return [Problem("config-changed", "", error.message)]
    said = []
    for name in ours | there:
        if name not in there:
            said.append((name, "the field is missing"))
        elif name not in ours:
            said.append((name, "a field of its own"))
        elif there[name] != ours[name]:
            choices = ", ".join(there[name].choices) or "free text"
            said.append((name, f"other than ours: {choices}"))
    return [Problem("config-changed", name, evidence) for name, evidence in said]


def find_review(client: Client, lang: str) -> Review | None:
    """The project that carries the mark of a language; of several, the oldest is ours."""
    rows = client.read_all(
        "the list of projects",
        lambda studio, page: studio.projects.list(page=page, page_size=_PAGE, include=_FIELDS),
    )
    found = sorted(
        (row for row in rows if _MARK + lang in (row.description or "").split()),
        key=lambda row: int(row.id),
    )
    if not found:
        return None
    first, *others = found
    project = Project(
        first.id, lang, STAGE, first.label_config or "",
        overlap=first.maximum_annotations or 1, instruction=first.expert_instruction or "",
    )  # fmt: skip
    return Review(project, tuple(row.id for row in others))


def create_review(client: Client, lang: str, *, reviewers: int) -> Review:
    """Make the project of a language; LostError where nobody knows whether it was made."""
    config, instruction = _config(lang), _instruction(lang)
    made = client.write(
        f"making the project of the lexicon {lang}",
        lambda studio: studio.projects.create(
            title=_title(lang),
            description=f"{_KEEP} {_MARK}{lang}",
            label_config=config,
            expert_instruction=instruction,
            show_instruction=True,
            maximum_annotations=reviewers,
            show_skip_button=True,
            skip_queue="REQUEUE_FOR_OTHERS",
        ),
    )
    if not made.id:
        raise LostError(f"the project of {lang} was made without a number", where=client.url)
    return Review(Project(made.id, lang, STAGE, config, reviewers, instruction))


def keep_review(client: Client, review: Review, *, reviewers: int | None) -> Review:
    """Bring the project's settings up to date; the form is left alone where a hand changed it."""
    project = review.project
    changes: dict[str, Any] = {}
    config, instruction = _config(project.lang), _instruction(project.lang)
    if reviewers is not None and project.overlap != reviewers:
        changes["maximum_annotations"] = reviewers
    if not same_words(instruction, project.instruction):
        changes["expert_instruction"] = instruction
    if config.strip() != project.config.strip() and not form_problems(project.config):
        changes["label_config"] = config
    if not changes:
        return review
    client.write(
        f"settings of {project.ref}",
        lambda studio: studio.projects.update(id=project.number, **changes),
    )
    kept = Project(
        project.number, project.lang, STAGE, changes.get("label_config", project.config),
        overlap=reviewers or project.overlap, instruction=instruction,
    )  # fmt: skip
    return Review(kept, review.copies)


def _xml() -> str:
    return (annotation_folder() / "lexicon.xml").read_text(encoding="utf-8")


def _config(lang: str) -> str:
    return filled(_xml(), {"language": language_title(lang), "direction": direction(lang)})


def _title(lang: str) -> str:
    """``Spanish · lexicon review``, within what Label Studio takes."""
    ending = " · lexicon review"
    return language_title(lang).partition(" · ")[0][: _LONGEST_TITLE - len(ending)] + ending


def _instruction(lang: str) -> str:
    """The reviewers' page of the language, or the English one, without its part on sentences.

    The part is told by its number in the heading, which a translated page keeps.
    """
    pages = {tag: annotation_folder() / f"reviewers.{tag}.md" for tag in (lang, MASTER)}
    tag, page = next(((tag, page) for tag, page in pages.items() if page.is_file()), (MASTER, None))
    if page is None:
        return ""
    text = _PART_ONE.sub("", page.read_text(encoding="utf-8"))
    return page_html(text, tag)
