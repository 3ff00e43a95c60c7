"""`curate release`: lay out a data set, verify it, compare it, publish it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from curate.cli.columns import pair_rows, row_progress
from curate.cli.release_date import release_date
from curate.cli.release_diff import diff
from curate.cli.release_publish import publish

if TYPE_CHECKING:
    from curate.hub import Problem

__all__ = ["app"]

app = typer.Typer(help="Build, verify, compare and publish releases.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Build, verify, compare and publish releases."""


@app.command("build")
def build(
    runs: list[Path] = typer.Argument(
        ...,
        metavar="DIR...",
        help="Finished folders of pairs, translate, crows, occupations or politicians.",
    ),
    *,
    out: Path = typer.Option(..., "--out", help="Folder of the release."),
    version: str = typer.Option("0.1.0", "--version", help="Three numbers, like 1.0.0."),
    name: str = typer.Option("gender-minimal-pairs", help="Name of the data set."),
    date: str = typer.Option(
        "", help="Date to write (YYYY-MM-DD) (default: none, or SOURCE_DATE_EPOCH)."
    ),
    about: Path | None = typer.Option(
        None, "--about", help="TOML with what only people know: authors, contact, licences …"
    ),
    replace: bool = typer.Option(
        False, "--replace", help="Replace a release of another name or version in this folder."
    ),
) -> None:
    """Make a data set of finished folders: one configuration a language and method.

    datasets.load_dataset(OUT, "de-lsg", split="test") opens it. Card, datasheet,
    citation, Croissant metadata and scoring scripts are written from the tables.
    The same folders give the same bytes.

    Examples:

    [bold]curate release build out/de-lsg out/de-msg --out out/release --version 1.0.0[/bold]

    [bold]curate release build out/de-lsg out/people --about about.toml --out out/release[/bold]

    Keys of --about, all optional: title, contact, homepage, doi, funding, purpose,
    annotators, compensation, consent, ethics, maintenance, notes; tables
    authors (name, given_names, family_names, orcid, affiliation) and licences
    (source, licence, evidence).
    """
    from curate.hub import build_release
    from curate.hub.card import read_about

    hints: set[str] = set()

    def warn(message: str, hint: str) -> None:
        typer.echo(f"warning: {message}", err=True)
        hints.add(hint)

    told = read_about(about) if about else None
    manifest = build_release(
        runs, out, name=name, version=version, date=release_date(date), about=told, replace=replace,
        warn=warn,
    )  # fmt: skip
    for hint in sorted(hints):
        typer.echo(f"  hint: a publication on the Hub needs it: {hint}", err=True)
    for config, entry in manifest["configs"].items():
        typer.echo(f"{entry['rows']:>9,}  {config}")
    typer.echo(f"{manifest['name']} {manifest['version']} written to {out}")


@app.command("check")
def check(
    release: str = typer.Argument(
        ..., metavar="DIR", help="A release: folder, or NS/NAME\\[@TAG]."
    ),
    *,
    pairs: bool = typer.Option(True, help="Run the pair checks too."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Verify a release: files against the manifest, columns, card, folds, pairs.

    Errors make the command exit with 1; warnings are printed.

    Example: [bold]curate release check out/release[/bold]
    """
    from curate.hub import check_release
    from curate.sources.hub_release import release_of

    folder = release_of(release, whole=True)
    with row_progress("checking pairs", pair_rows(folder)) as on_progress:
        problems = check_release(folder, pairs=pairs, on_progress=on_progress)
    if as_json:
        _print_json(problems)
    else:
        _print(problems, folder)
    if any(problem.level == "error" for problem in problems):
        raise typer.Exit(1)


def _print_json(problems: list[Problem]) -> None:
    import json
    from dataclasses import asdict

    content = {"problems": [asdict(problem) for problem in problems]}
    typer.echo(json.dumps(content, ensure_ascii=False, indent=2))


def _print(problems: list[Problem], folder: Path) -> None:
    for problem in problems:
        typer.echo(f"{problem.where}: {problem.level} {problem.code}: {problem.message}")
    errors = sum(problem.level == "error" for problem in problems)
    warnings = sum(problem.level == "warning" for problem in problems)
    typer.echo(f"{folder}: {errors} errors, {warnings} warnings", err=True)


app.command("publish")(publish)
app.command("diff")(diff)
