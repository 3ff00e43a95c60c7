"""What follows from answers: rounds, validation, conflicts, stale texts; nothing twice, or half."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.annotation.begin import begin, issue, replace_source
from curate.annotation.campaign import Campaign, locked
from curate.annotation.merged import merge, states, write_merged
from curate.annotation.receive import receive
from curate.errors import InputError, UsageError
from tests.annotation.conftest import (
    ENGLISH,
    GERMAN,
    Answering,
    crows,
    last_task,
    open_task,
    translated,
)

BEA = "bea@example.org"
CHANGED = ("4", "The waiter left.", "The waitress left.")


def test_a_clean_translation_goes_to_the_validator_and_is_accepted(
    campaign: Campaign, answer: Answering
) -> None:
    received = receive(campaign, [answer(open_task(campaign, "2"), **translated("2"))])
    assert dict(received.issued) == {"validate": 1} and not received.found
    task = open_task(campaign, "2")
    assert task.stage == "validate" and task.texts == GERMAN["2"]
    assert merge(campaign, "de").crows.num_rows == 0
    assert merge(campaign, "de").draft.num_rows == 1
    received = receive(campaign, [answer(task, BEA, verdict="accept")])
    assert dict(received.closed) == {"accepted": 1}
    row = merge(campaign, "de").crows.to_pylist()[0]
    assert (row["sent_more"], row["sent_less"]) == GERMAN["2"]
    assert (row["lang"], row["source_id"], row["round"]) == ("de", "2", 1)
    assert (row["masculine"], row["feminine"]) == GERMAN["2"]


def test_the_same_answers_twice_change_nothing(campaign: Campaign, answer: Answering) -> None:
    raws = [answer(open_task(campaign, one), **translated(one)) for one in ("1", "2")]
    receive(campaign, raws)
    before = (dict(campaign.tasks), dict(campaign.answers))
    again = receive(campaign, raws)
    assert (campaign.tasks, campaign.answers) == before
    assert again.repeated == 2 and not again.answers and not again.found


def test_findings_come_back_as_a_new_round(campaign: Campaign, answer: Answering) -> None:
    bad = {
        "sent_more": "Der König verlor seine Krone.",
        "sent_less": "Der Königin verlor ihre Krone!",
    }
    received = receive(campaign, [answer(open_task(campaign, "2"), **bad, outcome="translated")])
    task = open_task(campaign, "2")
    assert (task.stage, task.round, task.step) == ("correct", 2, 2)
    assert {one.problem.code for one in received.found} == {one.code for one in task.findings}
    assert "changed-punctuation" in {one.code for one in task.findings}
    more, less = GERMAN["2"]
    receive(campaign, [answer(task, sent_more=more, sent_less=less, response="corrected")])
    assert open_task(campaign, "2").stage == "validate"


def test_a_translator_may_say_that_the_checks_are_wrong(
    campaign: Campaign, answer: Answering
) -> None:
    odd = {"sent_more": "Der König schlief.", "sent_less": "Die Königin wachte auf."}
    receive(campaign, [answer(open_task(campaign, "2"), **odd, outcome="translated")])
    task = open_task(campaign, "2")
    assert task.stage == "correct"
    receive(campaign, [answer(task, **odd, response="right-as-it-is")])
    task = open_task(campaign, "2")
    assert task.stage == "validate" and task.findings  # the validator is shown what was found
    receive(campaign, [answer(task, BEA, verdict="accept")])
    assert last_task(campaign, "2").state == "accepted"


def test_markup_is_never_right_as_it_is(campaign: Campaign, answer: Answering) -> None:
    html = {"sent_more": "Der <b>König</b> schlief.", "sent_less": "Die <b>Königin</b> schlief."}
    receive(campaign, [answer(open_task(campaign, "2"), **html, outcome="translated")])
    task = open_task(campaign, "2")
    assert {one.field for one in task.findings if one.code == "markup"} == {
        "sent_more",
        "sent_less",
    }
    assert merge(campaign, "de").draft.num_rows == 0
    receive(campaign, [answer(task, **html, response="right-as-it-is")])
    assert open_task(campaign, "2").stage == "correct"
    assert merge(campaign, "de").draft.num_rows == 0


def test_untranslatable_needs_a_reason_and_a_second_opinion(
    campaign: Campaign, answer: Answering
) -> None:
    received = receive(campaign, [answer(open_task(campaign, "3"), outcome="untranslatable")])
    assert [(one.problem.code, one.problem.field) for one in received.found] == [
        ("missing-field", "reason")
    ]
    assert open_task(campaign, "3").stage == "translate"
    task = open_task(campaign, "3")
    receive(campaign, [answer(task, outcome="untranslatable", reason="culture", note="pun")])
    task = open_task(campaign, "3")
    assert (task.stage, task.outcome, task.reason) == ("validate", "untranslatable", "culture")
    receive(campaign, [answer(task, BEA, verdict="accept")])
    drop = merge(campaign, "de").drops.to_pylist()[0]
    assert drop["code"] == "untranslatable" and "culture" in drop["detail"]


def test_a_correction_that_cannot_be_made_is_untranslatable(
    campaign: Campaign, answer: Answering
) -> None:
    odd = {"sent_more": "Der König schlief.", "sent_less": "Die Königin wachte auf."}
    receive(campaign, [answer(open_task(campaign, "2"), **odd, outcome="translated")])
    receive(campaign, [answer(open_task(campaign, "2"), response="no-correction-grammar")])
    task = open_task(campaign, "2")
    assert (task.stage, task.outcome, task.reason) == ("validate", "untranslatable", "grammar")


def test_the_translator_cannot_validate(campaign: Campaign, answer: Answering) -> None:
    receive(campaign, [answer(open_task(campaign, "2"), **translated("2"))])
    received = receive(campaign, [answer(open_task(campaign, "2"), verdict="accept")])
    assert [one.problem.code for one in received.found] == ["same-person"]
    task = open_task(campaign, "2")
    assert (task.stage, task.step) == ("validate", 3)
    receive(campaign, [answer(task, BEA, verdict="accept")])
    assert last_task(campaign, "2").state == "accepted"


def test_a_revision_is_checked_and_kept(campaign: Campaign, answer: Answering) -> None:
    receive(campaign, [answer(open_task(campaign, "4"), **translated("4"))])
    better = {
        "sent_more": "Der Kellner war freundlich.",
        "sent_less": "Die Kellnerin war freundlich.",
    }
    receive(campaign, [answer(open_task(campaign, "4"), BEA, verdict="revise", **better)])
    assert last_task(campaign, "4").state == "revised"
    assert merge(campaign, "de").crows.column("sent_more").to_pylist() == [better["sent_more"]]
    unit = merge(campaign, "de").units.to_pylist()[-1]
    assert unit["translator"] != unit["validator"] and unit["state"] == "revised"


def test_accept_with_a_changed_text_is_a_contradiction(
    campaign: Campaign, answer: Answering
) -> None:
    receive(campaign, [answer(open_task(campaign, "4"), **translated("4"))])
    task = open_task(campaign, "4")
    other = {"sent_more": "Der Kellner war nett.", "sent_less": "Die Kellnerin war nett."}
    received = receive(campaign, [answer(task, BEA, verdict="accept", **other)])
    assert [one.problem.code for one in received.found] == ["contradiction"]
    assert open_task(campaign, "4").stage == "validate"
    assert merge(campaign, "de").crows.num_rows == 0


def test_rejection_goes_back_with_the_reason_until_the_rounds_are_over(
    campaign: Campaign, answer: Answering
) -> None:
    texts = dict(zip(("sent_more", "sent_less"), GERMAN["4"], strict=True))
    receive(campaign, [answer(open_task(campaign, "4"), **texts, outcome="translated")])
    for number in (1, 2):
        receive(
            campaign,
            [answer(open_task(campaign, "4"), BEA, verdict="reject", reason="meaning", note="no")],
        )
        task = open_task(campaign, "4")
        assert task.stage == "correct" and task.findings[0].evidence == "meaning; no"
        texts = {
            "sent_more": f"Der Kellner {number} war nett.",
            "sent_less": f"Die Kellnerin {number} war nett.",
        }
        receive(campaign, [answer(task, **texts, response="corrected")])
    receive(campaign, [answer(open_task(campaign, "4"), BEA, verdict="reject", reason="meaning")])
    assert last_task(campaign, "4").state == "rejected"
    assert merge(campaign, "de").drops.column("code").to_pylist() == ["rejected"]


def test_people_who_differ_are_a_conflict_for_the_validator(
    tmp_path: Path, answer: Answering
) -> None:
    campaign = begin(tmp_path / "two", crows(), name="two", langs=["de"])
    campaign.settings.overlap = 2
    issue(campaign)
    task = open_task(campaign, "4")
    receive(campaign, [answer(task, **translated("4"))])
    assert open_task(campaign, "4").stage == "translate"  # one of two
    other = {"sent_more": "Der Kellner war nett.", "sent_less": "Die Kellnerin war nett."}
    received = receive(campaign, [answer(task, BEA, **other, outcome="translated")])
    assert "conflict" in {one.problem.code for one in received.found}
    shown = open_task(campaign, "4")
    assert shown.stage == "validate" and shown.others[0].sent_more == other["sent_more"]


def test_an_answer_to_a_changed_source_is_stale(campaign: Campaign, answer: Answering) -> None:
    old = open_task(campaign, "4")
    changed = [
        row if row[0] != "4" else ("4", "The waiter left.", "The waitress left.") for row in ENGLISH
    ]
    replace_source(campaign, crows(changed))
    assert dict(issue(campaign).changed) == {"de": 1}
    assert open_task(campaign, "4").step == 1
    received = receive(campaign, [answer(old, **translated("4"))])
    assert received.answers == {"stale": 1}
    assert [one.problem.code for one in received.found] == ["source-changed"]
    task = open_task(campaign, "4")
    assert task.stage == "correct" and task.texts == GERMAN["4"]


def test_a_settled_pair_is_opened_again_when_its_source_changes(
    campaign: Campaign, answer: Answering
) -> None:
    receive(campaign, [answer(open_task(campaign, "4"), **translated("4"))])
    receive(campaign, [answer(open_task(campaign, "4"), BEA, verdict="accept")])
    changed = [
        row if row[0] != "4" else ("4", "The waiter left.", "The waitress left.") for row in ENGLISH
    ]
    replace_source(campaign, crows(changed))
    issue(campaign)
    task = open_task(campaign, "4")
    assert (task.stage, task.findings[0].code) == ("correct", "source-changed")
    assert not issue(campaign).changed
    replace_source(campaign, crows(ENGLISH[:3]))
    assert dict(issue(campaign).withdrawn) == {"de": 1}
    assert merge(campaign, "de").units.num_rows == 3


def test_a_channel_without_times_may_say_the_same_again(
    campaign: Campaign, answer: Answering
) -> None:
    """A, then B, then A: the last counts; and what was settled stays as it was."""
    campaign.settings.overlap = 2
    task = open_task(campaign, "4")
    first = replace(answer(task, **translated("4")), answered_at="")
    texts = {"sent_more": ["Der Kellner ging."], "sent_less": ["Die Kellnerin ging."]}
    second = replace(first, fields=dict(first.fields) | texts)
    assert receive(campaign, [first]).answers == {"valid": 1}
    assert receive(campaign, [first]).repeated == 1
    assert receive(campaign, [second]).answers == {"valid": 1}
    assert receive(campaign, [first]).answers == {"valid": 1}
    assert receive(campaign, [first]).repeated == 1
    other = answer(task, BEA, **translated("4"))
    assert receive(campaign, [other]).issued == {"validate": 1}
    assert receive(campaign, [first]).repeated == 1
    assert receive(campaign, [second]).answers == {"late": 1}
    assert open_task(campaign, "4").texts == GERMAN["4"]
    assert [one.status for one in campaign.answers.values()].count("valid") == 4


def test_what_was_rejected_as_untranslatable_may_stay_so(
    campaign: Campaign, answer: Answering
) -> None:
    task = open_task(campaign, "3")
    receive(campaign, [answer(task, outcome="untranslatable", reason="culture")])
    receive(campaign, [answer(open_task(campaign, "3"), BEA, verdict="reject", note="try")])
    receive(campaign, [answer(open_task(campaign, "3"), response="right-as-it-is")])
    task = open_task(campaign, "3")
    assert (task.stage, task.outcome, task.reason) == ("validate", "untranslatable", "culture")


def test_an_answer_after_the_end_is_kept_and_told(campaign: Campaign, answer: Answering) -> None:
    task = open_task(campaign, "4")
    receive(campaign, [answer(task, **translated("4"))])
    late = answer(task, sent_more="Der Kellner.", sent_less="Die Kellnerin.", outcome="translated")
    received = receive(campaign, [late])
    assert [one.problem.code for one in received.found] == ["late"]
    assert open_task(campaign, "4").texts == GERMAN["4"]
    assert sorted(one.status for one in campaign.answers.values()) == ["late", "valid"]


@pytest.mark.parametrize(
    ("fields", "code", "field"),
    [
        ({"satz_mehr": "Der König."}, "unknown-field", "satz_mehr"),
        ({"outcome": "done"}, "unknown-choice", "outcome"),
        ({"sent_more": ["Der König.", "Der Fürst."]}, "several-values", "sent_more"),
        ({"adaptation": ["name", "weather"]}, "unknown-choice", "adaptation"),
        ({"outcome": []}, "missing-field", "outcome"),
    ],
)
def test_a_broken_form_is_told_at_every_pull_and_merges_nothing(
    campaign: Campaign, answer: Answering, fields: dict[str, object], code: str, field: str
) -> None:
    raw = answer(open_task(campaign, "2"), **(translated("2") | fields))
    for _ in range(2):
        received = receive(campaign, [raw])
        assert (code, field) in {(one.problem.code, one.problem.field) for one in received.found}
        assert received.found[0].ref == raw.ref
        assert open_task(campaign, "2").stage == "translate"
        assert merge(campaign, "de").draft.num_rows == 0
    receive(campaign, [answer(open_task(campaign, "2"), **translated("2"))])
    assert open_task(campaign, "2").stage == "validate"


@pytest.mark.parametrize(
    ("more", "less", "code"),
    [
        ("", "Die Königin verlor ihre Krone.", "empty-side"),
        ("Die Königin schlief.", "Die Königin schlief.", "identical-sides"),
        ("The king lost his crown.", "The queen lost her crown.", "same-as-source"),
        ('=HYPERLINK("x")', "Die Königin schlief.", "formula"),
    ],
)
def test_texts_that_are_none_come_back(
    campaign: Campaign, answer: Answering, more: str, less: str, code: str
) -> None:
    task = open_task(campaign, "2")
    raw = answer(task, sent_more=more, sent_less=less, outcome="translated")
    received = receive(campaign, [raw])
    assert code in {one.problem.code for one in received.found}
    assert open_task(campaign, "2").stage == "correct"
    assert merge(campaign, "de").draft.num_rows == 0


def test_unknown_tasks_and_skipped_ones(campaign: Campaign, answer: Answering) -> None:
    task = open_task(campaign, "1")
    stray = replace(answer(task, **translated("1")), task_id="u0.1")
    received = receive(campaign, [stray, answer(task, skipped=True)])
    assert [one.problem.code for one in received.found] == ["unknown-task"]
    assert received.answers == {"skipped": 1} and open_task(campaign, "1").step == 1


def test_one_pass_settles_at_once(tmp_path: Path, answer: Answering) -> None:
    campaign = begin(tmp_path / "one", crows(), name="one", langs=["de"])
    campaign.settings.passes = 1
    issue(campaign)
    raws = [answer(open_task(campaign, key), **translated(key)) for key in GERMAN]
    received = receive(campaign, raws)
    assert dict(received.closed) == {"translated": 4}, received.found
    assert merge(campaign, "de").crows.num_rows == 4


def test_a_campaign_is_what_it_was_after_saving(campaign: Campaign, answer: Answering) -> None:
    receive(
        campaign, [answer(open_task(campaign, "2"), **translated("2"), adaptation=["name", "food"])]
    )
    campaign.save()
    write_merged(campaign)
    again = Campaign.open(campaign.folder)
    assert again.tasks == campaign.tasks and again.answers == campaign.answers
    assert again.settings == campaign.settings and again.source.equals(campaign.source)
    people = campaign.folder / "people.json"
    assert people.stat().st_mode & 0o077 == 0
    assert "ana@example.org" in people.read_text()
    tables = (campaign.folder / "answers.parquet").read_bytes()
    assert b"ana@example.org" not in tables
    assert states(again, "de") == {"to-translate": 3, "to-validate": 1}


def test_decisions_that_were_cut_off_are_made_by_the_next_run(
    campaign: Campaign, answer: Answering
) -> None:
    tasks = dict(campaign.tasks)
    receive(campaign, [answer(open_task(campaign, "2"), **translated("2"))])
    campaign.tasks = tasks  # as if the run had died after the answers were written
    receive(campaign, [])
    assert open_task(campaign, "2").stage == "validate"


def test_a_campaign_needs_ids_of_its_own(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="source_id '1' stands in 2 rows"):
        begin(tmp_path, crows([ENGLISH[0], ENGLISH[0]]), name="x", langs=["de"])
    with pytest.raises(UsageError, match="language of the pairs"):
        begin(tmp_path, crows(), name="x", langs=["en"])
    with pytest.raises(UsageError, match="no language tag"):
        begin(tmp_path, crows(), name="x", langs=["../de"])
    with pytest.raises(InputError, match="no pairs"):
        begin(tmp_path, crows([]), name="x", langs=["de"])


def test_a_campaign_that_is_none_or_broken(campaign: Campaign, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no campaign here"):
        Campaign.open(tmp_path / "none")
    campaign.save()
    path = campaign.folder / "campaign.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"passes": 7}))
    with pytest.raises(InputError, match="settings of a campaign"):
        Campaign.open(campaign.folder)


def test_two_commands_do_not_work_on_one_campaign(tmp_path: Path) -> None:
    with (
        locked(tmp_path, new=True),
        pytest.raises(UsageError, match="another command"),
        locked(tmp_path, new=True),
    ):
        pass
    with locked(tmp_path / "new", new=True):
        pass
    assert not (tmp_path / "new").exists()
    with pytest.raises(UsageError, match="no campaign"), locked(tmp_path / "new"):
        pass


_VERDICTS = st.sampled_from(["accept", "revise", "reject", "skip"])
_STEPS = st.lists(
    st.tuples(st.sampled_from(["ana", "bea", "cem"]), st.integers(0, 3), _VERDICTS), max_size=15
)


@settings(deadline=None, max_examples=30)  # the first example loads the lexicon
@given(steps=_STEPS)
def test_any_order_of_answers_keeps_the_books(
    steps: list[tuple[str, int, str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Steps are numbered without gaps, nobody settles his own text, repeating changes nothing."""
    campaign = begin(tmp_path_factory.mktemp("any"), crows(), name="any", langs=["de"])
    issue(campaign)
    raws = []
    for number, (person, pair, verdict) in enumerate(steps):
        key = str(pair + 1)
        task = last_task(campaign, key)
        if task.stage == "done":
            continue
        raws.append(_some_answer(task, person, verdict, number))
        receive(campaign, raws[-1:])
    before = (dict(campaign.tasks), dict(campaign.answers))
    receive(campaign, raws)
    assert (campaign.tasks, campaign.answers) == before
    for uid, last in campaign.last_tasks("de").items():
        own = sorted(task.step for task in campaign.tasks.values() if task.uid == uid)
        assert own == list(range(1, last.step + 1))
        assert last.state == "open" or last.author != last.validator
    merged = merge(campaign, "de")
    assert merged.units.num_rows == 4
    assert merged.crows.num_rows + merged.drops.num_rows <= 4


def _some_answer(task, person, verdict, number):  # type: ignore[no-untyped-def]
    from curate.annotation.answers import RawAnswer

    more, less = (f"Der Kellner {number} schlief.", f"Die Kellnerin {number} schlief.")
    fields: dict[str, list[str]] = {"sent_more": [more], "sent_less": [less]}
    if task.stage == "validate":
        fields = (fields if verdict == "revise" else {}) | {"verdict": [verdict]}
        fields |= {"reason": ["meaning"]} if verdict == "reject" else {}
    else:
        fields |= {"outcome": ["translated"]}
        fields |= {"response": ["corrected"]} if task.stage == "correct" else {}
    if verdict == "skip":
        fields = {}
    return RawAnswer(
        task_id=task.task_id, hash=task.hash, fields=fields, person=person, channel="test",
        ref=f"{number}", answered_at=f"2026-01-01T00:00:{number:02d}+00:00",
        skipped=verdict == "skip",
    )  # fmt: skip
