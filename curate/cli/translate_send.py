"""Send a campaign's tasks to its server, and say what was sent."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import typer

from curate.cli.columns import step_progress
from curate.cli.studio_server import named_access
from curate.errors import UsageError

if TYPE_CHECKING:
    from curate.annotation.campaign import Campaign
    from curate.annotation.studio.access import Access
    from curate.annotation.studio.push import Pushed

__all__ = ["access_of", "print_projects", "project_records", "send_tasks", "unsent"]


def access_of(campaign: Campaign, server: str, *, elsewhere: bool = False) -> Access:
    """The way into the server that was named now, or before, or in the environment.

    A campaign that was given out stays where it is: another server is refused, so that no answer
    is left behind unread, unless it is moved `elsewhere` on purpose.
    """
    settings = campaign.settings
    access, name = named_access(server or settings.server)
    if settings.server and name != settings.server and settings.projects:
        if not elsewhere:
            raise UsageError(
                f"this campaign was given out at {settings.server}", where=name,
                hint="pull there first; then push --elsewhere gives the rest out at the new one",
            )  # fmt: skip
        settings.projects, settings.given_out = {}, {}
    settings.server = name
    return access


def send_tasks(campaign: Campaign, access: Access, *, dry_run: bool = False) -> Pushed:
    """Push every open task; the numbers of the projects are kept even if it is cut off."""
    from curate.annotation.studio.push import push as push_tasks

    try:
        with step_progress() as on_progress:
            return push_tasks(
                campaign, access, langs=campaign.settings.langs, dry_run=dry_run,
                on_progress=on_progress,
            )  # fmt: skip
    finally:
        if not dry_run:
            campaign.save()


def unsent(campaign: Campaign) -> bool:
    """Whether tasks were given out of which the server was not told yet."""
    counts = Counter(f"{task.lang}/{task.stage}" for task in campaign.tasks.values())
    sent = campaign.settings.given_out
    return any(
        counts[f"{one.lang}/{one.stage}"] > sent.get(f"{one.lang}/{one.stage}", 0)
        for lang in campaign.settings.langs
        for one in campaign.open_tasks(lang)
    )


def project_records(pushed: Pushed) -> list[dict[str, Any]]:
    """What was sent to each project, as JSON."""
    return [
        {"lang": lang, "stage": stage, "url": pushed.projects.get(f"{lang}/{stage}", "")}
        | asdict(counts)
        for (lang, stage), counts in pushed.counts.items()
    ]


def print_projects(records: list[dict[str, Any]], *, dry_run: bool = False) -> None:
    """What was sent to which project, with the address where people work."""
    for one in records:
        words = _SENT | ({"new": "would be sent"} if dry_run else {})
        counts = ", ".join(f"{one[name]:,} {words[name]}" for name in words if one[name])
        typer.echo(f"{one['lang']} {one['stage']}: {counts or 'nothing to do'}  {one['url']}")


_SENT = {
    "new": "sent",
    "there": "there already",
    "updated": "brought up to date",
    "surplus": "doubles",
    "answered_under_old": "answered before a change (pull first)",
}
