"""`curate occupations`: sentences about people of many occupations, for models to be asked."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from curate.cli.means import Parser
from curate.cli.occupations_polarity import polarity
from curate.cli.occupations_score import score
from curate.cli.occupations_train import train

__all__ = ["app"]

app = typer.Typer(
    help="Occupations in the place of a man or a woman: make the sentences.", no_args_is_help=True
)


class Article(StrEnum):
    indefinite = "indefinite"
    definite = "definite"


class Column(StrEnum):
    sentence1 = "sentence1"
    sentence2 = "sentence2"
    both = "both"


app.command()(polarity)
app.command()(score)
app.command()(train)


@app.callback()
def _group() -> None:
    """Occupations in the place of a man or a woman: make the sentences."""


@app.command()
def build(
    *,
    lang: Annotated[str, typer.Option(help="Language: a folder of lexicons/ with occupations.")],
    sts: Annotated[
        str,
        typer.Option(
            help="STS set: the original (tabs, no quoting), TSV or CSV with or without a header "
            "(.gz or .xz of any), or hub:REPO[:config[:split]]."
        ),
    ],
    out: Annotated[Path, typer.Option(help="Folder to write.")],
    split: Annotated[str, typer.Option(help="Split of a Hub dataset.")] = "",
    column: Annotated[Column, typer.Option(help="Which sentences to take.")] = Column.sentence1,
    article: Annotated[
        Article, typer.Option(help="Article of the occupations; the sources have the indefinite.")
    ] = Article.indefinite,
    limit_occupations: Annotated[
        Path | None, typer.Option(help="File with the occupations wanted, one a line.")
    ] = None,
    allow: Annotated[
        list[str],
        typer.Option(help="A code of occupations.toml that shall leave nothing out (repeat)."),
    ] = [],  # noqa: B006 (typer reads it)
    parser: Parser = "none",
    source: Annotated[
        str, typer.Option(help="Name of the source in every row; without it the file name.")
    ] = "",
    licence: Annotated[str, typer.Option(help="Licence, kept in every row.")] = "unstated",
    as_json: Annotated[bool, typer.Option("--json", help="Print the counts as JSON.")] = False,
) -> None:
    """Put he, she and occupations in the place of a man or a woman (Katsarou et al. 2022).

    Takes the sentences whose subject is the language's "a man" or "a woman",
    and in which nothing else shows gender. Articles, elision and agreement
    follow the new subject; what grammar leaves open is dropped with a reason.
    Writes a long and a wide table, the drops, and the counts by the paper's
    rule and by ours. The paper keeps "He in a hat is singing" too: --allow
    modified-subject does.

    Examples:

    [bold]curate occupations build --lang en --sts sts-test.csv --out out/en[/bold]

    [bold]curate occupations build --lang fr --sts stsb-fr-test.csv.gz --article definite \
--out out/fr[/bold]
    """
    from curate import schema
    from curate.errors import InputError
    from curate.lexicon import load_lexicon
    from curate.lexicon.occupations import load_occupations
    from curate.occupations import build_table, write_table
    from curate.occupations.build import sentences_of
    from curate.pairs.means import Means, make_swapper
    from curate.sources.sts import read_sts

    lexicon = load_lexicon(lang)
    occupations = load_occupations(lexicon)
    _check_codes(allow, {rule.code for rule in occupations.rules.drops})
    keep = _wanted(limit_occupations, [row.key for row in occupations.rows])
    swapper = make_swapper(lexicon, Means(parser=parser))
    read = read_sts(sts, split=split)
    built = build_table(
        sentences_of(read.table, column.value), lexicon, occupations, swapper,
        article=article.value, keep=keep, allow=allow, source=source or _name(sts), licence=licence,
    )  # fmt: skip
    if not built.counts["paper"]["begin"]:
        raise InputError(
            f"no sentence begins as {lang} speaks of a man or a woman: "
            + ", ".join(repr(o) for group in occupations.rules.subjects.values() for o in group),
            where=sts,
            hint="is the set in the language that --lang names?",
        )
    settings = {
        "lang": lang, "sts": _name(sts), "sts_sha256": _digest(sts),
        "sts_hash": schema.table_hash(read.table), "layout": read.layout,
        "rows": read.rows, "split": split, "column": column.value, "article": article.value,
        "allow": sorted(set(allow)),
        "parser": parser, "occupations": keep or [row.key for row in occupations.rows],
        "lexicon_version": lexicon.version, "occupations_version": occupations.version,
        "source": source or _name(sts), "licence": licence, "curate": _version(),
    }  # fmt: skip
    manifest = write_table(built, out, settings)
    if as_json:
        typer.echo(json.dumps(manifest, ensure_ascii=False, sort_keys=True))
    else:
        _print(manifest, subjects=built.wide.num_columns - len(schema.OCCUPATION_PLACES), out=out)


def _check_codes(codes: list[str], known: set[str]) -> None:
    from curate.errors import UsageError

    for code in codes:
        if code not in known:
            raise UsageError(
                f"--allow {code!r} is no code of this language's occupations.toml",
                hint=f"known: {', '.join(sorted(known))}",
            )


def _name(sts: str) -> str:
    """What the tables call the set: a file without its folders, or the Hub's name."""
    return sts if sts.startswith("hub:") else Path(sts).name


def _digest(sts: str) -> str:
    from curate.sources.files import sha256_file

    return "" if sts.startswith("hub:") else sha256_file(Path(sts))


def _version() -> str:
    from curate import __version__

    return __version__


def _wanted(path: Path | None, known: list[str]) -> list[str]:
    """The occupations that a file names, in its order; UsageError for one that is not listed."""
    from curate.errors import InputError
    from curate.sources.files import decoded_lines

    if path is None:
        return []
    wanted: dict[str, None] = {}
    for number, line in enumerate(decoded_lines(path), start=1):
        key = line.split("#")[0].strip()
        if key and key not in known:
            raise InputError(
                f"no occupation {key!r} is listed",
                where=f"{path}:{number}",
                hint=f"known: {', '.join(known)}",
            )
        if key:
            wanted[key] = None
    if not wanted:
        raise InputError("the file names no occupation", where=path)
    return list(wanted)


def _print(manifest: dict[str, Any], *, subjects: int, out: Path) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    counts = manifest["counts"]
    paper, ours = counts["paper"], counts["ours"]
    console = Console(highlight=False)
    console.print(
        f"{manifest['rows']:,} rows ({manifest['layout']}), {counts['sentences']:,} sentences",
        markup=False,
    )
    table = Table(box=box.SIMPLE_HEAD, title="Sentences by rule", title_justify="left")
    for name, justify in (("rule", "left"), ("kept", "right"), ("distinct", "right")):
        table.add_column(name, justify="right" if justify == "right" else "left")
    table.add_row("begin so", f"{paper['begin']:,}", "")
    table.add_row("the paper's, as written", f"{paper['kept']:,}", f"{paper['distinct']:,}")
    table.add_row(
        "the paper's, possessives let pass",
        f"{paper['kept_with_possessives']:,}",
        f"{paper['distinct_with_possessives']:,}",
    )
    table.add_row("ours", f"{ours['kept']:,}", f"{ours['kept']:,}")
    console.print(table)
    _print_reasons("kept by the paper's rule, not by ours", counts["differences"]["only_paper"])
    _print_reasons("kept by ours, not by the paper's (word)", counts["differences"]["only_ours"])
    _print_reasons("forms left out", ours["cells_dropped"])
    typer.echo(f"{ours['kept']:,} sentences x {subjects} subjects: {ours['cells']:,} texts")
    typer.echo(f"written to {out}")


def _print_reasons(title: str, reasons: dict[str, int]) -> None:
    if reasons:
        typer.echo(f"{title}: " + ", ".join(f"{name} {n:,}" for name, n in reasons.items()))
