"""A round in a real browser (Chromium): translated, corrected and validated on the page itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.annotation.begin import add_material
from curate.annotation.campaign import Campaign
from curate.annotation.shown import explained
from tests.parts.studio_page import BROWSER, NO_BROWSER, open_studio
from tests.parts.studio_people import Translator, german, new_campaign, pull, send
from tests.parts.studio_server import Person, RunningServer

pytest.importorskip("playwright")
pytestmark = [pytest.mark.parts, pytest.mark.skipif(BROWSER is None, reason=NO_BROWSER)]


def number_of(server: RunningServer, campaign: Campaign, stage: str, pair: int) -> tuple[int, int]:
    """The project, and the task in it, that ask about a pair."""
    project = campaign.settings.projects[f"de/{stage}"]
    sources = campaign.sources("de")
    (task_id,) = (
        one.task_id
        for one in campaign.open_tasks("de", stage)
        if sources[one.uid].number == pair + 1
    )
    return project, Translator(server.url, server.token).by_id(project)[task_id]["id"]


def translated(server: RunningServer, campaign: Campaign, anna: Person) -> None:
    with open_studio(server.url, anna.mail, anna.password) as page:
        page.open(*number_of(server, campaign, "translate", 0))
        assert "German" in page.shown()
        page.write("sent_more", german(0)[0] + "\n")
        page.write("sent_less", german(0)[1])
        page.choose("Translated")
        page.choose("A name")
        page.note("Ein <b>Hinweis</b>")
        page.submit()

        page.open(*number_of(server, campaign, "translate", 1))  # as the machine says
        assert "a machine" in page.shown()
        page.choose("Translated")
        page.submit()

        page.open(*number_of(server, campaign, "translate", 2))  # both sides equal
        page.write("sent_more", german(2)[0])
        page.write("sent_less", german(2)[0])
        page.choose("Translated")
        page.choose("A food")
        page.submit()

        page.open(*number_of(server, campaign, "translate", 3))
        page.choose("Cannot be translated")
        page.choose("Culture")
        page.submit()


def test_a_round_on_the_page(server: RunningServer, tmp_path: Path):
    anna, ben = server.add_user("anna@example.org"), server.add_user("ben@example.org")
    campaign = new_campaign(tmp_path / "round", 4)
    add_material(campaign, names={}, suggestions={"de": ({"1": german(1)}, "a machine")})
    send(campaign, server.access)
    translated(server, campaign, anna)
    fetched, received = pull(campaign, server.access)
    assert fetched.found == []
    assert received.answers == {"valid": 4}
    assert received.issued == {"validate": 3, "correct": 1}
    said = {one.problem.code for one in received.found}
    assert said == {"identical-sides"}
    notes = {one.note for one in campaign.answers.values()}
    assert notes == {"", "Ein <b>Hinweis</b>"}

    send(campaign, server.access)
    with open_studio(server.url, anna.mail, anna.password) as page:
        page.open(*number_of(server, campaign, "correct", 2))
        (task,) = campaign.open_tasks("de", "correct")
        assert all(explained(one) in page.shown() for one in task.findings)
        assert page.texts() == [german(2)[0], german(2)[0]]
        page.write("sent_less", german(2)[1])
        page.choose("I corrected it")
        assert page.is_chosen("A food")
        page.submit()
    _, received = pull(campaign, server.access)
    assert received.answers == {"valid": 1}
    corrected = list(campaign.answers.values())[-1]
    assert (corrected.texts, corrected.adaptation) == (german(2), ("food",))

    send(campaign, server.access)
    with open_studio(server.url, ben.mail, ben.password) as page:
        for pair in (0, 2, 3):
            page.open(*number_of(server, campaign, "validate", pair))
            page.choose("Accept as it is")
            page.submit()
        page.open(*number_of(server, campaign, "validate", 1))
        page.choose("Revise")
        assert page.texts() == list(german(1))
        for side, text in zip(("sent_more", "sent_less"), german(1), strict=True):
            page.write(side, text.replace("verkaufte", "verkaufte rasch"))
        page.submit()
    _, received = pull(campaign, server.access)
    assert received.answers == {"valid": 4}
    assert received.closed == {"accepted": 2, "revised": 1, "untranslatable": 1}
    last = campaign.last_tasks("de")
    texts = [last[uid].texts for uid in campaign.sources("de")]
    assert texts[:3:2] == [german(0), german(2)]
    assert texts[1][0] == german(1)[0].replace("verkaufte", "verkaufte rasch")
