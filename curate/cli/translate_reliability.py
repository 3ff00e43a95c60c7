"""`curate translate reliability`: how far translators and validators agree, offline."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa
    from rich.console import Console

    from curate.annotation.reliability import Reliability

__all__ = ["reliability"]


def reliability(
    campaign: Annotated[Path, typer.Argument(help="Folder of the campaign.")],
    *,
    lang: Annotated[list[str], typer.Option(help="Only this language (repeat for more).")] = [],  # noqa: B006 (typer reads it)
    samples: Annotated[int, typer.Option(min=99, help="Draws of the bootstrap.")] = 1_000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the draws.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
    out: Annotated[
        Path | None, typer.Option(help="A CSV file for the figures as well, a measure a row.")
    ] = None,
) -> None:
    """Show how far people agree: on the same task, and validators with translators.

    For every field, language and two people: percentage agreement with
    Wilson's interval, and Krippendorff's alpha with a bootstrap interval over
    tasks (1: all agree; 0: as by chance; none: only one answer was ever given,
    or nobody answered twice). Then how many translations were accepted, revised
    and rejected, and what became of pairs that were not minimal (Fort et al.
    2024, Table 2). No server is asked.

    Examples:

    [bold]curate translate reliability campaigns/spring[/bold]

    [bold]curate translate reliability campaigns/spring --lang de --out reliability.csv[/bold]
    """
    from curate.annotation.reliability import reliability as measure
    from curate.errors import UsageError

    if out is not None and out.is_dir():
        raise UsageError("--out names a folder", where=out, hint="--out FILE.csv")
    answers, tasks = (_table(campaign, name) for name in ("answers.parquet", "tasks.parquet"))
    found = measure(answers, tasks, langs=lang, samples=samples, seed=seed)
    if out is not None:
        _write(found, out)
    if as_json:
        import json

        typer.echo(json.dumps(found.as_json() | {"seed": seed}, ensure_ascii=False, indent=2))
        return
    _print(found)
    if out is not None:
        typer.echo(f"written to {out}")


def _table(campaign: Path, name: str) -> pa.Table:
    from curate.errors import InputError
    from curate.sources.tables import read_parquet

    path = campaign / name
    if not path.is_file():
        hint = "name the folder of a campaign; curate translate pull brings its answers"
        raise InputError(f"no {name} here", where=campaign, hint=hint)
    return read_parquet(path)


def _write(found: Reliability, out: Path) -> None:
    import csv

    from curate.annotation.reliability.rows import MEASURE_COLUMNS, measure_rows
    from curate.engine import replacing
    from curate.sources.delimited import guarded

    out.parent.mkdir(parents=True, exist_ok=True)
    with replacing(out) as temporary, temporary.open("w", encoding="utf-8", newline="") as sink:
        writer = csv.writer(sink, lineterminator="\n")
        writer.writerow(MEASURE_COLUMNS)
        for row in measure_rows(found):
            numbers = ("value", "ci_low", "ci_high")  # a minus sign makes no formula of a number
            writer.writerow(
                [cell if name in numbers else guarded(cell) for name, cell in row.items()]
            )


def _print(found: Reliability) -> None:
    from rich.console import Console
    from rich.markup import escape

    from curate.annotation.reliability import rows

    console = Console()
    for stage in dict.fromkeys(one.stage for one in found.agreement):
        own = [one for one in found.agreement if one.stage == stage]
        whole = [one for one in own if not one.people]
        # of every two people the texts are shown as one: the sides apart are in the files
        pairs = [one for one in own if one.people and not one.field.startswith("sent_")]
        parts = {"several people on the same task": whole, "every two people": pairs}
        for title, part in parts.items():
            measured = rows.agreement_rows(part)
            _show(console, f"{stage}: {title}", rows.AGREEMENT_HEADER, measured, 3)
    if not found.agreement:
        console.print("no task was answered by two people: nothing to compare", highlight=False)
    if found.verdicts:
        counted = rows.verdict_rows(found.verdicts)
        _show(console, "validators on translations", rows.VERDICT_HEADER, counted, 2)
    else:
        console.print("no translation has a verdict yet", highlight=False)
    if found.corrections:
        counted = rows.correction_rows(found.corrections)
        _show(console, "pairs that were not minimal", rows.CORRECTION_HEADER, counted, 1)
    if found.agreement or found.verdicts:
        console.print("  in brackets: 95 % intervals", highlight=False)
    for note in rows.notes(found):
        console.print(f"  {escape(note)}", highlight=False)


def _show(
    console: Console, title: str, header: Sequence[str], rows: list[tuple[str, ...]], texts: int
) -> None:
    """A table whose first `texts` columns are words, the others numbers that are never cut."""
    from rich.box import SIMPLE_HEAD
    from rich.markup import escape
    from rich.table import Table

    if not rows:
        return
    table = Table(
        box=SIMPLE_HEAD, title=title, title_justify="left", pad_edge=False, collapse_padding=True
    )
    for at, name in enumerate(header):
        if at < texts:
            table.add_column(name, overflow="fold", no_wrap=at == 0)
            continue
        narrow = max(len(row[at]) for row in rows) < len(name)
        table.add_column(name.replace(" ", "\n") if narrow else name, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*(escape(cell) for cell in row))
    console.print(table)
