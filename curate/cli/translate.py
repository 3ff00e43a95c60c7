"""`curate translate`: pairs to translators and back, through Label Studio or files."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from curate.cli import translate_files, translate_reliability, translate_serve
from curate.cli.columns import step_progress
from curate.cli.translate_push import (
    CampaignArgument,
    JsonOption,
    ServerOption,
    push,
)
from curate.cli.translate_report import print_received, print_status, status_record
from curate.cli.translate_send import access_of, project_records, send_tasks, unsent

__all__ = ["app"]

app = typer.Typer(
    help="Have pairs translated, corrected and validated: Label Studio, XLIFF, CSV, XLSX.",
    no_args_is_help=True,
)
app.command("push")(push)


@app.command()
def pull(
    folder: CampaignArgument,
    *,
    server: ServerOption = "",
    keep: Annotated[
        bool, typer.Option("--keep", help="Give out no new tasks; the next push does.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Fetch answers, check them, merge them, and send back what has findings.

    Every field is read strictly: an answer counts whole or not at all, and
    what is wrong is listed with task and field (findings.tsv has all of it).
    CAMPAIGN/<lang>/crows.parquet holds the settled pairs, draft.parquet every
    usable text so far, drops.parquet what cannot be translated, and why.
    Exit 1 where there are findings, 3 where the server fails.

    Examples:

    [bold]curate translate pull out/round[/bold]

    [bold]curate translate pull out/round --keep --json[/bold]
    """
    from curate.annotation.campaign import Campaign, locked
    from curate.annotation.findings import write_findings
    from curate.annotation.merged import write_merged
    from curate.annotation.receive import receive
    from curate.annotation.studio.pull import fetch
    from curate.errors import RemoteError

    with locked(folder):
        campaign = Campaign.open(folder)
        access = access_of(campaign, server)
        with step_progress() as on_progress:
            fetched = fetch(
                campaign, access, langs=campaign.settings.langs, on_progress=on_progress
            )
            received = receive(campaign, fetched.raws, on_progress=on_progress)
        received.found[:0] = fetched.found
        campaign.save()
        write_merged(campaign)
        write_findings(campaign, received.found)
        sent = []
        if not keep and unsent(campaign):
            try:
                pushed = send_tasks(campaign, access)
            except RemoteError:
                print_received(received, campaign, as_json=as_json)
                raise
            sent = project_records(pushed)
            if pushed.found:
                received.found += pushed.found
                write_findings(campaign, received.found)
        print_received(received, campaign, as_json=as_json, sent=sent)
    if received.found:
        raise typer.Exit(1)


@app.command()
def status(
    folder: CampaignArgument,
    *,
    who: Annotated[
        bool, typer.Option("--who", help="Show addresses instead of pseudonyms.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """How far a campaign is: pairs by state, answers by person, open findings.

    Tells what the last pull knew; asks no server.

    Example: [bold]curate translate status out/round[/bold]
    """
    from curate.annotation.campaign import Campaign

    record = status_record(Campaign.open(folder), who=who)
    if as_json:
        typer.echo(json.dumps(record, ensure_ascii=False))
    else:
        print_status(record)


app.command("serve")(translate_serve.serve)
app.command("export")(translate_files.export)
app.command("import")(translate_files.import_)
app.command("reliability")(translate_reliability.reliability)
