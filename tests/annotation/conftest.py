"""A small campaign and the people who answer in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from curate import schema
from curate.annotation.answers import RawAnswer
from curate.annotation.begin import begin, issue
from curate.annotation.campaign import Campaign
from curate.annotation.tasks import Task

ENGLISH = [
    ("1", "James was late for work.", "Olivia was late for work."),
    ("2", "The king lost his crown.", "The queen lost her crown."),
    ("3", "My uncle fixed the car.", "My aunt fixed the car."),
    ("4", "The waiter was polite.", "The waitress was polite."),
]
GERMAN = {
    "1": ("Maximilian kam zu spät zur Arbeit.", "Emilia kam zu spät zur Arbeit."),
    "2": ("Der König verlor seine Krone.", "Die Königin verlor ihre Krone."),
    "3": ("Mein Onkel reparierte das Auto.", "Meine Tante reparierte das Auto."),
    "4": ("Der Kellner war höflich.", "Die Kellnerin war höflich."),
}
"""Translations in which no check finds anything."""


def crows(rows: list[tuple[str, str, str]] = ENGLISH, *, lang: str = "en") -> pa.Table:
    """A table of source pairs: (source_id, more, less)."""
    return pa.Table.from_pylist(
        [
            {
                "pair_id": schema.pair_id(lang, "import", more, less), "lang": lang,
                "sent_more": more, "sent_less": less, "stereo_antistereo": "stereo",
                "bias_type": "gender", "masculine": more, "feminine": less,
                "source_id": source_id, "round": 0, "source": "own", "licence": "CC0-1.0",
            }
            for source_id, more, less in rows
        ],
        schema=schema.CROWS,
    )  # fmt: skip


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    """Four English pairs to be translated into German, first tasks given out."""
    own = begin(tmp_path / "round", crows(), name="round", langs=["de"])
    issue(own)
    return own


Answering = Callable[..., RawAnswer]


@pytest.fixture
def answer() -> Answering:
    """Makes a raw answer to a task as a channel would bring it."""
    clock = iter(range(10_000))

    def make(task: Task, person: str = "ana@example.org", **fields: Any) -> RawAnswer:
        options = {
            key: fields.pop(key) for key in ("skipped", "hash", "answered_at") if key in fields
        }
        minutes = next(clock)
        options.setdefault(
            "answered_at", f"2026-01-01T{minutes // 60:02d}:{minutes % 60:02d}:00+00:00"
        )
        options.setdefault("hash", task.hash)
        values = {name: [one] if isinstance(one, str) else one for name, one in fields.items()}
        return RawAnswer(
            task_id=task.task_id, fields=values, person=person, channel="test",
            ref=f"annotation {minutes}", **options,
        )  # fmt: skip

    return make


def open_task(campaign: Campaign, source_id: str, lang: str = "de") -> Task:
    """The task that a pair waits in."""
    uid = schema.stable_id("u", source_id, lang)
    return next(task for task in campaign.open_tasks(lang) if task.uid == uid)


def last_task(campaign: Campaign, source_id: str, lang: str = "de") -> Task:
    """The last task of a pair, the closing one among them."""
    return campaign.last_tasks(lang)[schema.stable_id("u", source_id, lang)]


def translated(source_id: str) -> dict[str, str]:
    """The fields of a clean translation of a pair."""
    more, less = GERMAN[source_id]
    return {"sent_more": more, "sent_less": less, "outcome": "translated"}
