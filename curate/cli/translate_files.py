"""`curate translate export|import`: tasks and answers in files, for people without a server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from curate.cli.translate_push import CampaignArgument, JsonOption

__all__ = ["export", "import_"]


def export(
    campaign: CampaignArgument,
    *,
    lang: Annotated[str, typer.Option(help="Language of the tasks.")],
    out: Annotated[Path, typer.Option(help="FILE.xlf, FILE.xliff, FILE.csv or FILE.xlsx.")],
    stage: Annotated[
        str, typer.Option(help="translate, correct or validate alone; else all.")
    ] = "",
    replace: Annotated[
        bool, typer.Option("--replace", help="Write over a file that is there already.")
    ] = False,
) -> None:
    """Write the open tasks of a language to a file that a person fills in.

    XLIFF 2 opens in translation programs, XLSX in any spreadsheet; CSV is for
    those who cannot open these. What is in the file is as in Label Studio: the
    same tasks, names, findings and suggestions. `curate translate import`
    reads it back; a row that nobody touched is no answer.

    Examples:

    [bold]curate translate export out/round --lang de --out de.xlsx[/bold]

    [bold]curate translate export out/round --lang ar --stage validate --out ar.xlf[/bold]
    """
    from curate.annotation.begin import standard_tag
    from curate.annotation.campaign import Campaign
    from curate.annotation.files import write_tasks
    from curate.errors import UsageError

    if out.is_dir():
        raise UsageError("--out names a folder", where=out, hint="--out FILE.xlsx")
    if out.exists() and not replace:
        raise UsageError(
            "this file is there already, and somebody may have filled it in",
            where=out,
            hint="import it first, name another, or add --replace",
        )
    number = write_tasks(Campaign.open(campaign), standard_tag(lang), out, stage=stage)
    if number:
        typer.echo(f"{number:,} tasks written to {out}")
    else:
        typer.echo(f"no open tasks{f' to {stage}' if stage else ''} in {lang}: nothing written")


def import_(
    campaign: CampaignArgument,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A file of `export` that somebody filled in.")
    ],
    *,
    person: Annotated[str, typer.Option(help="Who filled it in: their account's address.")],
    as_json: JsonOption = False,
) -> None:
    """Read the answers in a file, check them, merge them, and find what follows.

    Every field is read strictly: a file that is not whole or belongs to
    another campaign changes nothing. Read again, it changes nothing either.
    Exit 1 where there are findings; findings.tsv has all of them.

    Examples:

    [bold]curate translate import out/round de.xlsx --person ada@example.org[/bold]

    [bold]curate translate import out/round ar.xlf --person "Reader 2" --json[/bold]
    """
    from curate.annotation.campaign import Campaign, locked
    from curate.annotation.files import read_answers
    from curate.annotation.findings import write_findings
    from curate.annotation.merged import write_merged
    from curate.annotation.receive import receive
    from curate.cli.columns import step_progress
    from curate.cli.translate_report import print_received

    if not campaign.is_dir():  # else the lock would make it
        Campaign.open(campaign)
    with locked(campaign):
        held = Campaign.open(campaign)
        answers = read_answers(held, file, person=person)
        with step_progress() as on_progress:
            received = receive(held, answers, on_progress=on_progress)
        held.save()
        write_merged(held)
        write_findings(held, received.found)
        print_received(received, held, as_json=as_json)
    if received.found:
        raise typer.Exit(1)
