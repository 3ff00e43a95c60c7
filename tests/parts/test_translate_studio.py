"""Tasks to a real Label Studio and answers back: nothing is lost, nothing doubles."""

from __future__ import annotations

import os
import random
import threading
import time
import unicodedata
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from curate.annotation.begin import add_material, begin, issue, replace_source
from curate.annotation.campaign import Campaign
from curate.annotation.studio.access import Access
from curate.annotation.studio.pull import fetch
from curate.errors import RemoteError
from curate.sources.crows import read_crows
from tests.parts.studio_people import (
    Translator,
    crows_table,
    english,
    german,
    new_campaign,
    pull,
    result,
    send,
)
from tests.parts.studio_proxy import losing
from tests.parts.studio_server import RunningServer, free_port

pytestmark = pytest.mark.parts

ANNA, BEN = "anna@example.org", "ben@example.org"


@pytest.fixture(scope="module")
def anna(server: RunningServer) -> Translator:
    return Translator(server.url, server.add_user(ANNA).token)


@pytest.fixture(scope="module")
def ben(server: RunningServer) -> Translator:
    return Translator(server.url, server.add_user(BEN).token)


def pair_fields(number: int) -> dict[str, Any]:
    more, less = german(number)
    return {"sent_more": more, "sent_less": less, "outcome": "translated"}


def project(campaign: Campaign, stage: str, lang: str = "de") -> int:
    return campaign.settings.projects[f"{lang}/{stage}"]


def numbers(campaign: Campaign, stage: str = "translate") -> dict[int, str]:
    """The open tasks of a stage by the position of their pair."""
    sources = campaign.sources("de")
    return {sources[one.uid].number - 1: one.task_id for one in campaign.open_tasks("de", stage)}


def codes(found: list[Any]) -> Counter[str]:
    return Counter(one.problem.code for one in found)


def crows(campaign: Campaign, name: str = "crows") -> list[tuple[str, str]]:
    table = pq.read_table(campaign.folder / "de" / f"{name}.parquet")
    return [(row["sent_more"], row["sent_less"]) for row in table.to_pylist()]


@pytest.mark.parametrize("size", [500, 7, 3, 1])
def test_push_twice_changes_nothing(
    server: RunningServer,
    anna: Translator,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    size: int,
):
    monkeypatch.setattr("curate.annotation.studio.standing._PAGE", size)
    monkeypatch.setattr("curate.annotation.studio.projects._PAGE", size)
    campaign = new_campaign(tmp_path / "round", 7)
    suggestions = {"de": ({"3": german(3)}, "a machine")}
    add_material(campaign, names={"de": {"2": ("Karl", "Anna")}}, suggestions=suggestions)
    first = send(campaign, server.access)
    assert first.counts["de", "translate"].new == 7
    assert not first.found
    before = anna.by_id(project(campaign, "translate"))
    assert set(before) == {task.task_id for task in campaign.open_tasks("de")}
    assert before[numbers(campaign)[2]]["data"]["names_html"] == "Karl · Anna"
    filled = before[numbers(campaign)[3]]["predictions"]
    assert [one["value"]["text"][0] for one in filled[0]["result"]] == list(german(3))
    assert sum(len(task["predictions"]) for task in before.values()) == 1

    again = send(campaign, server.access)
    assert (again.counts["de", "translate"].there, again.counts["de", "translate"].new) == (7, 0)
    assert anna.by_id(project(campaign, "translate")) == before


def test_a_dry_run_sends_nothing(server: RunningServer, anna: Translator, tmp_path: Path):
    campaign = new_campaign(tmp_path / "round", 3)
    before = anna.call("GET", "/api/projects/")["count"]
    assert send(campaign, server.access, dry_run=True).counts["de", "translate"].new == 3
    assert anna.call("GET", "/api/projects/")["count"] == before
    assert campaign.settings.projects == {}


def test_answers_come_back_with_who_and_when(
    server: RunningServer, anna: Translator, ben: Translator, tmp_path: Path
):
    campaign = new_campaign(tmp_path / "round", 3, real_names=True)
    send(campaign, server.access)
    tasks, wanted = anna.by_id(project(campaign, "translate")), numbers(campaign)
    anna.answer(tasks[wanted[0]]["id"], **pair_fields(0), adaptation=["name", "food"], note="So.\n")
    ben.answer(tasks[wanted[1]]["id"], outcome="untranslatable", reason="culture")
    ben.answer(tasks[wanted[2]]["id"], skip=True)
    fetched, received = pull(campaign, server.access)
    assert received.answers == {"valid": 2, "skipped": 1}
    by_task = {one.task_id: one for one in campaign.answers.values()}
    first = by_task[wanted[0]]
    assert (first.person, first.texts, first.note) == (ANNA, german(0), "So.")
    assert first.adaptation == ("food", "name")
    assert first.answered_at.endswith("+00:00")
    assert first.ref.startswith(f"project {project(campaign, 'translate')}, task ")
    assert (by_task[wanted[1]].person, by_task[wanted[1]].reason) == (BEN, "culture")
    assert by_task[wanted[2]].status == "skipped"
    assert fetched.counts["de", "translate"].skipped == 1
    _, again = pull(campaign, server.access)
    assert again.repeated == 3
    assert not again.answers


def test_predictions_are_no_answers(server: RunningServer, tmp_path: Path):
    campaign = new_campaign(tmp_path / "round", 2)
    suggestions = {"de": ({"0": german(0), "1": german(1)}, "a machine")}
    add_material(campaign, names={}, suggestions=suggestions)
    send(campaign, server.access)
    assert fetch(campaign, server.access, langs=["de"]).raws == []


def test_a_pair_that_changed_is_updated_unless_it_was_answered_or_begun(
    server: RunningServer, anna: Translator, tmp_path: Path
):
    campaign = new_campaign(tmp_path / "round", 4)
    add_material(campaign, names={}, suggestions={"de": ({"3": german(3)}, "a machine")})
    send(campaign, server.access)
    tasks, wanted = anna.by_id(project(campaign, "translate")), numbers(campaign)
    anna.answer(tasks[wanted[0]]["id"], **pair_fields(0))
    anna.call("POST", f"/api/tasks/{tasks[wanted[1]]['id']}/drafts", json={"result": []})
    replace_source(campaign, crows_table([english(one + 100) for one in range(4)]))
    add_material(campaign, names={}, suggestions={"de": ({"3": german(103)}, "a machine")})
    issue(campaign)
    counts = send(campaign, server.access).counts["de", "translate"]
    assert (counts.updated, counts.answered_under_old, counts.new) == (2, 2, 0)
    after = anna.by_id(project(campaign, "translate"))
    assert after[wanted[2]]["data"]["source_more"] == english(102)[0]
    assert after[wanted[0]]["data"] == tasks[wanted[0]]["data"]
    assert after[wanted[1]]["data"] == tasks[wanted[1]]["data"]
    filled = after[wanted[3]]["predictions"]
    assert [one["value"]["text"][0] for one in filled[0]["result"]] == list(german(103))
    assert len(filled) == 1

    _, received = pull(campaign, server.access)
    assert received.answers == {"stale": 1}
    assert received.issued == {"correct": 1}
    send(campaign, server.access)
    (again,) = anna.tasks(project(campaign, "correct"))
    (task,) = campaign.open_tasks("de", "correct")
    assert [one.code for one in task.findings] == ["source-changed"]
    assert again["data"]["findings_html"].startswith("<ul><li>")
    assert again["data"]["text_more"] == german(0)[0]


def test_doubles_go_where_nobody_touched_them(
    server: RunningServer, anna: Translator, ben: Translator, tmp_path: Path
):
    campaign = new_campaign(tmp_path / "round", 3)
    send(campaign, server.access)
    number = project(campaign, "translate")
    tasks, wanted = anna.by_id(number), numbers(campaign)
    copies = [{"data": tasks[wanted[one]]["data"]} for one in (0, 1)]
    foreign = {"data": dict.fromkeys(copies[0]["data"], "strange")}
    anna.call("POST", f"/api/projects/{number}/import", json=[*copies, foreign])
    twice = [one for one in anna.tasks(number) if one["data"]["task_id"] == wanted[1]]
    for one, who in zip(twice, (anna, ben), strict=True):
        who.answer(one["id"], **pair_fields(1))

    before, _ = pull(campaign, server.access)
    assert codes(before.found) == {"duplicate-task": 2, "unknown-task": 1}
    assert len(before.raws) == 2
    pushed = send(campaign, server.access)
    assert pushed.counts["de", "translate"].surplus == 2
    assert codes(pushed.found) == {"duplicate-task": 1, "unknown-task": 1}
    left = Counter(one["data"]["task_id"] for one in anna.tasks(number))
    assert left == {wanted[0]: 1, wanted[1]: 2, wanted[2]: 1, "strange": 1}


def test_two_who_differ_and_validators_who_wrote_it_themselves(
    server: RunningServer, anna: Translator, ben: Translator, tmp_path: Path
):
    cleo = Translator(server.url, server.add_user("cleo@example.org").token)
    campaign = new_campaign(tmp_path / "round", 1, overlap=2)
    send(campaign, server.access)
    (task,) = anna.tasks(project(campaign, "translate"))
    assert task["overlap"] == 2
    anna.answer(task["id"], **pair_fields(0))
    _, received = pull(campaign, server.access)
    assert not received.issued
    ben.answer(task["id"], **pair_fields(5))
    _, received = pull(campaign, server.access)
    assert received.issued == {"validate": 1}
    assert codes(received.found) == {"conflict": 1}
    send(campaign, server.access)
    (task,) = anna.tasks(project(campaign, "validate"))
    assert german(5)[0] in task["data"]["others_html"]
    for writer in (anna, ben):
        latest = max(anna.tasks(project(campaign, "validate")), key=lambda one: one["id"])
        writer.answer(latest["id"], verdict="accept")
        _, received = pull(campaign, server.access)
        assert (received.issued, received.closed) == ({"validate": 1}, {})
        (again,) = campaign.open_tasks("de")
        assert "same-person" in {one.code for one in again.findings}
        send(campaign, server.access)
    latest = max(anna.tasks(project(campaign, "validate")), key=lambda one: one["id"])
    cleo.answer(latest["id"], verdict="accept")
    _, received = pull(campaign, server.access)
    assert received.closed == {"accepted": 1}
    assert crows(campaign) == [german(0)]


def test_bad_answers_are_reported_with_task_and_field(
    server: RunningServer, anna: Translator, tmp_path: Path
):
    campaign = new_campaign(tmp_path / "round", 9)
    send(campaign, server.access)
    tasks, wanted = anna.by_id(project(campaign, "translate")), numbers(campaign)

    def answer(number: int, **fields: Any) -> None:
        anna.answer(tasks[wanted[number]]["id"], **(pair_fields(number) | fields))

    answer(0, sent_more="<b>Er</b> verkaufte den Tisch am Montag im Garten.")
    answer(1, sent_less='=HYPERLINK("x") Sie verkaufte die Lampe.')
    answer(2, sent_more=english(2)[0], sent_less=english(2)[1])
    answer(3, sent_less=german(3)[0])
    answer(4, outcome="finished")
    answer(5, sent_more=[german(5)[0], "noch einer"])
    answer(6, mood="good")
    answer(7, sent_more="")
    wrong = [{"from_name": "sent_more", "type": "rating", "value": {"rating": 3}}]
    number = tasks[wanted[8]]["id"]
    anna.call("POST", f"/api/tasks/{number}/annotations/", json={"result": wrong})
    _, received = pull(campaign, server.access)
    found = {(one.task_id, one.problem.code, one.problem.field) for one in received.found}
    for number, code, field in (
        (0, "markup", "sent_more"),
        (1, "formula", "sent_less"),
        (4, "unknown-choice", "outcome"),
        (5, "several-values", "sent_more"),
        (6, "unknown-field", "mood"),
        (8, "unreadable-field", "sent_more"),
    ):
        assert any(
            one[1:] == (code, field) and one[0].startswith(wanted[number].rpartition(".")[0])
            for one in found
        ), (code, field, sorted(found))
    said = codes(received.found)
    assert said["empty-side"] and said["identical-sides"] and said["same-as-source"], said
    assert crows(campaign) == crows(campaign, "draft") == []


def test_a_form_changed_by_hand_is_reported_by_field(
    server: RunningServer, anna: Translator, tmp_path: Path
):
    campaign = new_campaign(tmp_path / "round", 2)
    send(campaign, server.access)
    number = project(campaign, "translate")
    own = anna.call("GET", f"/api/projects/{number}/")["label_config"]
    changed = own.replace('value="untranslatable" html', 'value="hopeless" html')
    start = changed.index('<TextArea name="note"')
    end = changed.index("/>", start) + 2
    changed = changed[:start] + '<TextArea name="mood" toName="source_more" />' + changed[end:]
    anna.call("PATCH", f"/api/projects/{number}/", json={"label_config": changed})
    wanted = {
        ("note", "the field is missing"), ("mood", "a field of its own"),
        ("outcome", "the choice untranslatable is missing"),
        ("outcome", "a choice of its own: hopeless"),
    }  # fmt: skip
    for found in (
        send(campaign, server.access).found,
        fetch(campaign, server.access, langs=["de"]).found,
    ):
        assert {(one.problem.field, one.problem.evidence) for one in found} == wanted
        assert codes(found) == {"config-changed": 4}
        assert {one.ref for one in found} == {f"project {number}"}
    assert anna.call("GET", f"/api/projects/{number}/")["label_config"] == changed


def test_settings_follow_the_campaign_and_a_copy_is_told_apart(
    server: RunningServer, anna: Translator, tmp_path: Path
):
    campaign = new_campaign(tmp_path / "round", 2, name="a name that is longer than a title may be")
    send(campaign, server.access)
    number = project(campaign, "translate")
    first = anna.call("GET", f"/api/projects/{number}/")
    assert first["title"] == "German · translate · a name that is longer than a…"
    assert (first["maximum_annotations"], first["skip_queue"]) == (1, "REQUEUE_FOR_OTHERS")
    assert first["show_instruction"] and "<h1>" in first["expert_instruction"]

    looks = first["label_config"].replace("font-size: 17px", "font-size: 7px")
    by_hand = {"label_config": looks, "expert_instruction": "<p>As you like.</p>"}
    anna.call("PATCH", f"/api/projects/{number}/", json=by_hand)
    campaign.settings.overlap = 3
    assert send(campaign, server.access).found == []
    second = anna.call("GET", f"/api/projects/{number}/")
    assert second["maximum_annotations"] == 3
    for name in ("label_config", "expert_instruction"):
        assert second[name] == first[name]

    copied = {name: first[name] for name in ("title", "description", "label_config")}
    copy = anna.call("POST", "/api/projects/", json=copied)["id"]
    for found in (
        send(campaign, server.access).found,
        fetch(campaign, server.access, langs=["de"]).found,
    ):
        assert [(one.ref, one.problem.code) for one in found] == [
            (f"project {copy}", "config-changed")
        ]
    assert anna.tasks(copy) == []


def test_a_deleted_project_and_a_deleted_task_are_made_again(
    server: RunningServer, anna: Translator, tmp_path: Path
):
    campaign = new_campaign(tmp_path / "round", 3)
    send(campaign, server.access)
    first, wanted = project(campaign, "translate"), numbers(campaign)
    anna.call("DELETE", f"/api/tasks/{anna.by_id(first)[wanted[1]]['id']}/")
    (gone,) = fetch(campaign, server.access, langs=["de"]).found
    assert (gone.problem.code, gone.task_id) == ("missing-task", wanted[1])
    assert send(campaign, server.access).counts["de", "translate"].new == 1
    admin = Translator(server.url, server.token)
    admin.call("DELETE", f"/api/projects/{first}/")
    (gone,) = fetch(campaign, server.access, langs=["de"]).found
    assert (gone.problem.code, gone.ref) == ("missing-task", f"project {first}")
    assert send(campaign, server.access).counts["de", "translate"].new == 3
    assert set(anna.by_id(project(campaign, "translate"))) == set(wanted.values())


def test_a_project_is_found_by_its_mark_where_its_number_was_never_learnt(
    server: RunningServer, anna: Translator, tmp_path: Path
):
    campaign = new_campaign(tmp_path / "round", 2)
    send(campaign, server.access)
    number = project(campaign, "translate")
    campaign.settings.projects.clear()
    assert send(campaign, server.access).counts["de", "translate"].there == 2
    assert project(campaign, "translate") == number
    other = new_campaign(tmp_path / "other", 1)
    other.settings.projects["de/translate"] = number  # a number from another server
    send(other, server.access)
    assert project(other, "translate") != number


def test_wrong_token_and_no_server_are_one_line(server: RunningServer, tmp_path: Path):
    campaign = new_campaign(tmp_path / "round", 1)
    secret = "c0ffee" * 6 + "beef"
    with pytest.raises(RemoteError, match="does not take the token") as caught:
        send(campaign, Access(server.url, secret))
    assert "LABEL_STUDIO_API_KEY" in caught.value.hint
    assert secret not in repr(caught.value) + caught.value.hint
    with pytest.raises(RemoteError, match="cannot be reached") as caught:
        fetch(campaign, Access(f"http://127.0.0.1:{free_port()}", secret), langs=["de"])
    assert caught.value.exit_code == 3
    assert secret not in str(caught.value) + caught.value.hint
    with pytest.raises(RemoteError) as caught:  # the page, not the API
        fetch(campaign, Access(f"{server.url}/user/login", server.token), langs=["de"])
    assert "<" not in str(caught.value)


def test_a_personal_token_of_the_newer_kind_opens_the_door_too(
    server: RunningServer, tmp_path: Path
):
    admin = Translator(server.url, server.token)
    both = {"api_tokens_enabled": True, "legacy_api_tokens_enabled": True}
    admin.call("POST", "/api/jwt/settings", json=both)
    token = admin.call("POST", "/api/token/")["token"]
    campaign = new_campaign(tmp_path / "round", 2)
    assert send(campaign, Access(server.url, token)).counts["de", "translate"].new == 2
    with pytest.raises(RemoteError, match="does not take the token") as caught:
        send(campaign, Access(server.url, token[:-6] + "AAAAAA"))
    assert token[:-6] not in repr(caught.value)


def test_a_write_whose_answer_is_lost_is_not_made_twice(
    server: RunningServer, anna: Translator, tmp_path: Path
):
    """The project, the first tasks and an update arrive, and the push never hears of it."""
    campaign = new_campaign(tmp_path / "round", 300)
    with losing(server.url, {1, 2}) as proxy:
        counts = send(campaign, Access(proxy.url, server.token)).counts["de", "translate"]
        assert [one.split("/")[-1] for one in proxy.writes] == ["", "import", "import"]
    assert (counts.there, counts.new) == (250, 50)
    number = project(campaign, "translate")
    mark = f"curate:{campaign.settings.campaign}:"
    listed = anna.call("GET", "/api/projects/", params={"page_size": 1000})["results"]
    assert [one["id"] for one in listed if mark in one["description"]] == [number]
    assert len(anna.by_id(number)) == 300

    material = {"de": ({"3": german(3), "4": german(4)}, "a machine")}
    add_material(campaign, names={}, suggestions=material)
    with losing(server.url, {1, 2, 3}) as proxy:
        send(campaign, Access(proxy.url, server.token))
    tasks, wanted = anna.by_id(number), numbers(campaign)
    assert [len(tasks[wanted[one]]["predictions"]) for one in (2, 3, 4)] == [0, 1, 1]
    assert tasks[wanted[4]]["data"]["suggestion"] == "a machine"


def interrupted(
    server: RunningServer, after: float, action: Callable[[], Any], *, comes_back: bool
) -> str:
    """Kill -9 the server `after` seconds into `action`: ``too late``, ``recovered`` or ``failed``.

    It is started again at once (`comes_back`: while somebody still tries), or when he gave up.
    """
    outcome: list[str] = []

    def run() -> None:
        try:
            action()
            outcome.append("recovered")
        except RemoteError:
            outcome.append("failed")

    thread = threading.Thread(target=run)
    thread.start()
    time.sleep(after)
    late = not thread.is_alive()
    server.kill()
    if comes_back:
        server.start()
    thread.join(timeout=120)
    if not comes_back:
        server.start()
    (what,) = outcome
    return "too late" if late else what


def test_500_pairs_with_the_server_killed_again_and_again(
    server: RunningServer, anna: Translator, ben: Translator, tmp_path: Path
):
    """Two people translate and validate; in the end all is there exactly once."""
    total, moments, folder = 500, random.Random(5), tmp_path / "round"  # noqa: S311
    new_campaign(folder, total, real_names=True)
    access, outcomes = server.access, Counter[str]()

    def killed(command: Callable[[Campaign, Access], Any], times: int) -> Campaign:
        """Repeat a command while the server is killed under it, then once in peace."""
        for turn in range(times):
            outcome = interrupted(
                server, moments.uniform(0.02, 0.8), lambda: command(Campaign.open(folder), access),
                comes_back=turn % 2 == 0,
            )  # fmt: skip
            outcomes[outcome] += 1
        campaign = Campaign.open(folder)
        command(campaign, access)
        return campaign

    def answer(campaign: Campaign, stage: str, who: tuple[Translator, Translator]) -> None:
        tasks, wanted = anna.by_id(project(campaign, stage)), numbers(campaign, stage)
        assert len(tasks) == total
        _share(*(
            (one, [(tasks[wanted[number]]["id"],
                    pair_fields(number) if stage == "translate" else {"verdict": "accept"})
                   for number in range(start, total, 2)])
            for start, one in enumerate(who)
        ))  # fmt: skip

    answer(killed(send, 4), "translate", (anna, ben))
    assert len(killed(pull, 4).answers) == total
    answer(killed(send, 3), "validate", (ben, anna))
    campaign = killed(pull, 2)
    print(f"\nthe server killed under a command, and what became of it: {dict(outcomes)}")
    assert outcomes["failed"] + outcomes["recovered"] > 2

    assert len(anna.by_id(project(campaign, "translate"))) == total
    assert len(anna.by_id(project(campaign, "validate"))) == total
    given = Counter((one.task_id, one.person) for one in campaign.answers.values())
    assert len(given) == 2 * total
    assert set(given.values()) == {1}
    assert crows(campaign) == [german(one) for one in range(total)]
    people = {ANNA: total, BEN: total}
    assert Counter(one.person for one in campaign.answers.values()) == people


def _share(*work: tuple[Translator, list[tuple[int, dict[str, Any]]]]) -> None:
    """Several people at once, each at his own tasks."""
    failed: list[BaseException] = []

    def run(who: Translator, answers: list[tuple[int, dict[str, Any]]]) -> None:
        try:
            for task, fields in answers:
                who.answer(task, **fields)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=run, args=one) for one in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


def test_2000_tasks_in_time(server: RunningServer, tmp_path: Path):
    """The figures of the README: push in 10 s, again in 6 s, fetched and merged in 15 s."""
    total = 2_000
    campaign = new_campaign(tmp_path / "round", total)
    add_material(campaign, names={}, suggestions={
        "de": ({str(one): german(one) for one in range(total)}, "a machine")})  # fmt: skip
    seconds = {}

    def timed(what: str, action: Callable[[], Any]) -> Any:
        began = time.monotonic()
        value = action()
        seconds[what] = round(time.monotonic() - began, 1)
        return value

    timed("push", lambda: send(campaign, server.access))
    timed("push again", lambda: send(campaign, server.access))
    _answer_all(Translator(server.url, server.token), campaign)
    fetched, received = timed("fetch, receive, merge", lambda: pull(campaign, server.access))
    print(f"\n2,000 tasks, seconds: {seconds}")
    assert len(fetched.raws) == total
    assert received.answers == {"valid": total}
    assert received.issued == {"validate": total}
    assert seconds["push"] <= 20
    assert seconds["push again"] <= 12
    assert seconds["fetch, receive, merge"] <= 30


def _answer_all(admin: Translator, campaign: Campaign) -> None:
    """Put an answer beside every task: imported with it, for one by one takes minutes."""
    number = project(campaign, "translate")
    tasks, wanted = admin.by_id(number), numbers(campaign)
    rows = [
        {
            "data": tasks[wanted[one]]["data"],
            "annotations": [{"result": result(pair_fields(one))}],
        }
        for one in range(len(wanted))
    ]
    admin.call("DELETE", f"/api/projects/{number}/tasks/")
    admin.call("POST", f"/api/projects/{number}/import", json=rows)


SHARED = Path(os.environ.get("CURATE_SHARED", Path(__file__).parents[2] / ".." / "shared"))
RECORDED = SHARED / "data" / "s_jsd"


@pytest.mark.skipif(
    not RECORDED.is_dir(), reason="no recorded round: CURATE_SHARED names its folder"
)
def test_a_recorded_round_comes_back_whole(
    server: RunningServer, anna: Translator, ben: Translator, tmp_path: Path
):
    """212 published translations, entered one by one: all come back, with what is odd in them."""
    name = "cps_translated_{}_formatted.csv"
    source = read_crows(RECORDED / name.format("en"), lang="en").table
    given = read_crows(RECORDED / name.format("de"), lang="de").table.to_pylist()
    texts = {row["source_id"]: (row["sent_more"], row["sent_less"]) for row in given}
    campaign = begin(tmp_path / "round", source, name="recorded", langs=["de"])
    issue(campaign)
    send(campaign, server.access)
    ids = {uid: one.source_id for uid, one in campaign.sources("de").items()}

    def answer(stage: str, who: Translator, fields: Callable[[str], dict[str, Any]]) -> int:
        waiting = campaign.open_tasks("de", stage)
        if waiting:
            tasks = who.by_id(project(campaign, stage))
            for one in waiting:
                who.answer(tasks[one.task_id]["id"], **fields(ids[one.uid]))
        return len(waiting)

    def text(source_id: str) -> dict[str, Any]:
        return dict(zip(("sent_more", "sent_less"), texts[source_id], strict=True))

    assert answer("translate", anna, lambda one: text(one) | {"outcome": "translated"}) == 212
    _, received = pull(campaign, server.access)
    wanted = [folded(texts[one]) for one in source.column("source_id").to_pylist()]
    assert len(wanted) == 212
    assert [folded(one) for one in crows(campaign, "draft")] == wanted
    assert crows(campaign) == []
    print(f"\nfindings on the recorded round: {codes(received.found).most_common()}")
    assert received.issued["correct"] + received.issued["validate"] == 212
    assert received.issued["correct"] == len({one.task_id for one in received.found})

    send(campaign, server.access)
    answer("correct", anna, lambda one: text(one) | {"response": "right-as-it-is"})
    _, received = pull(campaign, server.access)
    assert received.issued == {"validate": received.answers["valid"]}
    send(campaign, server.access)
    assert answer("validate", ben, lambda one: {"verdict": "accept"}) == 212
    pull(campaign, server.access)
    assert [folded(one) for one in crows(campaign)] == wanted


def folded(pair: tuple[str, str]) -> list[str]:
    return [" ".join(unicodedata.normalize("NFC", one).split()) for one in pair]
