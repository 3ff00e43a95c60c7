"""A campaign to translate, and people who answer its tasks through Label Studio's API."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
import pyarrow as pa

from curate import schema
from curate.annotation.begin import begin, issue
from curate.annotation.campaign import Campaign
from curate.annotation.merged import write_merged
from curate.annotation.receive import Received, receive
from curate.annotation.studio.access import Access
from curate.annotation.studio.pull import Fetched, fetch
from curate.annotation.studio.push import Pushed, push

__all__ = [
    "Translator", "crows_table", "english", "german", "new_campaign", "pull", "result", "send",
]  # fmt: skip

TEXTS = frozenset({"sent_more", "sent_less", "note"})

_THINGS = {
    "table": "den Tisch", "lamp": "die Lampe", "bicycle": "das Fahrrad", "piano": "das Klavier",
    "clock": "die Uhr", "carpet": "den Teppich", "mirror": "den Spiegel", "camera": "die Kamera",
    "sofa": "das Sofa", "guitar": "die Gitarre",
}  # fmt: skip
_DAYS = {
    "Monday": "Montag", "Tuesday": "Dienstag", "Wednesday": "Mittwoch", "Thursday": "Donnerstag",
    "Friday": "Freitag", "Saturday": "Samstag", "Sunday": "Sonntag",
}  # fmt: skip
_VERBS = {
    "sold": "verkaufte", "repaired": "reparierte", "painted": "bemalte", "cleaned": "putzte",
    "measured": "vermaß",
}  # fmt: skip
_PLACES = {
    "in the garden": "im Garten", "in the kitchen": "in der Küche", "in the hall": "in der Halle",
    "on the market": "auf dem Markt", "in the cellar": "im Keller", "at the station": "am Bahnhof",
}  # fmt: skip


def _words(number: int) -> list[tuple[str, str]]:
    picked = []
    for table in (_THINGS, _DAYS, _VERBS, _PLACES):
        number, rest = divmod(number, len(table))
        picked.append(list(table.items())[rest])
    return picked


def english(number: int) -> tuple[str, str]:
    """A pair; 2,100 are different."""
    (thing, _), (day, _), (verb, _), (place, _) = _words(number)
    more, less = (f"{who} {verb} the {thing} {place} on {day}." for who in ("He", "She"))
    return more, less


def german(number: int) -> tuple[str, str]:
    """Its translation, in which the checks find nothing."""
    (_, thing), (_, day), (_, verb), (_, place) = _words(number)
    more, less = (f"{who} {verb} {thing} am {day} {place}." for who in ("Er", "Sie"))
    return more, less


def crows_table(pairs: Sequence[tuple[str, str]]) -> pa.Table:
    """Pairs as `schema.CROWS`, with their position as source_id."""
    rows = [
        {
            "pair_id": schema.pair_id("en", "import", more, less), "lang": "en",
            "sent_more": more, "sent_less": less, "stereo_antistereo": "stereo",
            "bias_type": "gender", "masculine": None, "feminine": None, "source_id": str(number),
            "round": 0, "source": "made up", "licence": "CC0-1.0",
        }
        for number, (more, less) in enumerate(pairs)
    ]  # fmt: skip
    return pa.Table.from_pylist(rows, schema=schema.CROWS)


def new_campaign(
    folder: Path, number: int, *, langs: Sequence[str] = ("de",), **settings: Any
) -> Campaign:
    """A campaign of `number` pairs with its first tasks, saved."""
    table = crows_table([english(one) for one in range(number)])
    campaign = begin(folder, table, name="a round", langs=langs)
    for name, value in settings.items():
        setattr(campaign.settings, name, value)
    issue(campaign)
    campaign.save()
    return Campaign.open(folder)


def send(campaign: Campaign, access: Access, **options: Any) -> Pushed:
    """Push, and keep what the campaign has to remember."""
    try:
        return push(campaign, access, langs=campaign.settings.langs, **options)
    finally:
        campaign.save()


def pull(campaign: Campaign, access: Access) -> tuple[Fetched, Received]:
    """Fetch, receive, save and merge."""
    fetched = fetch(campaign, access, langs=campaign.settings.langs)
    received = receive(campaign, fetched.raws)
    campaign.save()
    write_merged(campaign)
    return fetched, received


def result(fields: dict[str, Any]) -> list[dict[str, Any]]:
    """Fields as the page sends them."""
    items = []
    for name, value in fields.items():
        kind, key = ("textarea", "text") if name in TEXTS else ("choices", "choices")
        values = value if isinstance(value, list) else [value]
        items.append(
            {"from_name": name, "to_name": "source_more", "type": kind, "value": {key: values}}
        )
    return items


class Translator:
    """Somebody with a token of his own."""

    def __init__(self, url: str, token: str) -> None:
        headers = {"Authorization": f"Token {token}"}
        self._client = httpx.Client(base_url=url, headers=headers, timeout=60, trust_env=False)

    def call(self, method: str, path: str, **options: Any) -> Any:
        answer = self._client.request(method, path, **options)
        answer.raise_for_status()
        return answer.json() if answer.content else None

    def tasks(self, project: int) -> list[dict[str, Any]]:
        """All tasks of a project with what hangs on them, as Label Studio lists them."""
        params = {"project": project, "fields": "all", "page_size": 10_000}
        return list(self.call("GET", "/api/tasks/", params=params)["tasks"])

    def by_id(self, project: int) -> dict[str, dict[str, Any]]:
        """The tasks by our own task_id; each may stand there once."""
        tasks = self.tasks(project)
        found = {task["data"].get("task_id", ""): task for task in tasks}
        assert len(found) == len(tasks), "a task stands there twice"
        return found

    def answer(self, task: int, *, skip: bool = False, **fields: Any) -> int:
        """Submit; the number of the annotation."""
        body = {"result": result(fields), "was_cancelled": skip, "lead_time": 3.0}
        made = self.call("POST", f"/api/tasks/{task}/annotations/", json=body)
        return int(made["id"])

    def change(self, annotation: int, **fields: Any) -> None:
        """Submit the same annotation once more."""
        self.call("PATCH", f"/api/annotations/{annotation}/", json={"result": result(fields)})
