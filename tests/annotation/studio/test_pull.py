"""Annotations as Label Studio gives them, read without belief."""

from __future__ import annotations

from typing import Any

import pytest

from curate.annotation.answers import RawAnswer
from curate.annotation.studio.projects import Project
from curate.annotation.studio.pull import read_annotation
from curate.annotation.studio.standing import Standing

PROJECT = Project(3, "de", "translate", "")
TASK = Standing(number=12, data={"task_id": "u1.1", "hash": "h1"})


def text(name: str, value: Any) -> dict[str, Any]:
    # as the page stores it: an id, an origin and a name of what it is about stand beside it
    return {"id": "Ab3_x-", "from_name": name, "to_name": "source_more", "type": "textarea",
            "origin": "prediction-changed", "value": {"text": value}}  # fmt: skip


def choices(name: str, *values: str) -> dict[str, Any]:
    return {"id": "Cd4", "from_name": name, "to_name": "source_more", "type": "choices",
            "origin": "manual", "value": {"choices": list(values)}}  # fmt: skip


def read(result: Any, **changes: Any) -> RawAnswer:
    annotation = {
        "id": 7, "result": result, "completed_by": 2, "was_cancelled": False,
        "updated_at": "2026-03-01T10:00:00.123456Z",
    } | changes  # fmt: skip
    return read_annotation(PROJECT, TASK, annotation, {2: "anna@example.org"})


def test_texts_and_choices():
    raw = read([text("sent_more", ["Er kam.\n"]), choices("adaptation", "name", "food")])
    assert raw.fields == {"sent_more": ["Er kam.\n"], "adaptation": ["name", "food"]}
    assert (raw.task_id, raw.hash, raw.person) == ("u1.1", "h1", "anna@example.org")
    assert (raw.channel, raw.ref) == ("label-studio", "project 3, task 12, annotation 7")
    assert raw.answered_at == "2026-03-01T10:00:00.123456+00:00"
    assert not raw.skipped
    assert raw.problems == ()


def test_a_field_twice_keeps_both_values_and_an_unknown_one_stays():
    raw = read([text("sent_more", ["a"]), text("sent_more", "b"), choices("mood", "good")])
    assert raw.fields == {"sent_more": ["a", "b"], "mood": ["good"]}


@pytest.mark.parametrize(
    ("item", "field"),
    [
        ({"from_name": "sent_more", "value": {"rating": 3}}, "sent_more"),
        (text("sent_more", {"a": 1}), "sent_more"),
        (text("sent_more", [1, 2]), "sent_more"),
        (text("sent_more", None), "sent_more"),
        ({"from_name": "sent_more", "value": "x"}, "sent_more"),
        ({"value": {"text": ["x"]}}, ""),
        ({"from_name": None, "value": {"text": ["x"]}}, ""),
        ("x", ""),
        (None, ""),
    ],
)
def test_what_is_no_text_and_no_choice_is_a_problem(item: Any, field: str):
    (problem,) = read([item]).problems
    assert (problem.code, problem.field) == ("unreadable-field", field)


def test_a_result_that_is_no_list_is_a_problem():
    assert [one.code for one in read({"a": 1}).problems] == ["unreadable-field"]
    assert read([]).problems == ()


@pytest.mark.parametrize(
    ("who", "person"),
    [(2, "anna@example.org"), (9, "user 9"), (None, ""), ({"id": 4, "email": "b@x.org"}, "b@x.org"),
     ({"id": 4}, "user 4")],
)  # fmt: skip
def test_who_it_was(who: Any, person: str):
    assert read([], completed_by=who).person == person


@pytest.mark.parametrize(
    ("moment", "read_as"),
    [("2026-03-01T12:00:00+02:00", "2026-03-01T10:00:00+00:00"), (None, ""), ("yesterday", "")],
)
def test_when_it_was(moment: Any, read_as: str):
    assert read([], updated_at=moment).answered_at == read_as


def test_a_skip():
    assert read([], was_cancelled=True).skipped
    assert not read([], was_cancelled=None).skipped
