"""`curate release diff`: what differs between two releases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from curate.cli.columns import row_progress

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from curate.hub.diff import ConfigDiff, Diff, Piece, ShownRow

__all__ = ["diff"]


def diff(
    old: Annotated[
        str, typer.Argument(metavar="OLD", help="A release: folder, or NS/NAME\\[@TAG].")
    ],
    new: Annotated[
        str, typer.Argument(metavar="NEW", help="A release: folder, or NS/NAME\\[@TAG].")
    ],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, not tables.")] = False,
    html: Annotated[Path | None, typer.Option(help="Write a page to this file as well.")] = None,
    limit: Annotated[
        int, typer.Option(min=0, help="Rows to show of every language and sort of change.")
    ] = 5,
    lang: Annotated[
        list[str] | None, typer.Option(help="Rows of this language only; may be repeated.")
    ] = None,
    exit_code: Annotated[
        bool, typer.Option("--exit-code", help="Exit with 1 if anything differs.")
    ] = False,
) -> None:
    """Show what differs between two releases, and the version that it asks for.

    Rows are compared exactly, in every column. A pair is changed where the same
    sentence has another counterpart now, or where another column differs.
    Rows changed or removed, and columns removed or of another type, ask for a
    major version; rows, columns or languages added for a minor one; documents
    alone for a patch. Files with the same hash in both manifests are not read.

    Examples:

    [bold]curate release diff out/release-1.0.0 out/release[/bold]

    [bold]curate release diff OLD NEW --lang de --limit 20 --html out/diff.html[/bold]

    [bold]curate release diff NS/NAME@v1.0.0 NS/NAME@v1.1.0 --json --exit-code[/bold]
    """
    from curate.sources.hub_release import release_of

    found = _compare(old, new, limit=limit, resolve=lambda spec: release_of(spec, whole=True))
    # --lang picks the rows to show; what the change asks for is told by all of them.
    shown = found.only(lang) if lang else found
    _show(shown, _asked(found), html=html, as_json=as_json)
    if exit_code and found:
        raise typer.Exit(1)


def _compare(old: str, new: str, *, limit: int, resolve: Callable[[str], Path]) -> Diff:
    from curate.hub.diff import diff_releases
    from curate.hub.manifest import read_release_manifest

    folders = resolve(old), resolve(new)
    configs = read_release_manifest(folders[1])["configs"].values()
    with row_progress("comparing rows", sum(entry["rows"] for entry in configs)) as on_progress:
        return diff_releases(*folders, limit=limit, on_progress=on_progress)


def _asked(found: Diff) -> dict[str, Any]:
    """Version, level and reasons of the change."""
    from curate.hub.versions import proposed

    version, level, reasons = proposed(found.old.version, found)
    return {"version": version, "level": level, "reasons": reasons}


def _show(found: Diff, asked: Mapping[str, Any], *, html: Path | None, as_json: bool) -> None:
    from curate.errors import UsageError

    if html is not None:
        from curate.report.release_diff import write_release_diff

        if html.is_dir():
            raise UsageError("--html names a folder", where=html, hint="--html FILE.html")
        write_release_diff(found, html, **asked)
    if as_json:
        _print_json(found, asked)
        return
    _print(found, asked)
    if html is not None:
        typer.echo(f"written to {html}")


def _print_json(found: Diff, asked: Mapping[str, Any]) -> None:
    import json
    from dataclasses import asdict

    content = {"differs": bool(found), "proposed": asked, **asdict(found)}
    typer.echo(json.dumps(content, ensure_ascii=False, indent=2, default=str))


def _print(found: Diff, asked: Mapping[str, Any]) -> None:
    from rich.console import Console

    console = Console(highlight=False, markup=False, soft_wrap=True)
    _say(console, f"{found.old.name} {found.old.version} → {found.new.name} {found.new.version}")
    if found.differing:
        _print_counts(found, console)
    for line in _beside(found):
        _say(console, f"  {line}")
    for config in found.differing.values():
        for row in config.shown:
            _print_row(config, row, console)
    if asked["level"] == "none":
        console.print("nothing differs")
        return
    console.print()
    _say(console, f"{asked['level']} change; after {found.old.version} comes {asked['version']}")
    for reason in asked["reasons"]:
        _say(console, f"  {reason}")


def _say(console: Console, line: str) -> None:
    """A line without the control characters that a manifest or a table may hold."""
    from curate.hub.diff import without_controls

    console.print(without_controls(line))


def _print_counts(found: Diff, console: Console) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from curate.hub.diff import Counts

    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for title in ("configuration", "language"):
        table.add_column(title, no_wrap=True)
    for title in ("added", "removed", "changed", "rows before", "rows now"):
        table.add_column(title, justify="right", no_wrap=True)
    for name, config in found.differing.items():
        lines = config.languages or {"": Counts()}
        for number, (lang, counts) in enumerate(lines.items()):
            numbers = [counts.added, counts.removed, counts.changed]
            cells = [f"{n:,}" for n in (numbers if number else [*numbers, *config.rows])]
            table.add_row("" if number else name, lang, *cells)
    console.print(table)


def _beside(found: Diff) -> Iterable[str]:
    """Everything that differs beside the rows, a line each."""
    from curate.hub.diff import value_text

    for name, config in found.differing.items():
        yield from (f"{name}: {line}" for line in _column_lines(config))
    for what, langs in (("added", found.languages_added), ("removed", found.languages_removed)):
        if langs:
            yield f"languages {what}: {', '.join(langs)}"
    changes = {
        **{f"lexicon of {lang}": change for lang, change in found.lexicons.items()},
        **found.settings,
        "curate": found.toolkit,
        "schema": found.schema,
    }
    for what, (before, now) in changes.items():
        if before != now:
            yield f"{what}: {value_text(before)} → {value_text(now)}"
    for name, what in found.documents.items():
        yield f"{name} {what}"


def _column_lines(config: ConfigDiff) -> Iterable[str]:
    for name, told in config.columns_removed.items():
        yield f"column {name} ({told}) removed"
    for name, (before, now) in config.columns_retyped.items():
        yield f"column {name} is {now}, before {before}"
    for name, told in config.columns_added.items():
        yield f"column {name} ({told}) added"
    if config.columns:
        counts = ", ".join(f"{name} {count:,}" for name, count in config.columns.items())
        yield f"changed rows differ in {counts}"
    if config.status == "rewritten":
        yield "the same rows in another file"


def _print_row(config: ConfigDiff, row: ShownRow, console: Console) -> None:
    from curate.hub.diff import other_columns, shown_texts

    key = row.key if row.old_key == row.key else f"{row.old_key} → {row.key}"
    console.print()
    _say(console, f"{config.config} {row.what} {key}")
    for text in shown_texts(row):
        if text.old is not None and not text.changed:
            console.print(_line(text.old, "  ", "", console))
            continue
        for pieces, sign, style in ((text.old, "- ", "red"), (text.new, "+ ", "green")):
            if pieces is not None:
                console.print(_line(pieces, sign, style, console))
    for name, before, now in other_columns(row):
        _say(console, f"    {name}: {before} → {now}")


def _line(pieces: Iterable[Piece], sign: str, style: str, console: Console) -> Text:
    """A text with its changed words in colour, or in brackets where there is no colour."""
    from rich.text import Text

    from curate.hub.diff import without_controls

    line = Text(f"  {sign}", style=style)
    for piece in pieces:
        text = without_controls(piece.text)
        if piece.changed and console.color_system is None:
            text = f"[{text}]"
        line.append(text, style=f"bold underline {style}" if piece.changed else "not bold default")
    return line
