"""`curate crows`: pairs of the CrowS-Pairs family, read, made fit for translation, counted."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from curate.cli.corpus_run import OnErrorChoice, OnErrorOption

if TYPE_CHECKING:
    from curate.pairs.crows_names import NamedCrows
    from curate.sources.crows import CrowsFile

__all__ = ["app"]

app = typer.Typer(
    help="Read, prepare and count pairs of the CrowS-Pairs family.", no_args_is_help=True
)


class Layout(StrEnum):
    """How a file of the family is laid out."""

    auto = "auto"
    crows = "crows"
    revised = "revised"
    multilingual = "multilingual"
    sjsd = "sjsd"
    stereoset = "stereoset"


class Given(StrEnum):
    """What becomes of given names that differ."""

    kept = "keep"
    replaced = "replace"


FileArgument = Annotated[
    Path, typer.Argument(help="A CSV, TSV or JSON file of the family, or a table of ours.")
]
LangOption = Annotated[
    str, typer.Option(help="Language of a file that names none; picks one of several.")
]
LayoutOption = Annotated[
    Layout, typer.Option("--format", help="Layout of the file; auto: told by its columns.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the counts as JSON.")]


@app.command("import")
def import_(
    path: FileArgument,
    *,
    out: Annotated[Path, typer.Option(help="A file NEW.parquet, or a folder, to write.")],
    lang: LangOption = "",
    layout: LayoutOption = Layout.auto,
    source: Annotated[str, typer.Option(help="Name of the source; else the file name.")] = "",
    licence: Annotated[str, typer.Option(help="Licence, kept in every row.")] = "unstated",
    on_error: OnErrorOption = OnErrorChoice.drop,
    as_json: JsonOption = False,
) -> None:
    """Read CrowS-Pairs, its revised and multilingual files, S_JSD or StereoSet into one table.

    sent_more is always the more stereotypical side. The masculine and
    feminine side are named where the lexicon tells them. Rows that are no
    pair go to a table of drops beside it, each with its reason.

    Examples:

    [bold]curate crows import crows_pairs_anonymized.csv --lang en --out out/crows.parquet[/bold]

    [bold]curate crows import cps_translated_th_formatted.csv --lang th --out out/th[/bold]
    """
    read = _read(path, lang, layout, source=source, licence=licence)
    if on_error is OnErrorChoice.stop and read.drops.num_rows:
        _stop(path, read)
    counts = _write(read, out)
    if as_json:
        typer.echo(json.dumps(counts, ensure_ascii=False))
        return
    typer.echo(
        f"{counts['pairs']:,} pairs of {read.rows:,} rows ({read.layout}), "
        f"{counts['gendered']:,} with a masculine and a feminine side"
    )
    _say_drops(counts["drops"])
    typer.echo(f"written to {counts['out']}")


def _stop(path: Path, read: CrowsFile) -> None:
    from curate.errors import InputError

    first = read.drops.slice(0, 1).to_pylist()[0]
    raise InputError(
        f"{first['code']}: {first['detail']}",
        where=f"{path}: row {first['row']}",
        hint="--on-error drop leaves such rows out and goes on",
    )


def _write(read: CrowsFile, out: Path) -> dict[str, Any]:
    """Write the pairs and the drops; the counts."""
    from curate import schema
    from curate.engine import write_parquet
    from curate.pairs.crows_sides import fill_sides
    from curate.sources.crows import CROWS_FILE, count_drops

    table = fill_sides(read.table)
    if out.suffix == ".parquet":
        pairs, drops = out, out.with_suffix(".drops.parquet")
    else:
        pairs, drops = out / CROWS_FILE, out / "drops.parquet"
    pairs.parent.mkdir(parents=True, exist_ok=True)
    write_parquet(pairs, schema.CROWS, [table])
    write_parquet(drops, schema.DROPS, [read.drops])
    return {
        "format": read.layout,
        "rows": read.rows,
        "pairs": table.num_rows,
        "gendered": table.num_rows - table.column("masculine").null_count,
        "mended": read.mended,
        "drops": count_drops(read.drops),
        "out": str(pairs),
    }


@app.command()
def names(
    path: FileArgument,
    *,
    out: Annotated[Path, typer.Option(help="Folder to write.")],
    lang: LangOption = "",
    target_lang: Annotated[
        list[str], typer.Option(help="A language whose names are listed beside (repeat for more).")
    ] = [],  # noqa: B006 (typer reads it)
    count: Annotated[int, typer.Option("--names", min=1, help="Names for each gender.")] = 2,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the choice among the names.")] = 0,
    given_names: Annotated[
        Given, typer.Option(help="Given names that differ: keep them, or put ours over them.")
    ] = Given.kept,
    layout: LayoutOption = Layout.auto,
    as_json: JsonOption = False,
) -> None:
    """Keep the pairs that contrast gender, and put names for pronouns that alone show it.

    Steinborn et al. (2022), section 3.1: many languages lose a contrast of he
    and she, a name they keep. Pairs that show clothing or another group, or differ
    in more than gender, go to drops.parquet. names.tsv lists for translators the names
    of every pair in each language, and what to look at by eye.

    Examples:

    [bold]curate crows names crows_pairs.csv --lang en --target-lang de --out out/names[/bold]

    [bold]curate crows names out/crows.parquet --names 3 --seed 7 --out out/names[/bold]
    """
    from curate.errors import UsageError
    from curate.pairs.crows_folder import write_named
    from curate.pairs.crows_names import name_crows

    table = _read(path, lang, layout).table
    langs = sorted(set(table.column("lang").to_pylist()))
    if len(langs) > 1:
        raise UsageError(f"pairs in several languages: {', '.join(langs)}", hint="pick with --lang")
    named = name_crows(
        table, lang=lang or (langs[0] if langs else ""), targets=target_lang, count=count,
        seed=seed, given_names="replace" if given_names is Given.replaced else "keep",
    )  # fmt: skip
    about = write_named(named, out, source=path.name, seed=seed)
    if as_json:
        typer.echo(json.dumps(about, ensure_ascii=False))
    else:
        _say_named(named)
        typer.echo(f"written to {out}")


def _say_named(named: NamedCrows) -> None:
    counts = named.counts()
    typer.echo(f"{counts['pairs']:,} pairs that contrast gender alone")
    for action, meaning in _ACTIONS.items():
        if action in counts["actions"]:
            typer.echo(f"  {counts['actions'][action]:,} {meaning}")
    _say_drops(counts["drops"])
    for one in named.names:
        typer.echo(f"names {one.lang}: {', '.join(one.masculine)} | {', '.join(one.feminine)}")


_ACTIONS = {
    "pronoun": "with names for a pronoun",
    "shared-name": "with names over a name that both sides shared",
    "given-name": "with names over the names that differed",
    "none": "left as they were",
}


@app.command()
def stats(
    paths: Annotated[list[Path], typer.Argument(help="Files of the family, tables or folders.")],
    *,
    lang: LangOption = "",
    layout: LayoutOption = Layout.auto,
    as_json: JsonOption = False,
) -> None:
    """Count pairs and words by language, bias type and direction (Steinborn et al. 2022, Table 1).

    Words stand between spaces; a language without spaces is cut by its segmenter.

    Examples:

    [bold]curate crows stats out/names out/th[/bold]

    [bold]curate crows stats cps_translated_de_formatted.csv --lang de --json[/bold]
    """
    import pyarrow as pa

    from curate.pairs.crows_sides import fill_sides
    from curate.pairs.crows_stats import crows_stats

    read = [_read(path, lang, layout) for path in paths]
    tables = [one.table if one.layout == "ours" else fill_sides(one.table) for one in read]
    records = crows_stats(pa.concat_tables(tables))
    if as_json:
        typer.echo(json.dumps(records, ensure_ascii=False, indent=2))
        return
    _print_stats(records)


def _read(
    path: Path, lang: str, layout: Layout, *, source: str = "", licence: str = "unstated"
) -> CrowsFile:
    from curate.sources.crows import read_crows

    read = read_crows(path, lang=lang, layout=layout.value, source=source, licence=licence)
    if read.mended:
        sys.stderr.write(f"{path}: {read.mended} texts held mojibake and were mended\n")
    return read


def _say_drops(drops: dict[str, int]) -> None:
    for code, number in drops.items():
        typer.echo(f"  dropped: {code} {number:,}")


def _print_stats(records: list[dict[str, Any]]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    console = Console()
    table = Table(box=box.SIMPLE_HEAD, title="Pairs and words", title_justify="left")
    table.add_column("language")
    for name in ("pairs", "words", "words per sentence", "gender told"):
        table.add_column(name, justify="right")
    for one in records:
        words = f"{one['words_per_sentence']:.1f}"
        table.add_row(
            one["lang"], f"{one['pairs']:,}", f"{one['words']:,}", words, f"{one['gendered']:,}"
        )
    console.print(table)
    groups = Table(box=box.SIMPLE_HEAD, title="By group", title_justify="left")
    for name in ("language", "column", "value"):
        groups.add_column(name)
    groups.add_column("pairs", justify="right")
    for one in records:
        for column in ("bias_type", "stereo_antistereo"):
            for value, number in one[column].items():
                groups.add_row(one["lang"], column, value, f"{number:,}")
    console.print(groups)
