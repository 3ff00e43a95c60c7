"""`curate translate push`: begin a campaign, or give out its open tasks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from curate.cli.translate_report import found_record, print_found
from curate.cli.translate_send import access_of, print_projects, project_records, send_tasks
from curate.errors import UsageError

if TYPE_CHECKING:
    from curate.annotation.campaign import Campaign
    from curate.annotation.studio.push import Pushed

__all__ = [
    "CampaignArgument",
    "JsonOption",
    "ServerOption",
    "push",
]

CampaignArgument = Annotated[
    Path, typer.Argument(metavar="CAMPAIGN", help="The campaign's folder.")
]
ServerOption = Annotated[
    str,
    typer.Option(
        help="Folder of `curate translate serve`, or an address (token: LABEL_STUDIO_API_KEY). "
        "Remembered by the campaign."
    ),
]
LangsOption = Annotated[list[str], typer.Option(help="A target language (repeat for more).")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the counts as JSON.")]


def push(
    folder: CampaignArgument,
    *,
    pairs: Annotated[
        Path | None,
        typer.Option(help="Pairs to translate: a folder of `curate crows`, or a file it reads."),
    ] = None,
    lang: LangsOption = [],  # noqa: B006 (typer reads it)
    server: ServerOption = "",
    source_lang: Annotated[
        str, typer.Option(help="Language of pairs from a file that names none.")
    ] = "",
    names: Annotated[
        Path | None,
        typer.Option(help="names.tsv of `curate crows names`, if it is elsewhere."),
    ] = None,
    suggest: Annotated[
        list[str],
        typer.Option(metavar="LANG=FILE", help="Table source_id,sent_more,sent_less of a machine."),
    ] = [],  # noqa: B006
    passes: Annotated[
        int | None,
        typer.Option(min=1, max=2, help="2 (default): another person validates; 1: none."),
    ] = None,
    overlap: Annotated[
        int | None, typer.Option(min=1, help="How many people translate each pair (default 1).")
    ] = None,
    max_rounds: Annotated[
        int | None, typer.Option(min=1, help="How often a text is asked for (default 3).")
    ] = None,
    real_names: Annotated[
        bool, typer.Option("--real-names", help="Keep people's addresses instead of pseudonyms.")
    ] = False,
    prepare: Annotated[
        bool, typer.Option("--prepare", help="Write the campaign only, ask no server.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be sent, change nothing.")
    ] = False,
    elsewhere: Annotated[
        bool,
        typer.Option("--elsewhere", help="Go on at another server; pull from the old one first."),
    ] = False,
    name: Annotated[
        str, typer.Option(help="Name of a new campaign, shown in Label Studio; else its folder's.")
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """Give out the tasks of a campaign; what is there already stays as it is.

    The first push begins the campaign: CAMPAIGN is a new folder, --pairs and
    --lang say what goes where. Later ones need only the folder: they send
    what is new, what came back with findings, and sources that were changed.
    A push that was cut off is simply repeated.

    Examples:

    [bold]curate translate push out/round --pairs out/names --lang de --server out/studio[/bold]

    [bold]curate translate push out/round[/bold]

    [bold]curate translate push out/round --pairs out/names --lang fi --prepare[/bold]
    """
    from curate.annotation.begin import issue
    from curate.annotation.campaign import locked
    from curate.annotation.merged import write_merged

    pushed: Pushed | None = None
    with locked(folder, new=True):
        campaign = _campaign(folder, pairs, source_lang, lang, name=name)
        _set(campaign, passes=passes, overlap=overlap, max_rounds=max_rounds, real_names=real_names)
        _add_material(campaign, names or _beside(pairs), suggest)
        begun = issue(campaign)
        record: dict[str, Any] = {
            "new": dict(begun.new), "changed": dict(begun.changed), "opened": dict(+begun.opened),
            "withdrawn": dict(+begun.withdrawn), "dry_run": dry_run,
        }  # fmt: skip
        if not prepare:
            access = access_of(campaign, server, elsewhere=elsewhere)
        if not dry_run:
            campaign.save()
            if campaign.answers:  # other pairs make another dataset
                write_merged(campaign)
        if not prepare:
            pushed = send_tasks(campaign, access, dry_run=dry_run)
            record["projects"] = project_records(pushed)
            record["found"] = [found_record(one) for one in pushed.found]
    _print_pushed(record, folder, as_json=as_json)
    if pushed is not None and pushed.found:
        print_found(pushed.found, as_json=as_json)
        raise typer.Exit(1)


def _campaign(
    folder: Path, pairs: Path | None, source_lang: str, langs: list[str], *, name: str
) -> Campaign:
    """The campaign of a folder, begun or with other pairs where that was asked for."""
    from curate.annotation.begin import add_languages, begin, replace_source
    from curate.annotation.campaign import Campaign
    from curate.sources.crows import read_crows

    exists = (folder / "campaign.json").is_file()
    table = None if pairs is None else read_crows(pairs, lang=source_lang).table
    if exists:
        campaign = Campaign.open(folder)
        if table is not None:
            replace_source(campaign, table)
        add_languages(campaign, langs)
        return campaign
    if table is None or not langs:
        raise UsageError(
            "no campaign here yet: which pairs, into which languages?", where=folder,
            hint="--pairs out/names --lang de",
        )  # fmt: skip
    return begin(folder, table, name=name or folder.resolve().name, langs=langs)


def _set(campaign: Campaign, **given: Any) -> None:

    if given["real_names"] and not campaign.settings.real_names and campaign.answers:
        raise UsageError(
            "people already stand under pseudonyms here", hint="--real-names is for a new campaign"
        )
    for name, value in given.items():
        if value:
            setattr(campaign.settings, name, value)


def _beside(pairs: Path | None) -> Path | None:
    """The names.tsv in the folder of the pairs."""
    found = None if pairs is None else (pairs if pairs.is_dir() else pairs.parent) / "names.tsv"
    return found if found is not None and found.is_file() else None


def _add_material(campaign: Campaign, names: Path | None, suggest: list[str]) -> None:
    from curate.annotation.begin import (
        add_material,
        read_names,
        read_suggestions,
        standard_tag,
    )

    suggestions = {}
    for item in suggest:
        tag, equals, path = item.partition("=")
        lang = standard_tag(tag)
        if not equals or lang not in campaign.settings.langs:
            raise UsageError(f"{item!r} is not LANG=FILE of the campaign", hint="de=machine.csv")
        suggestions[lang] = (read_suggestions(Path(path)), Path(path).stem)
    add_material(campaign, names=read_names(names) if names else {}, suggestions=suggestions)


def _print_pushed(record: dict[str, Any], folder: Path, *, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(record, ensure_ascii=False))
        return
    for what, meaning in _BEGUN.items():
        for lang, number in record[what].items():
            typer.echo(f"{lang}: {number:,} {meaning}")
    print_projects(record.get("projects", []), dry_run=record["dry_run"])
    typer.echo(f"{'it would be in' if record['dry_run'] else 'campaign in'} {folder}")


_BEGUN = {
    "new": "pairs are new",
    "changed": "pairs whose source was changed",
    "opened": "pairs that were given up are asked once more",
    "withdrawn": "pairs are no longer in the source: their tasks are left alone",
}
