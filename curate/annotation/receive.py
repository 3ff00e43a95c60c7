"""Take in answers from any channel: read every field, check the texts, find what follows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from curate import schema
from curate.annotation.answers import Answer, RawAnswer, read_answer
from curate.annotation.campaign import Campaign
from curate.annotation.checking import Checked, check_translations
from curate.annotation.decide import decide, latest
from curate.annotation.problems import Problem, is_shape
from curate.annotation.tasks import DONE, Source, Task

__all__ = ["Found", "Received", "receive"]


@dataclass(frozen=True, slots=True)
class Found:
    """A problem with where it is: the language, the task, the channel's place, and who."""

    lang: str
    task_id: str
    ref: str
    person: str
    problem: Problem


@dataclass(slots=True)
class Received:
    """What came of it: answers by status, tasks `issued` by stage, units `closed` by state.

    `repeated` answers were known already. `found` is everything that somebody should look at.
    """

    answers: Counter[str] = field(default_factory=Counter)
    repeated: int = 0
    issued: Counter[str] = field(default_factory=Counter)
    closed: Counter[str] = field(default_factory=Counter)
    found: list[Found] = field(default_factory=list)


def receive(
    campaign: Campaign,
    raws: Sequence[RawAnswer],
    *,
    on_progress: Callable[[str, int, int], None] = lambda what, done, total: None,
) -> Received:
    """Add the answers to `campaign` and decide every task that can be decided; saves nothing.

    Nothing is merged half: an answer counts with all its fields or not at all. Decisions look at
    all answers, not at the new ones alone, so a run that was cut off is made good by the next.
    """
    result = Received()
    now = datetime.now(UTC).isoformat(timespec="seconds")
    for number, raw in enumerate(raws, start=1):
        _add(campaign, raw, result, now)
        if number % 500 == 0 or number == len(raws):
            on_progress("reading answers", number, len(raws))
    for lang in campaign.settings.langs:
        _decide(campaign, lang, result, on_progress)
    return result


def _add(campaign: Campaign, raw: RawAnswer, result: Received, now: str) -> None:
    task = campaign.tasks.get(raw.task_id)
    person = campaign.people.pseudonym(raw.person)
    if task is None or task.stage == DONE:
        problem = Problem("unknown-task", "", f"task_id {raw.task_id!r}")
        result.found.append(Found("", raw.task_id, raw.ref, person, problem))
        return
    answer = read_answer(raw, task, person=person, now=now)
    known = _known(campaign, raw, answer)
    if known is not None:
        result.repeated += 1
        answer = known
    else:
        if answer.answer_id in campaign.answers:  # said before, then something else, now again
            answer = replace(answer, answer_id=schema.stable_id("a", answer.answer_id, now))
        if f"{task.uid}.{task.step + 1}" in campaign.tasks and answer.status != "skipped":
            late = Problem("late", "", f"task {task.task_id} was settled before this")
            answer = answer.marked("late", (late,))
        campaign.answers[answer.answer_id] = answer
        result.answers[answer.status] += 1
        if answer.status == "late":
            result.found += [Found(task.lang, task.task_id, raw.ref, person, answer.problems[0])]
    if answer.status == "invalid" and any(map(is_shape, answer.problems)):
        result.found += [
            Found(task.lang, task.task_id, raw.ref, person, one) for one in answer.problems
        ]


def _known(campaign: Campaign, raw: RawAnswer, answer: Answer) -> Answer | None:
    """The answer as it was received before; None where it is news.

    A channel that knows no times shows what was said last: it is news when it differs from that.
    """
    known = campaign.answers.get(answer.answer_id)
    if raw.answered_at or known is None:
        return known
    own = [
        one
        for one in campaign.answers.values()
        if one.task_id == answer.task_id and one.person == answer.person
    ]
    last = max(enumerate(own), key=lambda item: (item[1].answered_at, item[0]))[1]
    return last if last.content == answer.content else None


def _decide(
    campaign: Campaign, lang: str, result: Received, on_progress: Callable[[str, int, int], None]
) -> None:
    sources = campaign.sources(lang)
    answers = campaign.answers_by_task()
    waiting = [task for task in campaign.open_tasks(lang) if answers.get(task.task_id)]
    checked = _check(campaign, lang, waiting, sources, answers)

    def findings(source: Source, texts: tuple[str, str]) -> Sequence[Problem]:
        return checked[source.uid, texts]

    for number, task in enumerate(waiting, start=1):
        given = answers[task.task_id]
        new = decide(
            sources[task.uid], task, given, rules=campaign.settings.rules, findings=findings
        )
        on_progress(f"deciding {lang}", number, len(waiting))
        if new is None:
            continue
        campaign.add_tasks([new])
        ref, person = given[-1].ref, given[-1].person
        result.found += [Found(lang, task.task_id, ref, person, one) for one in new.findings]
        if new.stage == DONE:
            result.closed[new.state] += 1
        else:
            result.issued[new.stage] += 1


def _check(
    campaign: Campaign,
    lang: str,
    waiting: Sequence[Task],
    sources: dict[str, Source],
    answers: dict[str, list[Answer]],
) -> Checked:
    """Findings on every text that a decision may ask about."""
    wanted: dict[tuple[str, tuple[str, str]], Source] = {}
    for task in waiting:
        for answer in latest(answers[task.task_id]):
            if answer.status == "valid" and all(answer.texts):
                wanted[task.uid, answer.texts] = sources[task.uid]
    if not wanted:
        return {}
    pairs = [(source, texts) for (_, texts), source in wanted.items()]
    return check_translations(lang, pairs, source_lang=campaign.settings.source_lang)
