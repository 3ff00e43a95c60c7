"""Take in answers from any channel: read every field, check the texts, find what follows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from curate import schema
from curate.annotation.answers import Answer, RawAnswer
from curate.annotation.campaign import Campaign
from curate.annotation.checking import check_units
from curate.annotation.decide import decide, latest
from curate.annotation.problems import Problem, is_shape
from curate.annotation.reading import cleaned, read_answer
from curate.annotation.tasks import DONE, Task

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
        _add(campaign, cleaned(raw), result, now)
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
    settled = f"{task.uid}.{task.step + 1}" in campaign.tasks
    if known is not None:
        result.repeated += 1
        answer = known
    else:
        if answer.answer_id in campaign.answers:  # said before, then something else, now again
            answer = replace(answer, answer_id=schema.stable_id("a", answer.answer_id, now))
        if settled and answer.status != "skipped":
            late = Problem("late", "", f"task {task.task_id} was settled before this")
            answer = answer.marked("late", (late,))
        campaign.answers[answer.answer_id] = answer
        result.answers[answer.status] += 1
    waits = answer.status == "invalid" and any(map(is_shape, answer.problems)) and not settled
    if waits or (known is None and answer.status in {"late", "invalid"}):
        result.found += [
            Found(task.lang, task.task_id, raw.ref, person, one) for one in answer.problems
        ]


def _known(campaign: Campaign, raw: RawAnswer, answer: Answer) -> Answer | None:
    """The answer as it was received before; None where it is news.

    It is none if it stands there already, or says what the person said before it in this channel:
    some channels know no times, and some give a new one to what was only saved again.
    """
    known = campaign.answers.get(answer.answer_id)
    if raw.answered_at and known is not None:
        return known
    whose = (answer.task_id, answer.person, answer.channel)
    own = [
        one
        for one in campaign.answers.values()
        if (one.task_id, one.person, one.channel) == whose
        and (not raw.answered_at or one.answered_at <= raw.answered_at)
    ]
    if not own:
        return None
    last = max(enumerate(own), key=lambda item: (item[1].answered_at, item[0]))[1]
    same = (last.content, last.hash) == (answer.content, answer.hash)
    return last if same and (last.status == "late" or last.problems == answer.problems) else None


def _decide(
    campaign: Campaign, lang: str, result: Received, on_progress: Callable[[str, int, int], None]
) -> None:
    sources = campaign.sources(lang)
    answers = campaign.answers_by_task()
    waiting = [task for task in campaign.open_tasks(lang) if answers.get(task.task_id)]
    texts = {
        (task.uid, answer.texts)
        for task in waiting
        for answer in latest(answers[task.task_id])
        if answer.status == "valid" and all(answer.texts)
    }
    checked = check_units(campaign, lang, texts)
    for number, task in enumerate(waiting, start=1):
        given = answers[task.task_id]
        new = decide(
            sources[task.uid], task, given, rules=campaign.settings.rules,
            findings=lambda source, texts: checked[source.uid, texts],
            writers=_writers(task),
        )  # fmt: skip
        on_progress(f"deciding {lang}", number, len(waiting))
        if new is None:
            continue
        campaign.add_tasks([new])
        _tell(result, task, new, _decided_on(task, given))


def _tell(result: Received, task: Task, new: Task, answer: Answer) -> None:
    """Count what follows, and report what was found and is not reported yet."""
    if new.stage == DONE:
        result.closed[new.state] += 1
    else:
        result.issued[new.stage] += 1
    told = {one.problem for one in result.found if one.task_id == task.task_id}
    result.found += [
        Found(task.lang, task.task_id, answer.ref, answer.person, one)
        for one in new.findings
        if one not in told and (one not in task.findings or _is_news(one, new))
    ]


def _is_news(problem: Problem, new: Task) -> bool:
    """Whether what was found before may have been found once more."""
    return problem.code == "same-person" and new.stage != DONE


def _writers(task: Task) -> frozenset[str]:
    """Who has a text of their own in what a task asks to validate."""
    return frozenset({task.author, *(other.person for other in task.others)} - {""})


def _decided_on(task: Task, given: Sequence[Answer]) -> Answer:
    """The answer on which the decision rests: the first readable one that counts."""
    readable = latest(given) or list(given)
    foreign = [one for one in readable if one.person not in _writers(task)]
    counted = foreign if task.stage == "validate" and foreign else readable
    return next((one for one in counted if one.status == "valid"), counted[0])
