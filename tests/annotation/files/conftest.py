"""A campaign in two languages with a task of every stage, and another way to fill in its files."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.annotation.begin import begin, issue
from curate.annotation.campaign import Campaign
from curate.annotation.problems import Problem
from curate.annotation.tasks import next_task
from tests.annotation.conftest import GERMAN, crows, open_task


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    """Pairs 1 and 4 wait to be translated, 2 to be corrected, 3 to be validated; Arabic begins."""
    own = begin(tmp_path / "round", crows(), name="round", langs=["de", "ar"])
    issue(own)
    advance(own, "2", "correct", [Problem("not-minimal", "", "more <b> & less")])
    advance(own, "3", "validate", [])
    own.save()
    return own


def advance(campaign: Campaign, source_id: str, stage: str, findings: list[Problem]) -> None:
    """Give out the next task of a pair."""
    task = open_task(campaign, source_id)
    source = campaign.sources("de")[task.uid]
    new = next_task(
        source, task, stage, texts=GERMAN[source_id], author="p1", findings=findings, note="why"
    )
    campaign.add_tasks([new])
