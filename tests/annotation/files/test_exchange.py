"""Out and in, in every format: the same tasks, the same answers, nothing half."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.annotation.answers import RawAnswer
from curate.annotation.begin import add_material, begin, issue, replace_source
from curate.annotation.campaign import Campaign
from curate.annotation.files import read_answers, write_tasks
from curate.annotation.merged import merge
from curate.annotation.receive import receive
from curate.errors import InputError, UsageError
from tests.annotation.conftest import ENGLISH, GERMAN, crows, last_task, open_task, translated
from tests.annotation.files.filling import SUFFIXES, edit_xliff, fill, fill_csv, read_csv, write_csv

each_format = pytest.mark.parametrize("suffix", SUFFIXES)
BEA = "bea@example.org"


def exported(campaign: Campaign, suffix: str, *, lang: str = "de", stage: str = "") -> Path:
    path = campaign.folder / f"{lang}.{suffix}"
    write_tasks(campaign, lang, path, stage=stage)
    return path


def texts_of(number: str) -> dict[str, str]:
    return dict(zip(("sent_more", "sent_less"), GERMAN[number], strict=True))


def one(raws: list[RawAnswer]) -> dict[str, list[str]]:
    """The fields of the only answer that say something."""
    assert len(raws) == 1
    return {
        name: [v for v in values if v] for name, values in raws[0].fields.items() if any(values)
    }


@each_format
def test_what_nobody_touched_is_no_answer(campaign: Campaign, suffix: str) -> None:
    add_material(
        campaign, names={"de": {"1": ("Max", "Eva")}},
        suggestions={"de": ({"1": ("=Max kam.", "-Eva kam.")}, "a machine")},
    )  # fmt: skip
    path = campaign.folder / f"de.{suffix}"
    assert write_tasks(campaign, "de", path) == 4
    assert read_answers(campaign, path, person=BEA) == []
    # Another suggestion by now: the one in the file is still nobody's answer.
    add_material(campaign, names={}, suggestions={"de": ({"1": ("Neu.", "Neue.")}, "another")})
    assert read_answers(campaign, path, person=BEA) == []


@each_format
def test_one_stage_alone_can_be_written(campaign: Campaign, suffix: str) -> None:
    path = campaign.folder / f"de.{suffix}"
    assert write_tasks(campaign, "de", path, stage="translate") == 2
    fill(path, {open_task(campaign, "1").task_id: translated("1")} if suffix != "xlf" else {
        open_task(campaign, "1").task_id: texts_of("1")
    })  # fmt: skip
    (raw,) = read_answers(campaign, path, person=BEA)
    assert raw.task_id == open_task(campaign, "1").task_id
    assert raw.hash == open_task(campaign, "1").hash
    assert raw.person == BEA and raw.answered_at == ""
    assert raw.channel == {"xlf": "xliff"}.get(suffix, suffix)
    assert raw.ref.startswith(f"de.{suffix}")
    assert one([raw]) == {
        "sent_more": [GERMAN["1"][0]], "sent_less": [GERMAN["1"][1]], "outcome": ["translated"],
    }  # fmt: skip


@each_format
def test_a_round_through_files_ends_in_the_same_dataset(campaign: Campaign, suffix: str) -> None:
    line = suffix == "xlf"
    texts = {number: texts_of(number) for number in GERMAN}
    path = exported(campaign, suffix)
    answers = {
        "1": {**texts["1"], **({} if line else {"outcome": "translated"})},
        "2": {"answer": "right as it is | I looked twice"} if line
        else {"response": "right-as-it-is", "note": "I looked twice"},
        "3": {"answer": "accept"} if line else {"verdict": "Accept"},
        "4": {"answer": "untranslatable: grammar"} if line
        else {"outcome": "untranslatable", "reason": "grammar"},
    }  # fmt: skip
    fill(path, {open_task(campaign, key).task_id: value for key, value in answers.items()})
    raws = read_answers(campaign, path, person=BEA)
    received = receive(campaign, raws)
    assert not received.found and dict(received.answers) == {"valid": 4}
    assert last_task(campaign, "3").state == "accepted"
    assert last_task(campaign, "4").outcome == "untranslatable"
    again = receive(campaign, read_answers(campaign, path, person=BEA))
    assert again.repeated == 4 and not again.answers and not again.found

    path = exported(campaign, suffix, stage="validate")
    accept = {"answer": "accept"} if line else {"verdict": "accept"}
    fill(path, {open_task(campaign, key).task_id: accept for key in ("1", "2", "4")})
    receive(campaign, read_answers(campaign, path, person="cleo@example.org"))
    assert not campaign.open_tasks("de")
    rows = merge(campaign, "de").crows.to_pylist()
    assert {row["source_id"]: (row["sent_more"], row["sent_less"]) for row in rows} == {
        number: GERMAN[number] for number in ("1", "2", "3")
    }
    assert [drop["code"] for drop in merge(campaign, "de").drops.to_pylist()] == ["untranslatable"]


@each_format
def test_markup_in_a_text_is_text(campaign: Campaign, suffix: str) -> None:
    texts = {"sent_more": "<mark>Max</mark> & co <script>x</script>", "sent_less": "&lt;Eva&gt;"}
    task_id = open_task(campaign, "1").task_id
    path = exported(campaign, suffix)
    fill(path, {task_id: texts})
    fields = one(read_answers(campaign, path, person=BEA))
    assert {name: fields[name] for name in texts} == {name: [text] for name, text in texts.items()}


@each_format
def test_a_suggestion_left_behind_is_no_text_of_an_untranslatable_pair(
    campaign: Campaign, suffix: str
) -> None:
    add_material(campaign, names={}, suggestions={"de": ({"1": ("Max kam.", "Eva kam.")}, "m")})
    path = exported(campaign, suffix)
    said = {"outcome": "untranslatable", "reason": "culture", "answer": "untranslatable; culture"}
    names = {"answer"} if suffix == "xlf" else {"outcome", "reason"}
    fill(path, {open_task(campaign, "1").task_id: {k: v for k, v in said.items() if k in names}})
    fields = one(read_answers(campaign, path, person=BEA))
    assert fields == {"outcome": ["untranslatable"], "reason": ["culture"]}


@each_format
def test_a_file_of_another_campaign_counts_for_nothing(
    campaign: Campaign, suffix: str, tmp_path: Path
) -> None:
    twin = begin(tmp_path / "twin", crows(), name="round", langs=["de"])
    issue(twin)  # the same pairs, so the same ids and hashes
    path = exported(twin, suffix) if twin.folder.mkdir() is None else Path()
    with pytest.raises(InputError, match=f"belongs to campaign.*{twin.settings.campaign}"):
        read_answers(campaign, path, person=BEA)


@each_format
def test_an_answer_to_an_older_source_is_left_to_the_core(campaign: Campaign, suffix: str) -> None:
    path = exported(campaign, suffix)
    task = open_task(campaign, "1")
    fill(
        path, {task.task_id: {"sent_more": "Eins.", "sent_less": "Zwei.", "outcome": "translated"}}
    )
    replace_source(campaign, crows([("1", "James slept.", "Olivia slept."), *ENGLISH[1:]]))
    issue(campaign)
    received = receive(campaign, read_answers(campaign, path, person=BEA))
    assert dict(received.answers) == {"stale": 1}
    assert open_task(campaign, "1").stage == "correct"
    # A pair that is no longer there at all.
    replace_source(campaign, crows(ENGLISH[1:]))
    assert one(read_answers(campaign, path, person=BEA))["sent_more"] == ["Eins."]


@each_format
def test_a_late_answer_is_read(campaign: Campaign, suffix: str) -> None:
    path = exported(campaign, suffix)
    task = open_task(campaign, "3")
    field = {"answer": "reject: meaning | why"} if suffix == "xlf" else {
        "verdict": "reject", "reason": "meaning", "note": "why"
    }  # fmt: skip
    fill(path, {task.task_id: field})
    receive(campaign, read_answers(campaign, path, person=BEA))
    received = receive(campaign, read_answers(campaign, path, person="cleo@example.org"))
    assert dict(received.answers) == {"late": 1}


@each_format
def test_a_task_the_campaign_never_gave_out_is_reported(campaign: Campaign, suffix: str) -> None:
    path = exported(campaign, suffix)
    task_id = open_task(campaign, "1").task_id
    if suffix == "csv":
        fill_csv(path, {task_id: {"task_id": "u0.1", "sent_more": "x"}})
    elif suffix == "xlsx":
        fill(path, {task_id: {"task_id": "u0.1", "sent_more": "x"}})
    else:
        path.write_text(path.read_text().replace(task_id, "u0.1"))
        fill(path, {"u0.1": {"sent_more": "x"}})
    raws = read_answers(campaign, path, person=BEA)
    received = receive(campaign, raws)
    assert [found.problem.code for found in received.found] == ["unknown-task"]
    assert received.found[0].ref.startswith(path.name) and not received.answers


def test_a_file_of_another_language_is_refused(campaign: Campaign) -> None:
    path = exported(campaign, "xlf", lang="ar")
    path.write_text(path.read_text().replace('trgLang="ar"', 'trgLang="fr"'))
    with pytest.raises(InputError, match="language is 'fr'"):
        read_answers(campaign, path, person=BEA)
    path = exported(campaign, "csv")
    rows = read_csv(path)
    rows[2]["lang"] = "ar"
    write_csv(path, rows)
    with pytest.raises(InputError, match=r"de\.csv:4: the language is 'ar'"):
        read_answers(campaign, path, person=BEA)


def test_columns_sorted_apart_are_found_out(campaign: Campaign) -> None:
    path = exported(campaign, "csv")
    rows = read_csv(path)
    first, last = rows[0], rows[3]
    for name in ("task_id", "hash", "stage"):
        first[name], last[name] = last[name], first[name]
    write_csv(path, rows)
    with pytest.raises(InputError, match=r"de\.csv:2: the source beside task"):
        read_answers(campaign, path, person=BEA)


@each_format
def test_a_task_twice_is_refused_with_both_places(campaign: Campaign, suffix: str) -> None:
    path = exported(campaign, suffix)
    first, second = open_task(campaign, "1").task_id, open_task(campaign, "4").task_id
    if suffix == "xlf":
        tree, units = edit_xliff(path)
        units[f"{second}.sent_more"].set("id", f"{first}.sent_more")
        tree.write(path, encoding="utf-8")
        expected = r"de\.xlf#.*sent_more: this unit stands here twice"
    else:
        fill(path, {second: {"task_id": first}})
        expected = r"de\.(csv:5|xlsx!A5): task .* twice, first at de\.(csv:2|xlsx!A2)"
    with pytest.raises(InputError, match=expected):
        read_answers(campaign, path, person=BEA)


def test_wrong_requests_are_refused(campaign: Campaign, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no language 'fr'"):
        write_tasks(campaign, "fr", tmp_path / "fr.csv")
    with pytest.raises(UsageError, match="unknown stage"):
        write_tasks(campaign, "de", tmp_path / "de.csv", stage="revise")
    with pytest.raises(UsageError, match="tells no format"):
        write_tasks(campaign, "de", tmp_path / "de.ods")
    with pytest.raises(UsageError, match="unknown format"):
        write_tasks(campaign, "de", tmp_path / "de.csv", form="ods")
    with pytest.raises(UsageError, match="who answered"):
        read_answers(campaign, tmp_path / "de.csv", person=" ")
    with pytest.raises(InputError, match="no such file"):
        read_answers(campaign, tmp_path / "de.csv", person=BEA)
    assert write_tasks(campaign, "ar", tmp_path / "ar.csv", stage="validate") == 0
    assert not list(tmp_path.glob("*.csv"))
    assert write_tasks(campaign, "de", tmp_path / "noname", form="csv") == 4


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.xlsx", b"task_id,hash\n", "this is csv"),
        ("a.csv", b"PK\x03\x04....", "this is xlsx"),
        ("a.xlf", b"PK\x03\x04....", "this is xlsx"),
        ("a.xlsx", b"\xd0\xcf\x11\xe0....", "old or password-protected Office"),
        ("a.csv", b"<?xml version='1.0'?><xliff/>", "this is xliff"),
        ("a.csv", b"a\x00b\x00,\x00", "binary data"),
        ("a.csv", b"", "the file is empty"),
    ],
)
def test_the_suffix_must_tell_the_truth(
    campaign: Campaign, tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match=said):
        read_answers(campaign, path, person=BEA)
