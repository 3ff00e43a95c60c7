"""`curate report`: a folder as one HTML page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from curate.sources.hub_release import FoundRelease

__all__ = ["report"]


def report(
    folder: Annotated[
        Path,
        typer.Argument(
            help="A run, a release (here, or NS/NAME\\[@TAG] on the Hub), a folder of scores, or a "
            "folder that holds several of these."
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            help="The page to write; without it report.html in FOLDER, beside a release, or "
            "NAME.html here for one on the Hub."
        ),
    ] = None,
    title: Annotated[
        str, typer.Option(help="Title of the page; without it the folder's name.")
    ] = "",
    pairs: Annotated[int, typer.Option(min=1, help="Pairs shown a language and method.")] = 30,
) -> None:
    """Show a folder as one HTML page: pairs, counts, drops, checks, scores.

    The page needs no network and no script. Scores of several models or
    languages under one folder are compared: tables with intervals, heat maps,
    violins. A release is not touched: its page lies beside it.

    Examples:

    [bold]curate report out/demo[/bold]

    [bold]curate report out/de-lsg --out de.html --pairs 200[/bold]

    [bold]curate report out/scores --title "Five models"[/bold]
    """
    from curate.report import write_report
    from curate.sources.hub_release import find_release

    found = find_release(folder)
    page = out or _page_of(found)
    if any(found.folder.glob("**/similarity.json")):
        from curate.report.occupations import write_occupations_page

        typer.echo(f"written to {write_occupations_page(found.folder, page, title=title)}")
        return
    if found.published and not title:
        title = f"{found.repository} {found.version}"
    typer.echo(f"written to {write_report(found.folder, page, title=title, pairs=pairs)}")


def _page_of(found: FoundRelease) -> Path:
    """Where the page goes by default: never into a release, nor into the Hub's cache."""
    if found.published:
        return Path(f"{found.repository.rpartition('/')[2]}.html")
    folder = found.folder
    is_release = (folder / "README.md").is_file()
    name = folder.resolve().name
    return folder.resolve().with_name(f"{name}.html") if is_release else folder / "report.html"
