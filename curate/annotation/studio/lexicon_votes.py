"""Reviewers' answers on a Label Studio, as votes; nothing is changed there, nothing written here.

An answer counts with all its fields or not at all, and only if it was given to the words that the
lexicon has now. Of several answers of a person to a lexeme the newest counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from curate.annotation.answers import RawAnswer
from curate.annotation.problems import Problem
from curate.annotation.reading import read_values
from curate.annotation.receive import Found
from curate.annotation.studio.access import Access
from curate.annotation.studio.client import Client
from curate.annotation.studio.compare import Wanted
from curate.annotation.studio.lexicon_project import Review, find_review, review_form
from curate.annotation.studio.lexicon_reviewers import Reviewers
from curate.annotation.studio.lexicon_tasks import JUDGED, wanted_lexemes
from curate.annotation.studio.projects import Project
from curate.annotation.studio.pull import addresses, read_annotation
from curate.annotation.studio.standing import Standing, standing_tasks
from curate.errors import UsageError
from curate.lexicon.model import Lexicon
from curate.lexicon.votes import Vote, Wish, verdict

__all__ = ["FetchedVotes", "fetch_votes"]

_SAYS = {"yes": True, "no": False}  # unsure is neither
_NEWEST = "the newest answer of each person counts"
_TEXTS = ("better_masculine", "better_feminine", "comment")


@dataclass(slots=True)
class FetchedVotes:
    """`votes` in the order in which they were given, one a reviewer and lexeme, and `wishes`.

    `answers` counts what is on the server: valid, skipped, invalid, stale (given to other words).
    `missing`: lexemes that have no task yet. `found`: what somebody should look at.
    """

    votes: list[Vote] = field(default_factory=list)
    wishes: list[Wish] = field(default_factory=list)
    answers: Counter[str] = field(default_factory=Counter)
    missing: int = 0
    found: list[Found] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Answer:
    """A raw answer with what was made of it; it counts where it has no problems."""

    raw: RawAnswer
    pair: str
    reviewer: str
    values: Mapping[str, str]
    problems: tuple[Problem, ...]

    @property
    def status(self) -> str:
        if not self.problems:
            return "skipped" if self.raw.skipped else "valid"
        return "stale" if self.problems[0].code == "stale" else "invalid"


def fetch_votes(lexicon: Lexicon, access: Access, reviewers: Reviewers) -> FetchedVotes:
    """The votes in the project of a language, by pseudonym.

    All or nothing: RemoteError where the server fails. Raises UsageError where there is no such
    project.
    """
    client = Client(access)
    review = find_review(client, lexicon.lang)
    if review is None:
        raise UsageError(
            f"there is no review of {lexicon.lang} here", where=client.url,
            hint=f"make it with: curate lexicon export-review {lexicon.lang} --server …",
        )  # fmt: skip
    people = addresses(client)
    standing = standing_tasks(client, review.project, what="annotations")
    wanted = {one.data["pair"]: one for one in wanted_lexemes(lexicon).values()}
    fetched = FetchedVotes(found=_task_problems(review, standing, wanted))
    asked = {one.task_id for one in standing}
    fetched.missing = sum(one.task_id not in asked for one in wanted.values())
    answers = _read(review.project, standing, wanted, people, reviewers)
    _count(fetched, lexicon.lang, answers)
    return fetched


def _task_problems(
    review: Review, standing: list[Standing], wanted: Mapping[str, Wanted]
) -> list[Found]:
    """What a hand changed: the form, tasks of no lexeme that there is, the same task again."""
    project = review.project
    said = [("", ref, problem) for ref, problem in review.problems]
    numbers: dict[str, list[int]] = {}
    for one in standing:
        numbers.setdefault(one.task_id, []).append(one.number)
    said += [
        (task_id, project.tasks_ref(same), Problem("duplicate-task", "", _NEWEST))
        for task_id, same in numbers.items()
        if task_id and len(same) > 1
    ]
    said += [
        (
            one.task_id,
            project.tasks_ref([one.number]),
            Problem("unknown-task", "pair", f"no pair {_pair(one)!r} in the lexicon"),
        )
        for one in standing
        if _pair(one) not in wanted
    ]
    return [Found(project.lang, task_id, ref, "", problem) for task_id, ref, problem in said]


def _pair(one: Standing) -> str:
    return str(one.data.get("pair") or "")


def _read(
    project: Project,
    standing: list[Standing],
    wanted: Mapping[str, Wanted],
    people: Mapping[int, str],
    reviewers: Reviewers,
) -> list[_Answer]:
    """Every answer to a lexeme that there is, oldest first; names are given in this order."""
    raws = [
        (read_annotation(project, one, annotation, people), one)
        for one in standing
        if _pair(one) in wanted
        for annotation in one.annotations
    ]
    answers = []
    for raw, one in sorted(raws, key=lambda item: item[0].answered_at):
        values, problems = _values(raw)
        now = wanted[_pair(one)].data
        if any(one.data.get(name) != now[name] for name in JUDGED):
            problems = [Problem("stale", "hash", "the lexeme was changed since")]
        reviewer = reviewers.pseudonym(raw.person) if raw.person else ""
        if not reviewer:
            problems.append(Problem("missing-field", "completed_by", "nobody is named"))
        answers.append(_Answer(raw, _pair(one), reviewer, values, tuple(problems)))
    return answers


def _values(raw: RawAnswer) -> tuple[dict[str, str], list[Problem]]:
    """The fields of an answer, each with one value, and what is wrong with them."""
    given, problems = read_values(raw, review_form())
    if raw.skipped:
        return {}, []
    values = {name: _printable(kept[0]) if kept else "" for name, kept in given.items()}
    return values, [Problem(one.code, one.field, _printable(one.evidence)) for one in problems]


def _printable(line: str) -> str:
    """What is typed here is printed on the curator's terminal."""
    return "".join(one if one.isprintable() else "\ufffd" for one in line)


def _count(fetched: FetchedVotes, lang: str, answers: list[_Answer]) -> None:
    """Take the newest good answer of everybody; report the others where none has come since."""
    last = {(one.pair, one.reviewer): one for one in answers if not one.problems}
    places = {id(one): at for at, one in enumerate(answers)}
    for one in answers:
        fetched.answers[one.status] += 1
        newer = last.get((one.pair, one.reviewer))
        if newer is not None and places[id(newer)] > places[id(one)]:
            continue
        fetched.found += [
            Found(lang, one.raw.task_id, one.raw.ref, one.reviewer, problem)
            for problem in one.problems
        ]
        if one.problems:
            continue
        vote, reason = verdict(
            natural=_SAYS.get(one.values.get("natural", "")),
            neutral=_SAYS.get(one.values.get("neutral", "")),
        )
        fetched.votes.append(Vote(one.pair, one.reviewer, vote, reason))
        masculine, feminine, comment = (one.values.get(name, "") for name in _TEXTS)
        if masculine or feminine or comment:
            fetched.wishes.append((one.pair, one.reviewer, masculine, feminine, comment))
