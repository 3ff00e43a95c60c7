"""`curate lexicon export-review` and `import-review`: reviewers vote on the pairs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from curate.errors import UsageError

__all__ = ["export_review", "import_review"]

_SHOWN = 20


def export_review(
    lang: Annotated[str, typer.Argument(help="The language.")],
    *,
    out: Annotated[Path, typer.Option(help="The CSV to write.")],
) -> None:
    """Write a table for a reviewer: a row a lexeme, cells for natural, neutral, a better form.

    `natural`: would a native speaker say both words of people? `neutral`: does
    one of them say nothing of gender? Empty cells are no vote.

    Example: [bold]curate lexicon export-review es --out review-es.csv[/bold]
    """
    from curate.engine.files import replacing
    from curate.lexicon import load_lexicon
    from curate.lexicon.review import review_table

    text = review_table(load_lexicon(lang))
    out.parent.mkdir(parents=True, exist_ok=True)
    with replacing(out) as temporary:
        temporary.write_text(text, encoding="utf-8-sig")  # a mark that spreadsheets want
    typer.echo(f"{text.count(chr(10)) - 1:,} lexemes of {lang} in {out}")


def import_review(
    lang: Annotated[str, typer.Argument(help="The language.")],
    files: Annotated[
        list[str], typer.Argument(metavar="REVIEWER=FILE...", help="Pseudonym and filled-in CSV.")
    ],
) -> None:
    """Take over reviewers' votes; a majority against a pair puts it out of use.

    A pair is voted out when more reviewers call it unnatural or neutral than
    not; a tie keeps it. Votes are kept by reviewer in votes.tsv: reading a
    file twice changes nothing, a changed answer replaces the old one.

    Example: [bold]curate lexicon import-review es r1=ana.csv r2=luis.csv[/bold]
    """
    from curate.lexicon import load_lexicon, review
    from curate.resources import lexicons_folder

    named = []
    for item in files:
        reviewer, equals, path = item.partition("=")
        if not equals or not reviewer or not reviewer.replace("-", "").isalnum():
            raise UsageError(f"{item!r} is not REVIEWER=FILE", hint="r1=ana.csv (letters, digits)")
        named.append((reviewer, Path(path)))
    lexicon = load_lexicon(lang)
    result = review.import_review(lexicons_folder() / lang, lexicon, named)
    load_lexicon.cache_clear()
    typer.echo(
        f"{result.votes:,} votes; out of use: {len(result.dropped)}; tied: {len(result.tied)}"
    )
    for title, pairs in (("out of use", result.dropped), ("tied, kept", result.tied)):
        if pairs:
            more = f" and {len(pairs) - _SHOWN} more" if len(pairs) > _SHOWN else ""
            typer.echo(f"{title}: {', '.join(pairs[:_SHOWN])}{more}")
    for pair, reviewer, masculine, feminine, comment in result.wishes:
        better = " / ".join(filter(None, (masculine, feminine)))
        typer.echo(f"{pair} ({reviewer}): {' - '.join(filter(None, (better, comment)))}")
