"""Lexemes as tasks, reviewers' names, and what of their answers counts; no server."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from curate.annotation.studio import lexicon_review, lexicon_votes
from curate.annotation.studio.lexicon_project import form_problems, review_form
from curate.annotation.studio.lexicon_reviewers import Reviewers, reviewers_file
from curate.annotation.studio.lexicon_tasks import wanted_lexemes
from curate.annotation.studio.lexicon_votes import FetchedVotes
from curate.annotation.studio.projects import Project
from curate.annotation.studio.standing import Standing
from curate.cli.main import app
from curate.errors import InputError, UsageError
from curate.lexicon.model import Lexicon
from curate.resources import annotation_folder
from tests.conftest import load, write_lexicon

PAIRS = [
    {"pair": "king", "masculine": "rey", "feminine": "reina", "feats": "Number=Sing"},
    {"pair": "king", "masculine": "reyes", "feminine": "reinas", "feats": "Number=Plur"},
    {"pair": "writer", "masculine": "periodista", "feminine": "periodista",
     "flags": "epicene", "note": "<i>"},
    {"pair": "queen-mother", "masculine": "", "feminine": "reina madre"},
]  # fmt: skip
CHOICES = ("yes", "no", "unsure")
FIELDS = {
    "natural": CHOICES, "neutral": CHOICES,
    "better_masculine": (), "better_feminine": (), "comment": (),
}  # fmt: skip
PROJECT = Project(7, "es", "lexicon", "")
PEOPLE = {1: "anna@example.org", 2: "Ben@example.org"}


@pytest.fixture
def lexicon(tmp_path: Path) -> Lexicon:
    return made(tmp_path / "es", PAIRS)


def made(folder: Path, pairs: list[dict[str, str]]) -> Lexicon:
    return load(write_lexicon(folder, pairs, "DET el la Number=Sing", ""))


def form() -> str:
    return (annotation_folder() / "lexicon.xml").read_text(encoding="utf-8")


# The form


def test_the_form_has_the_fields_that_are_read_back() -> None:
    fields = review_form().fields
    assert {name: one.choices for name, one in fields.items()} == FIELDS
    assert {name for name, one in fields.items() if one.required} == {"natural", "neutral"}
    assert set(re.findall(r"\{\{.*?\}\}", form())) == {"{{ language }}", "{{ direction }}"}
    assert not re.search(r"https?:|url\(|@import|<script", form(), flags=re.IGNORECASE)


def test_the_form_shows_what_tasks_hold_and_people_as_html_only_what_we_made(
    lexicon: Lexicon,
) -> None:
    root = ElementTree.fromstring(form())  # noqa: S314 (a file of this project)
    values = [text for node in root.iter() for text in node.attrib.values()]
    shown = {name for text in values for name in re.findall(r"\$(\w+)", text)}
    for one in wanted_lexemes(lexicon).values():
        assert shown <= set(one.data)
    assert all(node.attrib["value"].endswith("_html") for node in root.iter("HyperText"))
    keys = [node.attrib["hotkey"] for node in root.iter("Choice")]
    assert len(set(keys)) == len(keys)


def test_label_studio_takes_the_form() -> None:
    label_interface = pytest.importorskip("label_studio_sdk.label_interface")
    text = form().replace("{{ language }}", "Spanish").replace("{{ direction }}", "ltr")
    own = label_interface.LabelInterface(text)
    own.validate()
    assert {control.name for control in own.controls} == set(FIELDS)


def test_what_a_hand_changed_in_the_form_is_told() -> None:
    assert form_problems(form()) == []
    changed = (
        form().replace('name="comment"', 'name="remark"').replace('value="unsure"', 'value="?"')
    )
    assert {(one.code, one.field) for one in form_problems(changed)} == {
        ("config-changed", "comment"), ("config-changed", "remark"),
        ("config-changed", "natural"), ("config-changed", "neutral"),
    }  # fmt: skip
    optional = form().replace('required="true"', "", 1)
    assert [one.field for one in form_problems(optional)] == ["natural"]
    assert [one.code for one in form_problems("<View>")] == ["config-changed"]


# Tasks


def test_a_lexeme_as_people_see_it(lexicon: Lexicon) -> None:
    by_pair = {one.data["pair"]: one.data for one in wanted_lexemes(lexicon).values()}
    assert list(by_pair) == ["king", "queen-mother", "writer"]
    assert by_pair["king"]["pair_number"] == "1 / 3"
    assert by_pair["queen-mother"]["masculine_html"] == "—"
    assert by_pair["writer"]["remarks_html"].endswith("<br>&lt;i&gt;")
    assert by_pair["writer"]["remarks_html"].startswith("epicene: one form")
    assert by_pair["king"]["forms_html"].count("<tr>") == 2
    assert by_pair["writer"]["forms_html"] == ""  # it would only say the same once more


@pytest.mark.parametrize(
    ("change", "another"),
    [({"note": "seen"}, False), ({"flags": "opaque-m"}, False), ({"feats": "Number=Plur"}, False),
     ({"feminine": "reinona"}, True), ({"flags": "archaic"}, True)],
)  # fmt: skip
def test_the_hash_is_of_what_is_voted_on(
    tmp_path: Path, change: dict[str, str], another: bool
) -> None:
    row = {"pair": "king", "masculine": "rey", "feminine": "reina"}
    (before,) = wanted_lexemes(made(tmp_path / "es", [row]))
    (after,) = wanted_lexemes(made(tmp_path / "pt", [row | change]))
    assert (before != after) == another


def standing(number: int, data: dict[str, Any], **state: Any) -> Standing:
    return Standing(number, data, **state)


def test_what_is_sent_where_a_lexeme_was_changed(lexicon: Lexicon) -> None:
    """Unanswered tasks are mended, answered ones stay and are asked again, leftovers go."""
    wanted = wanted_lexemes(lexicon)
    now = {one.data["pair"]: one.data for one in wanted.values()}

    def older(pair: str) -> dict[str, Any]:
        return now[pair] | {"hash": "h0", "task_id": f"{pair}.h0"}

    rows = [
        standing(1, older("king"), answers=1, touched=True),
        standing(2, older("queen-mother")),
        standing(3, older("writer")),
        standing(4, now["writer"]),
        standing(5, now["writer"]),
        standing(6, {"task_id": "duke.h0", "pair": "duke"}),
    ]
    plan, again = lexicon_review._plan(rows, wanted)
    assert [one.data["pair"] for one in plan.new] == ["king"]
    assert again == {plan.new[0].task_id}
    assert [(there.number, one.data["hash"]) for there, one in plan.update] == [
        (2, now["queen-mother"]["hash"])
    ]
    assert sorted(one.number for one in plan.delete) == [3, 5]
    assert [(numbers, one.code) for _, numbers, one in plan.found] == [([6], "unknown-task")]
    same = [standing(number, data) for number, data in enumerate(now.values())]
    plan, again = lexicon_review._plan(same, wanted)
    assert (plan.there, plan.new, plan.update, plan.delete, again) == (3, [], [], [], set())


# Answers


def annotation(who: int, minute: int, **fields: str) -> dict[str, Any]:
    return {
        "id": minute, "completed_by": who, "was_cancelled": fields.pop("skip", "") != "",
        "updated_at": f"2026-01-01T00:{minute:02d}:00Z",
        "result": [
            {"from_name": name, "to_name": "masculine", "value": {
                "text" if name not in ("natural", "neutral") else "choices": [value]}}
            for name, value in fields.items()
        ],
    }  # fmt: skip


def counted(lexicon: Lexicon, tmp_path: Path, *annotations: dict[str, Any], **data: str) -> Any:
    """What becomes of annotations of the first lexeme."""
    wanted = {one.data["pair"]: one for one in wanted_lexemes(lexicon).values()}
    task = standing(3, wanted["king"].data | data, annotations=annotations)
    reviewers = Reviewers(tmp_path / "reviewers.json", "es")
    fetched = FetchedVotes()
    answers = lexicon_votes._read(PROJECT, [task], wanted, PEOPLE, reviewers)
    lexicon_votes._count(fetched, "es", answers)
    return fetched


@pytest.mark.parametrize(
    ("natural", "neutral", "vote"),
    [("yes", "no", "keep"), ("no", "no", "drop"), ("yes", "yes", "drop"), ("no", "unsure", "drop"),
     ("unsure", "yes", "drop"), ("yes", "unsure", "keep"), ("unsure", "no", "keep"),
     ("unsure", "unsure", "")],
)  # fmt: skip
def test_a_vote_from_two_answers(
    lexicon: Lexicon, tmp_path: Path, natural: str, neutral: str, vote: str
) -> None:
    (one,) = counted(lexicon, tmp_path, annotation(1, 1, natural=natural, neutral=neutral)).votes
    assert (one.pair, one.reviewer, one.vote) == ("king", "r1", vote)


def test_the_newest_good_answer_of_everybody_counts(lexicon: Lexicon, tmp_path: Path) -> None:
    fetched = counted(
        lexicon, tmp_path,
        annotation(1, 5, natural="no", neutral="no", comment=" a\n b\t"),
        annotation(1, 2, natural="yes", neutral="no", better_feminine="soberana"),
        annotation(2, 3, natural="yes", neutral="no"),
        annotation(2, 4, natural="hardly", neutral="no"),
        annotation(1, 1, natural="hardly", neutral="no"),
    )  # fmt: skip
    assert {(one.reviewer, one.vote) for one in fetched.votes} == {("r1", "drop"), ("r2", "keep")}
    assert fetched.wishes == [("king", "r1", "", "", "a b")]
    (found,) = fetched.found  # that of r1 has a good one after it
    assert (found.person, found.problem.code, found.problem.field) == (
        "r2", "unknown-choice", "natural")  # fmt: skip
    assert found.ref == "project 7, task 3, annotation 4"


def test_a_skip_takes_a_vote_back_and_an_answer_of_nobody_counts_not(
    lexicon: Lexicon, tmp_path: Path
) -> None:
    fetched = counted(
        lexicon, tmp_path,
        annotation(1, 1, natural="yes", neutral="no"), annotation(1, 2, skip="yes"),
        annotation(2, 3, natural="yes", neutral="no") | {"completed_by": None},
    )  # fmt: skip
    assert [(one.reviewer, one.vote) for one in fetched.votes] == [("r1", "")]
    assert [one.problem.field for one in fetched.found] == ["completed_by"]


@pytest.mark.parametrize("data", [{"hash": "h0"}, {"feminine_html": "<b>infanta</b>"}])
def test_an_answer_to_other_words_is_stale(
    lexicon: Lexicon, tmp_path: Path, data: dict[str, str]
) -> None:
    fetched = counted(lexicon, tmp_path, annotation(1, 1, natural="no", neutral="no"), **data)
    assert fetched.votes == []
    assert [(one.problem.code, one.problem.field) for one in fetched.found] == [("stale", "hash")]


# People


def test_names_stay_and_only_their_owner_reads_them(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "reviewers.json"
    first = Reviewers(path, "es", taken={"r1", "ana"})
    assert [first.pseudonym(mail) for mail in ("A@x.org", "b@x.org", " a@X.org ")] == [
        "r2", "r3", "r2"]  # fmt: skip
    first.save()
    assert path.stat().st_mode & 0o777 == 0o600
    again = Reviewers(path, "es", taken={"r1", "r2", "r3"})
    assert [again.pseudonym(mail) for mail in ("b@x.org", "c@x.org")] == ["r3", "r4"]
    assert again.new == ["r4"]
    again.save()
    other = Reviewers(path, "de")
    assert other.pseudonym("c@x.org") == "r1"
    other.save()
    assert json.loads(path.read_text(encoding="utf-8")) == {
        "de": {"r1": "c@x.org"}, "es": {"r2": "a@x.org", "r3": "b@x.org", "r4": "c@x.org"},
    }  # fmt: skip


def test_addresses_do_not_lie_among_the_lexicons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CURATE_LEXICONS", str(tmp_path))
    with pytest.raises(UsageError, match="do not belong among the lexicons"):
        Reviewers(tmp_path / "es" / "reviewers.json", "es")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert reviewers_file() == tmp_path / "data" / "curate" / "reviewers.json"


@pytest.mark.parametrize("text", ["[]", "{", '{"es": ["r1"]}', '{"es": {"r1": 3}}'])
def test_a_broken_file_of_people_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "reviewers.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="not the reviewers"):
        Reviewers(path, "es")


# The commands


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["export-review", "es"], "in a file or on a server"),
        (["export-review", "es", "--out", "x.csv", "--server", "s"], "in a file or on a server"),
        (["export-review", "es", "--out", "x.csv", "--reviewers", "3"], "goes with --server"),
        (["import-review", "es"], "from files or from a server"),
        (["import-review", "es", "r1=x.csv", "--server", "s"], "from files or from a server"),
        (["import-review", "es", "r1=x.csv", "--people", "p"], "goes with --server"),
        (["import-review", "es", "--server", "nowhere"], "no folder of `curate translate serve`"),
    ],
)
def test_what_makes_no_sense_is_said(arguments: list[str], message: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["lexicon", *arguments])
    assert isinstance(result.exception, UsageError)
    assert message in str(result.exception)


def test_standing_rows_are_not_changed_by_the_comparison(lexicon: Lexicon) -> None:
    wanted = wanted_lexemes(lexicon)
    first = next(iter(wanted.values()))
    row = standing(1, first.data | {"hash": "h0", "task_id": "king.h0"})
    before = replace(row, data=dict(row.data))
    lexicon_review._plan([row], wanted)
    assert row == before
