"""`curate report`: a folder as one HTML page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["report"]


def report(
    folder: Annotated[
        Path,
        typer.Argument(
            help="A run, a release, a folder of scores, or a folder that holds several of these."
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            help="The page to write; without it report.html in FOLDER, or beside a release."
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

    is_release = (folder / "README.md").is_file()
    default = folder.resolve().with_name(f"{folder.resolve().name}.html")
    path = write_report(
        folder, out or (default if is_release else folder / "report.html"), title=title, pairs=pairs
    )
    typer.echo(f"written to {path}")
