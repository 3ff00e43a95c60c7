"""Reviewers vote on a lexicon in a real Label Studio: out, in, again, changed, broken by hand."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from curate.annotation.studio.lexicon_review import export_lexemes
from curate.cli.main import app
from curate.errors import RemoteError, UsageError
from curate.lexicon import load_lexicon
from tests.conftest import write_lexicon
from tests.parts.studio_people import Translator
from tests.parts.studio_server import RunningServer

pytestmark = pytest.mark.parts

PAIRS = [
    {"pair": "king", "masculine": "rey", "feminine": "reina", "feats": "Number=Sing"},
    {"pair": "king", "masculine": "reyes", "feminine": "reinas", "feats": "Number=Plur"},
    {"pair": "boss", "masculine": "jefe", "feminine": "jefa", "note": "<b>=1+1"},
    {"pair": "bank", "masculine": "banco", "feminine": "banca"},
    {"pair": "guest", "masculine": "huésped", "feminine": "huéspeda", "flags": "ambiguous"},
]
MAILS = ("anna@example.org", "ben@example.org", "carla@example.org")
TEXTS = frozenset({"better_masculine", "better_feminine", "comment"})


@pytest.fixture(scope="module")
def people(server: RunningServer) -> list[Translator]:
    return [Translator(server.url, server.add_user(mail).token) for mail in MAILS]


class Review:
    """A lexicon, the commands on it, and its project: every test has its own language."""

    def __init__(self, folder: Path, server: RunningServer, people: list[Translator]) -> None:
        self.folder, self.server, self.people = folder, server, people
        self.known = folder.parent.parent / "reviewers.json"

    def run(self, command: str, *options: str) -> tuple[int, dict[str, Any]]:
        """The exit status and the record that is printed."""
        load_lexicon.cache_clear()
        arguments = ["lexicon", command, self.folder.name, *options, "--json"]
        result = CliRunner().invoke(app, arguments)
        assert result.exit_code in {0, 1}, result.output
        assert not isinstance(result.exception, AssertionError | TypeError), result.exception
        return result.exit_code, json.loads(result.output)

    def export(self, *options: str) -> tuple[int, dict[str, Any]]:
        return self.run("export-review", "--server", str(self.server.data), *options)

    def take(self) -> tuple[int, dict[str, Any]]:
        return self.run(
            "import-review", "--server", str(self.server.data), "--people", str(self.known)
        )

    def tasks(self, number: int) -> dict[str, dict[str, Any]]:
        """The newest task of every lexeme."""
        rows = sorted(self.people[0].tasks(number), key=lambda task: task["id"])
        return {task["data"].get("pair", ""): task for task in rows}

    @property
    def project(self) -> int:
        """The number of the project, from the page's address."""
        return int(self.export()[1]["url"].rpartition("/")[2])

    def vote(self, who: int, task: dict[str, Any], natural: str, neutral: str, **more: str) -> int:
        return self.answer(who, task, {"natural": natural, "neutral": neutral} | more)

    def answer(self, who: int, task: dict[str, Any], fields: dict[str, str]) -> int:
        body = {"result": result(fields)}
        path = f"/api/tasks/{task['id']}/annotations/"
        return int(self.people[who].call("POST", path, json=body)["id"])

    def change(self, who: int, annotation: int, **fields: str) -> None:
        path = f"/api/annotations/{annotation}/"
        self.people[who].call("PATCH", path, json={"result": result(fields)})

    def files(self) -> tuple[bytes, bytes]:
        return (self.folder / "pairs.tsv").read_bytes(), (self.folder / "votes.tsv").read_bytes()

    def votes(self) -> dict[tuple[str, str], str]:
        lines = (self.folder / "votes.tsv").read_text(encoding="utf-8").splitlines()[1:]
        return {(cells[0], cells[1]): cells[2] for cells in (line.split("\t") for line in lines)}

    def mend(self, old: str, new: str) -> None:
        path = self.folder / "pairs.tsv"
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")


def result(fields: dict[str, str]) -> list[dict[str, Any]]:
    """Fields as the page sends them."""
    return [
        {"from_name": name, "to_name": "masculine",
         "type": "textarea" if name in TEXTS else "choices",
         "value": {"text" if name in TEXTS else "choices": [value]}}
        for name, value in fields.items()
    ]  # fmt: skip


@pytest.fixture
def review(
    request: pytest.FixtureRequest, tmp_path: Path, server: RunningServer,
    people: list[Translator], monkeypatch: pytest.MonkeyPatch,
) -> Review:  # fmt: skip
    """A language of the test's own, so that it has a project of its own."""
    lang = request.param
    folder = write_lexicon(tmp_path / "lexicons" / lang, PAIRS, "DET el la Number=Sing", "")
    monkeypatch.setenv("CURATE_LEXICONS", str(tmp_path / "lexicons"))
    return Review(folder, server, people)


def language(tag: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("review", [tag], indirect=True, ids=[tag])


@language("es")
def test_a_lexeme_is_a_task_and_a_second_export_changes_nothing(review: Review):
    status, first = review.export()
    assert (status, first["new"], first["there"], first["found"]) == (0, 4, 0, [])
    number = review.project
    about = review.people[0].call("GET", f"/api/projects/{number}/")
    assert about["title"] == "Toy · lexicon review"
    assert about["maximum_annotations"] == 3
    assert "Part 2: lexicon entries" in about["expert_instruction"]
    assert "Part 1" not in about["expert_instruction"]
    before = review.people[0].tasks(number)
    tasks = review.tasks(number)
    assert set(tasks) == {"bank", "boss", "guest", "king"}
    king = tasks["king"]["data"]
    assert (king["masculine_html"], king["feminine_html"]) == ("rey", "reina")
    assert "<td>reyes</td><td>reinas</td><td>Number=Plur</td>" in king["forms_html"]
    assert tasks["boss"]["data"]["remarks_html"] == "&lt;b&gt;=1+1"
    _, again = review.export("--reviewers", "5")
    assert {name: again[name] for name in ("new", "there", "updated", "again", "surplus")} == {
        "new": 0, "there": 4, "updated": 0, "again": 0, "surplus": 0}  # fmt: skip
    assert [one["data"] for one in review.people[0].tasks(number)] == [
        one["data"] for one in before
    ]
    settings = review.people[0].call("GET", f"/api/projects/{number}/")
    assert settings["maximum_annotations"] == 5
    assert review.export()[1]["url"] == first["url"]  # and the number of reviewers stays
    assert review.people[0].call("GET", f"/api/projects/{number}/")["maximum_annotations"] == 5


@language("pt")
def test_a_majority_drops_a_tie_keeps_and_a_repeat_changes_nothing(review: Review):
    tasks = review.tasks(review.project)
    review.vote(0, tasks["king"], "yes", "no")
    review.vote(0, tasks["bank"], "no", "no", comment="a house of money\n\x1b[31m")
    boss = review.vote(0, tasks["boss"], "yes", "no")
    review.vote(1, tasks["bank"], "yes", "yes", better_feminine="banquera")
    review.vote(1, tasks["boss"], "no", "unsure")
    review.vote(2, tasks["bank"], "yes", "no")
    review.vote(2, tasks["guest"], "unsure", "unsure")
    status, record = review.take()
    assert status == 0, record["found"]
    assert (record["dropped"], record["tied"], record["votes"]) == (["bank"], ["boss"], 6)
    assert [list(wish.values()) for wish in record["wishes"]] == [
        ["bank", "r1", "", "", "a house of money \ufffd[31m"],
        ["bank", "r2", "", "banquera", ""],
    ]
    assert review.votes() == {
        ("bank", "r1"): "drop", ("bank", "r2"): "drop", ("bank", "r3"): "keep",
        ("boss", "r1"): "keep", ("boss", "r2"): "drop", ("king", "r1"): "keep",
    }  # fmt: skip
    whole = record["agreement"][0]
    assert (whole["tasks"], whole["agreement"]["n"], whole["alpha"]["units"]) == (2, 2, 2)
    # bank: one of three pairs agrees; boss: none of one
    assert whole["agreement"]["percent"] == pytest.approx(100 * (1 / 3 + 0) / 2)
    load_lexicon.cache_clear()
    assert {row.pair for row in load_lexicon("pt").voted_out} == {"bank"}

    assert "@" not in "".join(part.decode() for part in review.files())
    assert review.known.stat().st_mode & 0o777 == 0o600
    known = json.loads(review.known.read_text(encoding="utf-8"))
    assert known == {"pt": dict(zip(("r1", "r2", "r3"), MAILS, strict=True))}

    before = *review.files(), review.known.read_bytes()
    assert review.take()[1]["votes"] == 6
    assert (*review.files(), review.known.read_bytes()) == before
    assert review.export()[1]["there"] == 4

    review.change(0, boss, natural="no", neutral="no")  # a newer answer replaces the older
    _, record = review.take()
    assert (record["dropped"], record["tied"]) == (["bank", "boss"], [])
    review.change(
        0, boss, natural="unsure", neutral="unsure"
    )  # and one that is none, takes it back
    review.take()
    assert ("boss", "r1") not in review.votes()


@language("fr")
def test_a_changed_lexeme_is_asked_again(review: Review):
    number = review.project
    tasks = review.tasks(number)
    review.vote(0, tasks["boss"], "yes", "no")
    assert review.take()[0] == 0
    review.mend("jefa", "jefaza")
    review.mend("huéspeda", "huéspedesa")
    status, record = review.export()
    assert status == 0
    assert (record["there"], record["new"], record["updated"], record["again"]) == (3, 1, 1, 1)
    later = review.tasks(number)
    assert later["guest"]["id"] == tasks["guest"]["id"]
    assert later["guest"]["data"]["feminine_html"] == "huéspedesa"
    assert later["boss"]["id"] != tasks["boss"]["id"]
    assert [one["id"] for one in review.people[0].tasks(number)].count(tasks["boss"]["id"]) == 1
    status, record = review.take()
    assert status == 1
    (found,) = record["found"]
    assert (found["code"], found["field"], found["person"]) == ("stale", "hash", "r1")
    assert f"task {tasks['boss']['id']}," in found["where"]
    assert record["votes"] == 0
    review.vote(0, later["boss"], "no", "no")
    status, record = review.take()
    assert (status, record["found"], review.votes()) == (0, [], {("boss", "r1"): "drop"})
    assert review.export()[1]["new"] == 0


@language("it")
def test_answers_that_are_not_of_the_form_are_left_out_whole(review: Review):
    number = review.project
    tasks = review.tasks(number)
    review.answer(0, tasks["king"], {"natural": "perhaps", "neutral": "no"})
    review.answer(1, tasks["king"], {"natural": "yes", "neutral": "no", "mood": "good"})
    review.answer(2, tasks["king"], {"natural": "no", "better_feminine": "reinona"})
    review.vote(0, tasks["boss"], "no", "no")
    admin = Translator(review.server.url, review.server.token)
    foreign = tasks["king"]["data"] | {"pair": "duke", "task_id": "duke.h0"}
    admin.call("POST", f"/api/projects/{number}/import", json=[{"data": foreign}])
    bank = tasks["bank"]
    other = bank["data"] | {"feminine_html": "banquera"}
    admin.call("PATCH", f"/api/tasks/{bank['id']}/", json={"data": other})
    review.vote(0, bank, "no", "no")
    status, record = review.take()
    assert status == 1
    assert sorted((one["code"], one["field"]) for one in record["found"]) == [
        ("missing-field", "neutral"), ("stale", "hash"), ("unknown-choice", "natural"),
        ("unknown-field", "mood"), ("unknown-task", "pair"),
    ]  # fmt: skip
    assert all("task" in one["where"] for one in record["found"])
    assert record["answers"] == {"invalid": 3, "stale": 1, "valid": 1}
    assert review.votes() == {("boss", "r1"): "drop"}
    assert record["wishes"] == []


@language("nl")
def test_a_form_changed_by_hand_is_told_and_left_alone(review: Review):
    number = review.project
    admin = Translator(review.server.url, review.server.token)
    config = admin.call("GET", f"/api/projects/{number}/")["label_config"]
    unsure = 'value="unsure" html="Unsure" hotkey="6"'
    changed = config.replace(unsure, 'value="maybe" html="Maybe"')
    start = changed.index('<TextArea name="comment"')
    changed = changed[:start] + changed[changed.index("/>", start) + 2 :]
    assert changed != config
    admin.call("PATCH", f"/api/projects/{number}/", json={"label_config": changed})
    for status, record in (review.export(), review.take()):
        assert status == 1
        assert {(one["code"], one["field"], one["evidence"]) for one in record["found"]} == {
            ("config-changed", "comment", "the field is missing"),
            ("config-changed", "neutral", "other than ours: yes, no, maybe"),
        }
        assert {one["where"] for one in record["found"]} == {f"project {number}"}
    assert admin.call("GET", f"/api/projects/{number}/")["label_config"] == changed


@language("da")
def test_the_same_task_again_is_told_and_goes_where_nobody_answered(review: Review):
    number = review.project
    tasks = review.tasks(number)
    admin = Translator(review.server.url, review.server.token)
    copies = [{"data": tasks[pair]["data"]} for pair in ("king", "boss")]
    admin.call("POST", f"/api/projects/{number}/import", json=copies)
    review.vote(0, tasks["king"], "yes", "no")
    review.vote(0, review.tasks(number)["king"], "no", "no")  # the copy
    status, record = review.take()
    assert status == 1
    assert [one["code"] for one in record["found"]] == ["duplicate-task"] * 2
    assert review.votes() == {("king", "r1"): "drop"}
    status, record = review.export()
    assert (status, record["surplus"], record["new"], record["there"]) == (1, 1, 0, 4)
    assert [one["code"] for one in record["found"]] == ["duplicate-task"]  # both were answered
    assert len(review.people[0].tasks(number)) == 5


@language("ca")
def test_a_name_given_by_hand_is_not_given_to_somebody_else(review: Review, tmp_path: Path):
    filled = tmp_path / "ana.csv"
    filled.write_text("pair,natural,neutral\nking,yes,no\n", encoding="utf-8")
    review.run("import-review", f"r1={filled}")
    review.vote(0, review.tasks(review.project)["king"], "no", "no")
    status, record = review.take()
    assert (status, record["tied"]) == (0, ["king"])
    assert review.votes() == {("king", "r1"): "keep", ("king", "r2"): "drop"}
    assert json.loads(review.known.read_text(encoding="utf-8")) == {"ca": {"r2": MAILS[0]}}


@language("fi")
def test_every_lexeme_once_though_the_server_is_killed(review: Review):
    rows = [
        {"pair": f"p{at:04d}", "masculine": f"a{at}", "feminine": f"b{at}"} for at in range(900)
    ]
    write_lexicon(review.folder, rows, "DET el la Number=Sing", "")
    load_lexicon.cache_clear()
    lexicon, access, outcomes = load_lexicon("fi"), review.server.access, list[str]()

    def export() -> None:
        try:
            export_lexemes(lexicon, access)
            outcomes.append("done")
        except RemoteError:
            outcomes.append("failed")

    for after in (0.2, 0.5, 0.8):
        thread = threading.Thread(target=export)
        thread.start()
        time.sleep(after)
        review.server.kill()
        thread.join(timeout=120)
        review.server.start()
    assert "failed" in outcomes
    number = review.project
    tasks = review.people[0].tasks(number)
    assert len(tasks) == len({task["data"]["pair"] for task in tasks}) == 900
    assert review.export()[1]["there"] == 900
    projects = review.people[0].call("GET", "/api/projects/?page_size=100&include=id,description")
    marks = [one["description"] for one in projects["results"]]
    assert sum("curate-lexicon:fi" in mark for mark in marks) == 1


@language("sv")
def test_no_review_there_is_said(review: Review):
    load_lexicon.cache_clear()
    arguments = ["import-review", "sv", "--server", str(review.server.data)]
    result = CliRunner().invoke(app, ["lexicon", *arguments, "--people", str(review.known)])
    assert isinstance(result.exception, UsageError)
    assert "there is no review of sv here" in str(result.exception)
    assert not (review.folder / "votes.tsv").exists()
    assert not review.known.exists()
