"""`curate lexicon coverage`: how much of real gendered text a lexicon reaches."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from curate.errors import InputError, UsageError

if TYPE_CHECKING:
    from curate.swap.coverage import Coverage

__all__ = ["coverage"]


def coverage(
    lang: Annotated[str, typer.Argument(help="The language beside English.")],
    *,
    parallel: Annotated[
        Path | None, typer.Option(help="CSV or TSV with a column of each language.")
    ] = None,
    columns: Annotated[
        str, typer.Option(help="Its two columns, English first, as A,B; default en,LANG.")
    ] = "",
    english: Annotated[
        Path | None, typer.Option(help="Or two texts, line by line: the English one …")
    ] = None,
    other: Annotated[Path | None, typer.Option(help="… and the other one.")] = None,
    misses: Annotated[int, typer.Option(min=0, help="How many missed words are listed.")] = 20,
    write: Annotated[
        bool, typer.Option("--write", help="Write the figure into the language's language.toml.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure coverage: of the sentences whose English side has a gender word, how many have one.

    Table 1 of Yu et al. (2024), on any parallel text. A language under 50 %
    is not used for evaluation (no-go). The misses are English words by how
    often the other side had no word of the lexicon: a worklist.

    Examples:

    [bold]curate lexicon coverage de --parallel talks.tsv --columns en,de[/bold]

    [bold]curate lexicon coverage ru --english a.en.gz --other a.ru.gz --write[/bold]
    """
    from curate.lexicon import load_lexicon
    from curate.swap import Swapper
    from curate.swap.coverage import GO, measure_coverage

    rows = _rows(lang, parallel, columns, english, other)
    found = measure_coverage(Swapper(load_lexicon("en")), Swapper(load_lexicon(lang)), rows)
    if not found.n:
        raise InputError("no row has a gender word on its English side", where=parallel or english)
    name = (parallel or english or Path()).name
    if write:
        _write(lang, found, name)
    if as_json:
        low, high = found.interval()
        listed = [
            {"word": m.word, "missed": m.missed, "seen": m.seen, "en": m.english, lang: m.other}
            for m in found.misses[:misses]
        ]
        record = {
            "lang": lang, "corpus": name, "rows": found.rows, "n": found.n,
            "covered": found.covered, "share": found.share, "ci_low": low, "ci_high": high,
            "go": found.share >= GO, "misses": listed,
        }  # fmt: skip
        typer.echo(json.dumps(record, ensure_ascii=False, indent=2))
        return
    _print(lang, found, misses)


def _rows(
    lang: str, parallel: Path | None, columns: str, english: Path | None, other: Path | None
) -> Iterator[tuple[str, str]]:
    if parallel is not None and english is None and other is None:
        from curate.cli.columns import split_columns
        from curate.sources.delimited import read_delimited

        names = split_columns(columns) if columns else None
        wanted = names or ("en", lang)
        table = read_delimited(parallel, wanted=wanted)
        places = [table.header.index(name) for name in wanted]
        return ((row[places[0]], row[places[1]]) for row in table.rows if len(row) > max(places))
    if parallel is None and english is not None and other is not None:
        return _aligned(english, other)
    raise UsageError(
        "coverage needs parallel text", hint="--parallel FILE, or --english FILE --other FILE"
    )


def _aligned(english: Path, other: Path) -> Iterator[tuple[str, str]]:
    from curate.sources.lines import read_lines

    texts = [
        (line for block in read_lines(path) for line in block.lines) for path in (english, other)
    ]
    for number, (a, b) in enumerate(itertools.zip_longest(*texts), start=1):
        if a is None or b is None:
            raise InputError(
                "one text has more lines than the other",
                where=f"{other if b is None else english}:{number}",
            )
        yield a, b


def _write(lang: str, found: Coverage, corpus: str) -> None:
    """Put the figure into the [coverage] section of language.toml, everything else as it was."""
    import re

    from curate.engine import replacing
    from curate.resources import lexicons_folder

    path = lexicons_folder() / lang / "language.toml"
    text = path.read_text(encoding="utf-8")
    section = (
        f"[coverage]\nshare = {found.share:.4f}\nsentences = {found.n}\n"
        f"corpus = {json.dumps(corpus, ensure_ascii=False)}\n"
    )
    new, count = re.subn(r"(?ms)^\[coverage\]\n.*?(?=^\[|\Z)", section + "\n", text)
    with replacing(path) as temporary:
        temporary.write_text(new if count else f"{text.rstrip()}\n\n{section}", encoding="utf-8")


def _print(lang: str, found: Coverage, misses: int) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    from curate.swap.coverage import GO

    console = Console()
    low, high = found.interval()
    console.print(
        f"{lang}: {found.share:.1%} of {found.n:,} gendered sentences "
        f"(95 % {low:.1%} to {high:.1%}; {found.rows:,} rows)   "
        f"{'go' if found.share >= GO else 'no-go: under 50 %'}",
        highlight=False,
    )
    if not misses or not found.misses:
        return
    table = Table(title="Most missed", title_justify="left", box=box.SIMPLE_HEAD)
    for title, side in (
        ("English", "left"),
        ("missed", "right"),
        ("seen", "right"),
        (lang, "left"),
    ):
        table.add_column(title, justify="right" if side == "right" else "left")
    for miss in found.misses[:misses]:
        table.add_row(miss.word, str(miss.missed), str(miss.seen), miss.other)
    console.print(table)
