"""The form in a project beside ours, and the settings of a project."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.annotation.begin import begin
from curate.annotation.campaign import Campaign
from curate.annotation.form import STAGES, form_of
from curate.annotation.studio.config import config_problems, controls, project_config
from curate.annotation.studio.projects import check_langs
from curate.errors import UsageError
from tests.parts.studio_people import crows_table, english


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    return begin(tmp_path, crows_table([english(0)]), name='<a> & "b"', langs=["de", "ar"])


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("lang", ["de", "ar"])
def test_the_form_of_a_project_is_ours_filled_in(campaign: Campaign, lang: str, stage: str):
    config = project_config(campaign, lang, stage)
    assert "{{" not in config
    assert ("rtl" if lang == "ar" else "ltr") in config
    assert config_problems(stage, config) == []
    assert set(controls(config)) == set(form_of(stage).fields)
    assert set(controls(config).values()) == {"source_more"}


def changed(config: str, old: str, new: str) -> list[tuple[str, str]]:
    assert old in config
    problems = config_problems("translate", config.replace(old, new))
    assert {one.code for one in problems} <= {"config-changed"}
    return [(one.field, one.evidence) for one in problems]


def test_what_a_hand_changed_is_named(campaign: Campaign):
    config = project_config(campaign, "de", "translate")
    assert changed(config, '"untranslatable" html', '"hopeless" html') == [
        ("outcome", "the choice untranslatable is missing"),
        ("outcome", "a choice of its own: hopeless"),
    ]
    assert changed(config, 'name="note"', 'name="mood"') == [
        ("note", "the field is missing"),
        ("mood", "a field of its own"),
    ]
    assert changed(config, 'choice="multiple"', 'choice="single"') == [
        ("adaptation", "one choice alone is taken")
    ]
    assert changed(config, "</View>", "") != []
    assert controls("") == {}


def test_looks_may_be_changed(campaign: Campaign):
    config = project_config(campaign, "de", "translate")
    assert changed(config, "<View ", '<View style="color: red" ') == []


def test_a_language_that_the_campaign_does_not_have(campaign: Campaign):
    check_langs(campaign, ["ar"])
    with pytest.raises(UsageError, match="the campaign has no fi"):
        check_langs(campaign, ["de", "fi"])
