"""A lexicon's lexemes as tasks of a Label Studio project, on which reviewers vote.

One task a lexeme, known by its name and the hash of what is voted on; what is there already
stays. A lexeme that was changed after somebody had answered is asked once more, in a new task
beside the old one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from curate.annotation.receive import Found
from curate.annotation.studio.access import Access
from curate.annotation.studio.client import Client
from curate.annotation.studio.compare import Plan, Wanted, compare
from curate.annotation.studio.lexicon_project import (
    REVIEWERS,
    Review,
    create_review,
    find_review,
    keep_review,
)
from curate.annotation.studio.lexicon_tasks import wanted_lexemes
from curate.annotation.studio.send import Sent, send
from curate.annotation.studio.standing import Standing, standing_tasks
from curate.lexicon.model import Lexicon

__all__ = ["Exported", "export_lexemes"]

OnProgress = Callable[[str, int, int], None]


@dataclass(slots=True)
class Exported:
    """Tasks that were `there`, are `new` or `updated`; `again`: the new ones of lexemes that were
    changed after an answer; `surplus`: doubles that nobody had answered, deleted.

    `found`: what a hand changed on the server, or tasks of lexemes that are gone.
    """

    url: str = ""
    there: int = 0
    new: int = 0
    updated: int = 0
    again: int = 0
    surplus: int = 0
    found: list[Found] = field(default_factory=list)


def export_lexemes(
    lexicon: Lexicon,
    access: Access,
    *,
    reviewers: int | None = None,
    on_progress: OnProgress = lambda what, done, total: None,
) -> Exported:
    """Make sure that every lexeme stands once, as it is now, in the project of the language.

    `reviewers` votes are wanted on each; without it a new project wants `REVIEWERS`, and one
    that is there keeps its number. Where the connection breaks off, the server is looked at again
    and sent what it lacks. Raises RemoteError where it goes on failing.
    """
    client, run = Client(access), _Run(lexicon, reviewers, on_progress)
    return client.settle(lambda: run.once(client))


class _Run:
    """What was done so far, over as many looks at the server as it takes."""

    def __init__(self, lexicon: Lexicon, reviewers: int | None, on_progress: OnProgress) -> None:
        self.lexicon, self.reviewers, self.on_progress = lexicon, reviewers, on_progress
        self.done = Exported()
        self._again: set[str] = set()

    def once(self, client: Client) -> Exported:
        """Look at the server and send what it lacks."""
        done, lang = self.done, self.lexicon.lang
        review = find_review(client, lang)
        if review is None:
            review = create_review(client, lang, reviewers=self.reviewers or REVIEWERS)
        else:
            review = keep_review(client, review, reviewers=self.reviewers)
        done.url = f"{client.url}/projects/{review.project.number}"
        standing = standing_tasks(client, review.project, what="predictions")
        plan, again = _plan(standing, wanted_lexemes(self.lexicon))
        self._again |= again
        done.there = plan.there - done.new  # those sent before the connection broke off
        done.again = len(self._again)
        done.found = _found(review, plan)
        total = len(plan.new) + len(plan.update) + len(plan.delete)
        self.on_progress(f"sending {lang} lexemes", 0, total)
        send(client, review.project, plan, sent=self._told(total))
        return done

    def _told(self, total: int) -> Sent:
        sent = Counter[str]()

        def tell(what: str, number: int) -> None:
            sent[what] += number
            self.done.new += number if what == "new" else 0
            self.done.updated += number if what == "updated" else 0
            self.done.surplus += number if what == "deleted" else 0
            self.on_progress(f"sending {self.lexicon.lang} lexemes", sent.total(), total)

        return tell


def _found(review: Review, plan: Plan) -> list[Found]:
    project = review.project
    said = [("", ref, one) for ref, one in review.problems]
    said += [(task_id, project.tasks_ref(nos), one) for task_id, nos, one in plan.found]
    return [Found(project.lang, task_id, ref, "", one) for task_id, ref, one in said]


def _plan(standing: Sequence[Standing], wanted: Mapping[str, Wanted]) -> tuple[Plan, set[str]]:
    """What is to be done, and which of the new tasks ask once more."""
    by_pair = {one.data["pair"]: one.task_id for one in wanted.values()}
    there = {one.task_id for one in standing}
    rows: list[Standing] = []
    leftovers: list[Standing] = []
    answered: set[str] = set()
    for one in standing:
        task_id = by_pair.get(str(one.data.get("pair")), one.task_id)
        if task_id == one.task_id:
            rows.append(one)
        elif one.answers or one.begun:  # it stays, with what was answered to it
            answered.add(task_id)
        elif task_id in there:
            leftovers.append(one)
        else:
            rows.append(replace(one, data=one.data | {"task_id": task_id}))
            there.add(task_id)
    plan = compare(rows, wanted, wanted)
    plan.delete += [one for one in leftovers if not one.touched]
    return plan, {one.task_id for one in plan.new} & answered
