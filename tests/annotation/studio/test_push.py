"""What a push finds to do, from what stands on the server and what should."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from curate.annotation.begin import add_material, begin, issue
from curate.annotation.campaign import Campaign
from curate.annotation.studio.compare import Plan, Wanted, compare, wanted_tasks
from curate.annotation.studio.standing import Prediction, Standing
from curate.annotation.tasks import next_task
from tests.parts.studio_people import crows_table, english, german

FIELDS = ("sent_more", "sent_less", "adaptation")


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    own = begin(tmp_path, crows_table([english(0), english(1)]), name="x", langs=["de"])
    add_material(own, names={}, suggestions={"de": ({"1": german(1)}, "a machine")})
    issue(own)
    return own


@pytest.fixture
def wanted(campaign: Campaign) -> dict[str, Wanted]:
    return wanted_tasks(campaign, "de", "translate", fields=FIELDS)


def standing(number: int, wanted: Wanted, **changes: Any) -> Standing:
    filled = (Prediction(number, "curate", dict(wanted.prefill)),) if wanted.prefill else ()
    values = {"data": dict(wanted.data), "predictions": filled} | changes
    return Standing(number=number, **values)


def plan(there: list[Standing], wanted: dict[str, Wanted]) -> Plan:
    return compare(there, wanted, set(wanted))


def test_prefilled_are_suggestions_and_then_the_last_text(
    campaign: Campaign, wanted: dict[str, Wanted]
):
    first, second = wanted.values()
    assert first.prefill == {}
    assert second.prefill == {"sent_more": [german(1)[0]], "sent_less": [german(1)[1]]}
    assert (first.data["suggestion"], second.data["suggestion"]) == ("", "a machine")
    task = campaign.open_tasks("de")[0]
    source = campaign.sources("de")[task.uid]
    campaign.add_tasks(
        [next_task(source, task, "correct", texts=german(5), author="p", adaptation=["food"])]
    )
    (again,) = wanted_tasks(campaign, "de", "correct", fields=FIELDS).values()
    more, less = german(5)
    assert again.prefill == {"sent_more": [more], "sent_less": [less], "adaptation": ["food"]}
    (less_again,) = wanted_tasks(campaign, "de", "correct", fields=["sent_less"]).values()
    assert less_again.prefill == {"sent_less": [less]}
    assert len(wanted_tasks(campaign, "de", "translate", fields=FIELDS)) == 1


def test_what_is_there_needs_nothing(wanted: dict[str, Wanted]):
    first, second = wanted.values()
    found = plan([standing(7, first), standing(8, second)], wanted)
    assert found == Plan(there=2)
    empty = plan([], wanted)
    assert (empty.new, empty.there) == ([first, second], 0)


@pytest.mark.parametrize(("key", "updates"), [("source_more", 1), ("hash", 1), ("pair_number", 0)])
def test_other_data_is_updated(wanted: dict[str, Wanted], key: str, updates: int):
    first, second = wanted.values()
    other = standing(7, first, data=first.data | {key: "other"})
    assert len(plan([other, standing(8, second)], wanted).update) == updates


@pytest.mark.parametrize("touched", [{"answers": 1, "touched": True}, {"begun": True}])
@pytest.mark.parametrize(("key", "old"), [("hash", 1), ("names_html", 0)])
def test_an_answer_keeps_what_it_was_given_to(
    wanted: dict[str, Wanted], touched: dict[str, Any], key: str, old: int
):
    second = list(wanted.values())[1]
    there = standing(8, second, data=second.data | {key: "old"}, predictions=(), **touched)
    found = plan([there], wanted)
    assert (found.update, found.refill, len(found.old)) == ([], [], old)


@pytest.mark.parametrize(
    "predictions",
    [
        (),
        (Prediction(1, "curate", {"sent_more": ["anders"]}),),
        (Prediction(1, "a model", {"sent_more": [german(1)[0]], "sent_less": [german(1)[1]]}),),
    ],
)
def test_another_prediction_is_mended(
    wanted: dict[str, Wanted], predictions: tuple[Prediction, ...]
):
    second = list(wanted.values())[1]
    there = standing(8, second, predictions=predictions)
    assert plan([there], wanted).refill == [(there, second)]


def test_predictions_of_others_are_left_alone(wanted: dict[str, Wanted]):
    first = next(iter(wanted.values()))
    there = standing(7, first, predictions=(Prediction(1, "a model", {"sent_more": ["x"]}),))
    assert plan([there], wanted).refill == []


def test_of_doubles_the_answered_one_stays(wanted: dict[str, Wanted]):
    first = next(iter(wanted.values()))
    empty, begun, skipped, answered = (
        standing(1, first),
        standing(2, first, begun=True, touched=True),
        standing(3, first, touched=True),
        standing(4, first, answers=1, touched=True),
    )
    found = plan([empty, answered], wanted)
    assert (found.delete, found.surplus, found.found) == ([empty], 1, [])
    found = plan([empty, begun, skipped, answered], wanted)
    assert (found.delete, found.surplus) == ([empty], 3)
    ((task_id, numbers, problem),) = found.found
    assert (task_id, numbers, problem.code) == (first.task_id, [2, 3, 4], "duplicate-task")
    found = plan([standing(5, first), empty], wanted)
    assert [one.number for one in found.delete] == [5]


def test_tasks_of_others_are_reported_and_left(wanted: dict[str, Wanted]):
    stranger = Standing(number=9, data={"text": "hello"})
    found = plan([stranger], wanted)
    assert found.delete == []
    assert [(numbers, one.code) for _, numbers, one in found.found] == [([9], "unknown-task")]
