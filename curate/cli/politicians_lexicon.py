"""`curate politicians lexicon`: sentiment lexica merged into one, and what they are worth."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

__all__ = ["lexicon"]


def lexicon(
    lexica: Annotated[
        list[str],
        typer.Argument(help="Sentiment lexica, LANG=FILE; those of one language are merged."),
    ],
    *,
    out: Annotated[Path, typer.Option(help="Folder for LANG.tsv and the evaluation.")],
    texts: Annotated[
        list[str], typer.Option(help="A table text, label to evaluate on, LANG=FILE (repeat).")
    ] = [],  # noqa: B006 (typer reads it)
    words: Annotated[
        list[str], typer.Option(help="A table word, label to evaluate on, LANG=FILE (repeat).")
    ] = [],  # noqa: B006
    labels: Annotated[
        str, typer.Option(help="What labels mean that are no sentiments, as 0=negative,1=positive.")
    ] = "",
    held_out: Annotated[
        float,
        typer.Option(min=0.01, max=0.99, help="Share of those words held out."),
    ] = 0.2,
    seed: Annotated[int, typer.Option(min=0, help="Seed of everything random.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Merge sentiment lexica of different scales by SentiVAE, and compare them.

    Writes a table a language, which study --lexicon reads. On texts the paper's way: a text has
    the mean sentiment of its words. Beside the merged lexicon stand every single one, their plain
    union and the commonest label: accuracy and macro-F1 with intervals.

    Examples:

    [bold]curate politicians lexicon fr=feel.tsv fr=polarimots.toml --out out/lexica[/bold]

    [bold]curate politicians lexicon en=a.tsv en=b.tsv --texts en=reviews.csv --labels
    0=negative,1=positive --words en=gold.tsv --out out/lexica[/bold]
    """
    from curate.politicians.study.lexicon_run import merge_and_evaluate

    summary = merge_and_evaluate(
        lexica, out, texts=texts, words=words, labels=labels, share=held_out, seed=seed
    )
    if as_json:
        typer.echo(json.dumps(summary, ensure_ascii=False))
        return
    _say(summary)
    typer.echo(f"written to {out}")


def _say(summary: dict[str, Any]) -> None:
    for lang, about in summary["lexica"].items():
        held = ", ".join(f"{own['name']} {own['words']:,}" for own in about["single"])
        typer.echo(f"{lang}: {about['words']:,} words, of {held}")
    for note in summary["notes"]:
        typer.echo(f"note: {note}")
    for row in summary["evaluation"]:
        typer.echo(
            f"{row['lang']} {row['items']}, {row['kind']} {row['lexicon']}: accuracy "
            f"{row['accuracy']:.3f} ({row['ci_low']:.3f} to {row['ci_high']:.3f}), "
            f"macro-F1 {row['macro_f1']:.3f}, {row['n_known']:,} of {row['n']:,} known"
        )
