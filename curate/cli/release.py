"""`curate release`: lay out pairs as a data set, and verify it."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from curate.cli.columns import row_progress
from curate.errors import UsageError

if TYPE_CHECKING:
    from curate.hub import Problem

__all__ = ["app"]

app = typer.Typer(help="Build and verify a release.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Build and verify a release."""


@app.command("build")
def build(
    runs: list[Path] = typer.Argument(..., metavar="RUN_DIR...", help="Folders of finished runs."),
    *,
    out: Path = typer.Option(..., "--out", help="Folder of the release."),
    version: str = typer.Option("0.1.0", "--version", help="Three numbers, like 1.0.0."),
    name: str = typer.Option("gender-minimal-pairs", help="Name of the data set."),
    date: str = typer.Option(
        "", help="Date to write (YYYY-MM-DD) [default: none, or SOURCE_DATE_EPOCH]."
    ),
) -> None:
    """Make a data set of run folders: parquet, card, drops, lexicon, manifest.

    datasets.load_dataset(OUT, "de-lsg", split="test") opens it. The same runs
    give the same bytes.

    Example:

    [bold]curate release build out/de-lsg out/de-msg --out out/release --version 1.0.0[/bold]
    """
    from curate.hub import build_release

    manifest = build_release(runs, out, name=name, version=version, date=_date(date))
    for config, entry in manifest["configs"].items():
        typer.echo(f"{entry['rows']:>9,}  {config}")
    typer.echo(f"{manifest['name']} {manifest['version']} written to {out}")


@app.command("check")
def check(
    folder: Path = typer.Argument(..., metavar="DIR", help="Folder of a release."),
    *,
    pairs: bool = typer.Option(True, help="Run the pair checks too."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Verify a release: files against the manifest, columns, card, folds, pairs.

    Errors make the command exit with 1; warnings are printed.

    Example: [bold]curate release check out/release[/bold]
    """
    from curate.hub import check_release
    from curate.hub.manifest import read_release_manifest

    manifest = read_release_manifest(folder)
    total = sum(manifest["configs"][config]["rows"] for config in manifest["runs"])
    with row_progress("checking pairs", total) as on_progress:
        problems = check_release(folder, pairs=pairs, on_progress=on_progress)
    if as_json:
        _print_json(problems)
    else:
        _print(problems, folder)
    if any(problem.level == "error" for problem in problems):
        raise typer.Exit(1)


def _date(given: str) -> str | None:
    """The date to write; UsageError for one that is none."""
    if given:
        try:
            return datetime.strptime(given, "%Y-%m-%d").replace(tzinfo=UTC).date().isoformat()
        except ValueError:
            raise UsageError(f"{given!r} is no date", hint="--date 2026-01-31") from None
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if not epoch:
        return None
    try:
        return datetime.fromtimestamp(int(epoch), UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        raise UsageError("SOURCE_DATE_EPOCH is no number of seconds", where=epoch) from None


def _print_json(problems: list[Problem]) -> None:
    import json
    from dataclasses import asdict

    content = {"problems": [asdict(problem) for problem in problems]}
    typer.echo(json.dumps(content, ensure_ascii=False, indent=2))


def _print(problems: list[Problem], folder: Path) -> None:
    for problem in problems:
        typer.echo(f"{problem.where}: {problem.level} {problem.code}: {problem.message}")
    errors = sum(problem.level == "error" for problem in problems)
    warnings = len(problems) - errors
    typer.echo(f"{folder}: {errors} errors, {warnings} warnings", err=True)
