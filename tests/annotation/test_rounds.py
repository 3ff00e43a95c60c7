"""Rounds that go wrong: nobody settles a text alone, is asked without end, or loses work."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from curate.annotation.answers import RawAnswer
from curate.annotation.begin import add_languages, begin, issue, replace_source
from curate.annotation.campaign import Campaign
from curate.annotation.findings import write_findings
from curate.annotation.merged import merge, states, write_merged
from curate.annotation.receive import receive
from curate.annotation.shown import explained, shown
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

ANA, BEA, CEM = "ana@example.org", "bea@example.org", "cem@example.org"
CHANGED = ("4", "The waiter left.", "The waitress left.")
ODD = {"sent_more": "Der Kellner schlief.", "sent_less": "Die Kellnerin wachte auf."}


def overlapping(folder: Path) -> Campaign:
    campaign = begin(folder, crows(), name="two", langs=["de"])
    campaign.settings.overlap = 2
    issue(campaign)
    return campaign


def texts(more: str, less: str) -> dict[str, str]:
    return {"sent_more": more, "sent_less": less}


@pytest.mark.parametrize(
    "bad",
    [
        texts("Der Kellner schlief.", "Der Kellner schlief."),
        texts("Der <b>Kellner</b> schlief.", "Die <b>Kellnerin</b> schlief."),
        texts("=HYPERLINK(1)", "=HYPERLINK(2)"),
        texts("The waiter was polite.", "The waitress was polite."),
    ],
)
def test_what_is_left_after_the_last_round_is_unresolved(
    campaign: Campaign, answer: Answering, bad: dict[str, str]
) -> None:
    receive(campaign, [answer(open_task(campaign, "4"), **bad, outcome="translated")])
    for number in (1, 2):
        task = open_task(campaign, "4")
        assert task.stage == "correct"
        again = {name: text + "!" * number for name, text in bad.items()}
        receive(campaign, [answer(task, **again, response="corrected")])
    assert last_task(campaign, "4").state == "unresolved"
    assert merge(campaign, "de").crows.num_rows == 0
    assert merge(campaign, "de").drops.column("code").to_pylist() == ["unresolved"]


def test_slips_in_the_form_do_not_go_on_for_ever(campaign: Campaign, answer: Answering) -> None:
    receive(campaign, [answer(open_task(campaign, "4"), **ODD, outcome="translated")])
    findings = {one.code for one in open_task(campaign, "4").findings}
    receive(campaign, [answer(open_task(campaign, "4"), **ODD, response="corrected")])
    task = open_task(campaign, "4")
    assert {one.code for one in task.findings} == {"contradiction", *findings}
    receive(campaign, [answer(task, response="right-as-it-is")])  # the fields were emptied
    done = last_task(campaign, "4")
    assert (done.state, done.texts) == ("unresolved", tuple(ODD.values()))


def test_who_wrote_a_text_does_not_validate_it_and_two_people_are_enough(
    campaign: Campaign, answer: Answering
) -> None:
    receive(campaign, [answer(open_task(campaign, "4"), **ODD, outcome="translated")])
    took_over = answer(open_task(campaign, "4"), BEA, **ODD, response="right-as-it-is")
    receive(campaign, [took_over])
    for _ in range(2):
        received = receive(campaign, [answer(open_task(campaign, "4"), ANA, verdict="accept")])
        assert [one.problem.code for one in received.found] == ["same-person"]
    received = receive(campaign, [answer(open_task(campaign, "4"), BEA, verdict="accept")])
    assert last_task(campaign, "4").state == "accepted"
    assert not received.found  # what was dismissed is no finding any more


def test_who_calls_a_pair_untranslatable_does_not_validate_that(
    campaign: Campaign, answer: Answering
) -> None:
    receive(campaign, [answer(open_task(campaign, "4"), **ODD, outcome="translated")])
    receive(campaign, [answer(open_task(campaign, "4"), BEA, response="no-correction-grammar")])
    assert open_task(campaign, "4").author == campaign.people.pseudonym(BEA)
    receive(campaign, [answer(open_task(campaign, "4"), BEA, verdict="accept")])
    assert open_task(campaign, "4").stage == "validate"
    receive(campaign, [answer(open_task(campaign, "4"), ANA, verdict="accept")])
    assert last_task(campaign, "4").state == "untranslatable"


def test_a_rejection_is_told_of_the_validator(campaign: Campaign, answer: Answering) -> None:
    receive(campaign, [answer(open_task(campaign, "4"), **translated("4"))])
    task = open_task(campaign, "4")
    own = answer(task, ANA, verdict="accept")
    received = receive(campaign, [own, answer(task, BEA, verdict="reject", reason="meaning")])
    assert [(one.problem.code, one.person) for one in received.found] == [
        ("rejected", campaign.people.pseudonym(BEA))
    ]
    assert [one.code for one in open_task(campaign, "4").findings] == ["rejected"]


def test_another_text_with_the_same_kind_of_finding_is_no_dismissed_one(
    campaign: Campaign, answer: Answering
) -> None:
    receive(campaign, [answer(open_task(campaign, "4"), **ODD, outcome="translated")])
    receive(campaign, [answer(open_task(campaign, "4"), **ODD, response="right-as-it-is")])
    new = texts("Der Kellner lachte.", "Die Kellnerin weinte laut.")
    receive(campaign, [answer(open_task(campaign, "4"), BEA, verdict="revise", **new)])
    assert open_task(campaign, "4").stage == "correct"


def test_more_rounds_open_what_was_given_up(campaign: Campaign, answer: Answering) -> None:
    campaign.settings.max_rounds = 1
    receive(campaign, [answer(open_task(campaign, "4"), **ODD, outcome="translated")])
    assert last_task(campaign, "4").state == "unresolved"
    assert not issue(campaign).opened.total()
    campaign.settings.max_rounds = 2
    assert issue(campaign).opened["de"] == 1
    task = open_task(campaign, "4")
    assert (task.stage, task.round) == ("correct", 2) and task.findings
    assert not issue(campaign).opened.total()


def test_what_was_only_saved_again_is_no_second_answer(
    campaign: Campaign, answer: Answering
) -> None:
    task = open_task(campaign, "4")
    receive(campaign, [answer(task, **translated("4"))])
    received = receive(campaign, [answer(task, **translated("4"))])  # a later time
    assert received.repeated == 1 and not received.found
    assert len(campaign.answers) == 1


def test_a_stale_answer_counts_among_those_that_are_waited_for(
    tmp_path: Path, answer: Answering
) -> None:
    campaign = overlapping(tmp_path)
    task = open_task(campaign, "4")
    stale = answer(task, BEA, **translated("4"), hash="h0")
    received = receive(campaign, [answer(task, **translated("4")), stale])
    assert dict(received.issued) == {"validate": 1}


def test_answers_without_a_name_do_not_lock_a_campaign(
    campaign: Campaign, answer: Answering
) -> None:
    receive(campaign, [answer(open_task(campaign, "4"), "", **translated("4"))])
    campaign.save()
    assert Campaign.open(campaign.folder).answers == campaign.answers


def test_of_two_who_wrote_the_same_the_second_may_validate(
    tmp_path: Path, answer: Answering
) -> None:
    campaign = overlapping(tmp_path)
    task = open_task(campaign, "4")
    receive(campaign, [answer(task, person, **translated("4")) for person in (ANA, BEA)])
    receive(campaign, [answer(open_task(campaign, "4"), ANA, verdict="accept")])
    assert last_task(campaign, "4").stage == "validate"
    receive(campaign, [answer(open_task(campaign, "4"), BEA, verdict="accept")])
    assert last_task(campaign, "4").state == "accepted"


def test_the_parties_of_a_conflict_do_not_decide_it(tmp_path: Path, answer: Answering) -> None:
    campaign = overlapping(tmp_path)
    task = open_task(campaign, "4")
    other = texts("Der Kellner war nett.", "Die Kellnerin war nett.")
    receive(campaign, [answer(task, ANA, **translated("4"))])
    receive(campaign, [answer(task, BEA, **other, outcome="translated")])
    received = receive(campaign, [answer(open_task(campaign, "4"), BEA, verdict="revise", **other)])
    assert "same-person" in {one.problem.code for one in received.found}
    receive(campaign, [answer(open_task(campaign, "4"), CEM, verdict="revise", **other)])
    assert last_task(campaign, "4").state == "revised"


def test_a_text_for_what_was_untranslatable_is_validated_by_another(
    campaign: Campaign, answer: Answering
) -> None:
    task = open_task(campaign, "4")
    receive(campaign, [answer(task, outcome="untranslatable", reason="grammar", note="no way")])
    data = shown(open_task(campaign, "4"), campaign.sources("de")[task.uid], total=4)
    assert "grammar" in data["findings_html"] and "no way" in data["findings_html"]
    new = texts(*GERMAN["4"])
    receive(campaign, [answer(open_task(campaign, "4"), BEA, verdict="revise", **new)])
    task = open_task(campaign, "4")
    assert task.stage == "validate" and task.texts == GERMAN["4"]
    receive(campaign, [answer(task, CEM, verdict="accept")])
    unit = merge(campaign, "de").units.to_pylist()[-1]
    assert unit["state"] == "accepted" and unit["reason"] == ""
    assert unit["translator"] == campaign.people.pseudonym(BEA)


def test_reject_needs_a_reason(campaign: Campaign, answer: Answering) -> None:
    receive(campaign, [answer(open_task(campaign, "4"), **translated("4"))])
    received = receive(campaign, [answer(open_task(campaign, "4"), BEA, verdict="reject")])
    assert [(one.problem.code, one.problem.field) for one in received.found] == [
        ("missing-field", "reason")
    ]
    assert open_task(campaign, "4").step == 2


def test_a_change_of_the_source_loses_no_text(tmp_path: Path, answer: Answering) -> None:
    campaign = overlapping(tmp_path)
    receive(campaign, [answer(open_task(campaign, "4"), **translated("4"))])  # one of two
    replace_source(campaign, crows([*ENGLISH[:3], CHANGED]))
    issue(campaign)
    task = open_task(campaign, "4")
    assert (task.stage, task.texts, task.round) == ("correct", GERMAN["4"], 1)
    assert merge(campaign, "de").draft.num_rows == 0  # it translates what is no more
    for number in range(5):  # nobody is asked meanwhile, so no round is used up
        replace_source(campaign, crows([*ENGLISH[:3], ("4", f"He {number}.", f"She {number}.")]))
        issue(campaign)
    again = open_task(campaign, "4")
    assert (again.step, again.round, again.texts) == (task.step, 1, GERMAN["4"])


def test_a_skip_is_no_answer_to_a_source_that_changes(
    campaign: Campaign, answer: Answering
) -> None:
    receive(campaign, [answer(open_task(campaign, "4"), skipped=True)])
    replace_source(campaign, crows([*ENGLISH[:3], CHANGED]))
    issue(campaign)
    assert open_task(campaign, "4").stage == "translate"


def test_a_stale_answer_is_never_a_draft(campaign: Campaign, answer: Answering) -> None:
    old = open_task(campaign, "4")
    replace_source(campaign, crows([*ENGLISH[:3], CHANGED]))
    issue(campaign)
    bad = answer(old, sent_more="=1+1", sent_less="<script>", outcome="translated")
    assert receive(campaign, [bad]).answers == {"stale": 1}
    assert merge(campaign, "de").draft.num_rows == 0


def test_a_stale_untranslatable_keeps_its_reason(campaign: Campaign, answer: Answering) -> None:
    old = open_task(campaign, "4")
    replace_source(campaign, crows([*ENGLISH[:3], CHANGED]))
    issue(campaign)
    receive(campaign, [answer(old, outcome="untranslatable", reason="culture")])
    task = open_task(campaign, "4")
    assert (task.stage, task.outcome, task.reason) == ("correct", "untranslatable", "culture")


def test_the_same_texts_for_two_pairs_are_told_and_kept_once(
    campaign: Campaign, answer: Answering
) -> None:
    raws = [answer(open_task(campaign, key), **translated("4")) for key in ("3", "4")]
    received = receive(campaign, raws)
    assert [one.problem.evidence for one in received.found if one.problem.code == "duplicate"] == [
        "the same two texts as pair 4", "the same two texts as pair 3",
    ]  # fmt: skip
    same = texts(*GERMAN["4"])
    for key in ("3", "4"):
        receive(campaign, [answer(open_task(campaign, key), **same, response="right-as-it-is")])
        receive(campaign, [answer(open_task(campaign, key), BEA, verdict="accept")])
    merged = merge(campaign, "de")
    assert merged.crows.num_rows == 1
    assert merged.drops.column("code").to_pylist() == ["duplicate"]
    assert states(campaign, "de") == {"to-translate": 2, "accepted": 1, "duplicate": 1}


def test_halves_of_characters_and_steering_ones_do_no_harm(
    campaign: Campaign, answer: Answering
) -> None:
    task = open_task(campaign, "4")
    raw = answer(task, "x\ud83d@example.org", **translated("4"))
    raw = replace(raw, fields=dict(raw.fields) | {"odd\udc00": ["\ud83d"], "[/x]": ["\x1b[31mred"]})
    received = receive(campaign, [raw])
    assert {one.problem.code for one in received.found} == {"unknown-field"}
    campaign.save()
    write_merged(campaign)
    written = write_findings(campaign, received.found).read_text(encoding="utf-8")
    assert "\x1b" not in written and "[/x]" in written
    assert Campaign.open(campaign.folder).answers == campaign.answers


def test_an_old_file_does_not_outvote_a_newer_answer_elsewhere(
    tmp_path: Path, answer: Answering
) -> None:
    campaign = overlapping(tmp_path)
    task = open_task(campaign, "4")
    file = replace(answer(task, **translated("4")), answered_at="", channel="csv")
    newer = answer(task, sent_more="Der Kellner ging.", sent_less="Die Kellnerin ging.",
                   outcome="translated", answered_at="2099-01-01T00:00:00+00:00")  # fmt: skip
    receive(campaign, [file])
    receive(campaign, [newer])
    assert receive(campaign, [file]).repeated == 1
    receive(campaign, [answer(task, BEA, **translated("4"))])
    assert open_task(campaign, "4").others  # Ana's last word differs from Bea's


def test_a_broken_form_is_no_longer_told_once_the_pair_is_settled(
    campaign: Campaign, answer: Answering
) -> None:
    task = open_task(campaign, "4")
    broken = answer(task, **(translated("4") | {"outcome": "done"}))
    receive(campaign, [broken])
    receive(campaign, [answer(task, BEA, **translated("4"))])
    assert not receive(campaign, [broken]).found


def test_findings_are_told_of_the_one_who_wrote(campaign: Campaign, answer: Answering) -> None:
    task = open_task(campaign, "4")
    raws = [answer(task, **ODD, outcome="translated"), answer(task, BEA, skipped=True)]
    received = receive(campaign, raws)
    assert {one.person for one in received.found} == {campaign.people.pseudonym(ANA)}


def test_tags_are_written_one_way(tmp_path: Path) -> None:
    campaign = begin(tmp_path, crows(), name="x", langs=["DE", "de", "pt_br"])
    assert campaign.settings.langs == ["de", "pt-BR"]
    for own in ("EN", "en-US"):
        with pytest.raises(UsageError, match="language of the pairs"):
            add_languages(campaign, [own])


def test_a_campaign_that_lost_a_file_says_so(campaign: Campaign, answer: Answering) -> None:
    receive(campaign, [answer(open_task(campaign, "4"), **translated("4"))])
    campaign.save()
    people = (campaign.folder / "people.json").read_bytes()
    (campaign.folder / "people.json").unlink()
    with pytest.raises(InputError, match="so nobody can tell whose"):
        Campaign.open(campaign.folder)
    (campaign.folder / "people.json").write_bytes(people)
    (campaign.folder / "source.parquet").unlink()
    with pytest.raises(InputError, match="does not know its pairs"):
        Campaign.open(campaign.folder)


def test_translators_read_plain_words(campaign: Campaign, answer: Answering) -> None:
    receive(campaign, [answer(open_task(campaign, "4"), **ODD, outcome="translated")])
    line = explained(open_task(campaign, "4").findings[0])
    assert line.startswith("The two sentences differ in more than") and "not-minimal" not in line


def test_raw_answers_say_what_they_are() -> None:
    with pytest.raises(TypeError):
        RawAnswer("u.1", "h", {}, "a", "csv", "x")  # type: ignore[misc]
