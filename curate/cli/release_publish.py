"""`curate release publish`: to the Hub or to a folder, verified before it is tagged."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from curate.cli.columns import pair_rows, row_progress
from curate.cli.release_date import release_date
from curate.cli.stopping import disk_errors, stopped_cleanly

if TYPE_CHECKING:
    from curate.hub.publish import Published
    from curate.hub.publish.target import Target

__all__ = ["publish"]

_SHOWN = 12


def publish(
    folder: Path = typer.Argument(..., metavar="DIR", help="Folder of a release."),
    *,
    repo: str = typer.Option("", "--repo", help="A dataset repository on the Hub, NS/NAME."),
    to: Path | None = typer.Option(None, "--to", help="A folder that keeps the versions."),
    version: str = typer.Option(
        "", "--version", help="Three numbers, like 1.1.0 (default: what the changes ask for)."
    ),
    note: str = typer.Option("", "--note", help="A line for the changelog."),
    branch: str = typer.Option("main", "--branch", help="Branch of the repository."),
    private: bool | None = typer.Option(
        None, "--private/--public", help="Who may see the repository (default: as it is)."
    ),
    gated: bool | None = typer.Option(
        None, "--gated/--open", help="Whether readers must agree first (default: as it is)."
    ),
    date: str = typer.Option(
        "", help="Date of the version (YYYY-MM-DD) (default: SOURCE_DATE_EPOCH, or today)."
    ),
    force: bool = typer.Option(
        False, "--force", help="Allow a version that is too low for what changed."
    ),
    replace: bool = typer.Option(
        False, "--replace", help="Delete files there that are not of a release of this name."
    ),
    dry_run: bool = typer.Option(
        False, "--dry-run", help="Say what would be done, and do nothing."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Publish a release: one commit, read back and compared, then tagged vX.Y.Z.

    A version is proposed by what changed since the last one: rows changed or
    taken out 2.0.0, rows or languages added 1.1.0, the card alone 1.0.1. A tag
    is never moved. After any failure run the same command again: it goes on.

    Log in with `hf auth login` or set HF_TOKEN; --to needs neither.

    Examples:

    [bold]curate release publish out/release --repo NS/NAME --dry-run[/bold]

    [bold]curate release publish out/release --repo NS/NAME --version 1.0.0 --private[/bold]

    [bold]curate release publish out/release --to out/published[/bold]
    """
    from contextlib import nullcontext

    from curate.hub.publish import FolderTarget
    from curate.hub.publish import publish as publish_release

    target = _target(folder, repo, to, branch, private=private, gated=gated)
    kept = target.held() if isinstance(target, FolderTarget) and not dry_run else nullcontext()
    progress = row_progress("checking pairs", pair_rows(folder))
    with stopped_cleanly(), disk_errors(folder), kept, progress as on_progress:
        done = publish_release(
            folder, target, version=version or None, date=release_date(date, today=True) or "",
            note=note, force=force, replace=replace, dry_run=dry_run, report=_tell,
            on_progress=on_progress,
        )  # fmt: skip
    if as_json:
        _print_json(done, dry_run=dry_run)
    else:
        _print(done, dry_run=dry_run)


def _target(
    folder: Path, repo: str, to: Path | None, branch: str, *,
    private: bool | None, gated: bool | None,
) -> Target:  # fmt: skip
    from curate.errors import UsageError
    from curate.hub.publish import FolderTarget, HubTarget, Visibility

    if bool(repo) == (to is not None):
        raise UsageError("publish to what?", hint="give --repo NS/NAME, or --to DIR")
    if to is None:
        return HubTarget(
            repo, branch=branch, visibility=Visibility(private, gated), on_wait=_tell_wait
        )
    for option, given in (
        ("--branch", branch != "main"),
        ("--private", private),
        ("--gated", gated),
    ):
        if given:
            raise UsageError(f"{option} is for the Hub", hint="leave it out, or give --repo")
    if to.resolve() == folder.resolve() or folder.resolve() in to.resolve().parents:
        raise UsageError("a release cannot be published into itself", where=to, hint="another --to")
    return FolderTarget(to)


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201


def _tell_wait(seconds: float, reason: str) -> None:
    _tell(f"waiting {seconds:.0f} s: {reason}")


def _print(done: Published, *, dry_run: bool) -> None:
    from curate.hub.diff import without_controls

    if done.before:
        typer.echo(f"v{done.version} is published already at {done.target}: nothing to do")
        return
    level = "the first version" if done.level == "first" else f"a {done.level} version"
    typer.echo(f"v{done.version}: {level}")
    for reason in done.reasons:
        typer.echo(f"  {reason}")
    if dry_run:
        for verb, names in (("upload", done.uploaded), ("delete", done.removed)):
            for name in names[:_SHOWN]:
                typer.echo(f"  would {verb} {without_controls(name)}")
            if len(names) > _SHOWN:
                typer.echo(f"  would {verb} {len(names) - _SHOWN} more")
        typer.echo(f"nothing was published to {done.target} (--dry-run)")
        return
    typer.echo(
        f"published to {done.target}, commit {(done.revision or '')[:12]}, tag v{done.version}"
    )


def _print_json(done: Published, *, dry_run: bool) -> None:
    import json

    content = {name: value for name, value in asdict(done).items() if name != "diff"}
    typer.echo(json.dumps({**content, "dry_run": dry_run}, ensure_ascii=False, indent=2))
