"""`curate pairs check`: verdicts on minimal pairs."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from curate.cli.columns import row_progress, split_columns
from curate.errors import UsageError

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["check"]

_SHOWN = 40


class Format(StrEnum):
    """How the verdicts are printed."""

    table = "table"
    json = "json"
    csv = "csv"


class Rule(StrEnum):
    """Rules of others that can be run instead of ours."""

    fort2024 = "fort2024"


def check(
    path: Path = typer.Argument(
        None,
        help="A run or release folder, a release on the Hub (NS/NAME\\[@TAG]), one of our parquet "
        "files, or any CSV, TSV or parquet.",
    ),
    *,
    columns: str = typer.Option("", help="The two columns of a foreign file, as A,B."),
    lang: str = typer.Option("", help="Language of a foreign file, or the one to pick of ours."),
    rule: Rule | None = typer.Option(None, help="Run this rule alone, instead of our checks."),
    equivalents: Path | None = typer.Option(
        None, help="For fort2024: lines old,new of words that count as equal."
    ),
    output: Format = typer.Option(Format.table, "--format", help="csv lines: row,code,detail."),
    ignore: list[str] = typer.Option([], help="A code that is left out (repeat for more)."),
    notes: bool = typer.Option(False, "--notes", help="Print notes too, not only findings."),
    strict: bool = typer.Option(False, "--strict", help="Notes count as findings (exit 1)."),
    write: bool = typer.Option(
        False, "--write", help="Keep all verdicts in the run folder, for curate release build."
    ),
    codes: bool = typer.Option(False, "--codes", help="Print the table of codes and stop."),
) -> None:
    """Check minimal pairs: one change on each side, and what must go along with it.

    Errors and warnings make the command exit with 1; notes are facts, not
    faults, and do so only with --strict. Rows count from 0. For a language
    without a lexicon only the checks run that need none: texts, duplicates,
    and one changed word.

    Examples:

    [bold]curate pairs check out/de-lsg[/bold]

    [bold]curate pairs check out/de-lsg --write[/bold]

    [bold]curate pairs check mine.csv --columns he,she --lang en --format csv[/bold]

    [bold]curate pairs check x.tsv --columns more,less --rule fort2024 --equivalents eq.txt[/bold]
    """
    if codes:
        _print_codes(as_json=output is Format.json)
        return
    if path is None:
        raise UsageError("which file or folder?", hint="curate pairs check FILE|DIR")
    from curate.checks import has_findings, known_codes, verdicts_csv, verdicts_json
    from curate.sources.hub_release import release_of

    path = release_of(path)
    unwanted = known_codes(ignore)
    kept = _run_pairs(path, columns, lang, rule) if write else None
    table = _read(path, columns, lang)
    verdicts = _run(table, columns, rule, equivalents)
    if kept is not None:
        from curate.checks.stored import write_verdicts

        write_verdicts(verdicts, kept)  # all of them: --ignore is for what is printed
    verdicts = _without(verdicts, unwanted)
    shown = verdicts if notes or strict else _findings(verdicts)
    if output is Format.csv:
        typer.echo(verdicts_csv(shown), nl=False)
    elif output is Format.json:
        typer.echo(verdicts_json(shown, verdicts, rows=table.num_rows), nl=False)
    else:
        _print_table(shown, verdicts, rows=table.num_rows)
    if has_findings(verdicts, strict=strict):
        raise typer.Exit(1)


def _run_pairs(path: Path, columns: str, lang: str, rule: Rule | None) -> Path:
    """The pairs of a run folder; UsageError where verdicts have no place to be kept."""
    pairs = path / "pairs.parquet"
    if not pairs.is_file():
        raise UsageError("--write is for a run folder of pairs", where=path)
    if columns or lang or rule:
        hint = "leave out --columns, --lang and --rule"
        raise UsageError("--write keeps our checks of all pairs", hint=hint)
    return pairs


def _read(path: Path, columns: str, lang: str) -> pa.Table:
    from curate.sources import read_pairs

    # a table may say itself which language each row is in
    keep = () if lang else ("lang",)
    return read_pairs(path, columns=split_columns(columns), lang=lang or None, keep=keep)


def _run(table: pa.Table, columns: str, rule: Rule | None, equivalents: Path | None) -> pa.Table:
    from curate.checks import check_pairs, check_rule_fort2024, read_equivalents
    from curate.lexicon import available_languages

    if rule is Rule.fort2024:
        if equivalents is None:
            raise UsageError("--rule fort2024 needs --equivalents FILE", hint="lines like her,his")
        return check_rule_fort2024(table, equivalents=read_equivalents(equivalents))
    if equivalents is not None:
        raise UsageError("--equivalents is for --rule fort2024")
    langs = sorted(set(table.column("lang").to_pylist()))
    for tag in langs:
        if tag not in available_languages():
            what = f"no lexicon for {tag!r}" if tag else "no --lang given"
            sys.stderr.write(f"{what}: only the checks that need no language are run\n")
    labelled = split_columns(columns) in {None, ("masculine", "feminine")}
    with row_progress("checking", table.num_rows) as on_progress:
        return check_pairs(table, labelled=labelled, on_progress=on_progress)


def _without(verdicts: pa.Table, codes: frozenset[str]) -> pa.Table:
    import pyarrow as pa

    keep = [code not in codes for code in verdicts.column("code").to_pylist()]
    return verdicts.filter(pa.array(keep, pa.bool_()))


def _findings(verdicts: pa.Table) -> pa.Table:
    import pyarrow.compute as pc

    return verdicts.filter(pc.invert(verdicts.column("ok")))


def _print_table(shown: pa.Table, verdicts: pa.Table, *, rows: int) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from curate.checks import CODES, count_codes, rows_with_findings

    console = Console()
    if shown.num_rows:
        table = Table("row", "level", "code", "detail", title="Findings", title_justify="left")
        for verdict in shown.slice(0, _SHOWN).to_pylist():
            level = CODES[verdict["code"]].level
            table.add_row(str(verdict["row"]), level, verdict["code"], Text(verdict["evidence"]))
        console.print(table)
        if shown.num_rows > _SHOWN:
            console.print(f"… and {shown.num_rows - _SHOWN} more (--format csv prints all)")
    counts = count_codes(verdicts)
    if counts:
        table = Table("code", "level", "rows", "meaning", title="By code", title_justify="left")
        for code, number in counts.items():
            known = CODES[code]
            table.add_row(code, known.level, f"{number:,}", known.meaning)
        console.print(table)
    console.print(f"{rows:,} rows, {rows_with_findings(verdicts):,} with findings")


def _print_codes(*, as_json: bool) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from curate.checks import CODES, codes_json

    if as_json:
        typer.echo(codes_json(), nl=False)
        return
    table = Table("code", "level", "check", "meaning", "example")
    for code in CODES.values():
        table.add_row(code.code, code.level, code.check, code.meaning, Text(code.example))
    Console().print(table)
