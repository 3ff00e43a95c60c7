"""`curate pairs lsg`, `balance` and `stats`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from curate.cli import corpus_run as run
from curate.cli.means import MARGIN, Margin, Model, Parser

if TYPE_CHECKING:
    from curate.pairs.stats import SummaryTable

__all__ = ["balance", "lsg", "stats"]


def lsg(
    *,
    lang: run.Lang,
    corpus: run.CorpusSpec,
    out: run.Out,
    folds: run.Folds = 5,
    near: run.Near = None,
    engine: run.Engine = run.EngineChoice.local,
    parser: Parser = "none",
    model: Model = "none",
    margin: Margin = MARGIN,
    seed: run.Seed = 0,
    workers: run.Workers = 0,
    address: run.Address = "",
    batch_rows: run.BatchRows = 0,
    on_error: run.OnErrorOption = run.OnErrorChoice.drop,
    restart: run.Restart = False,
    source: run.Source = "",
    licence: run.Licence = "unstated",
    column: run.Column = "text",
    streaming: run.Streaming = False,
    as_json: run.Json = False,
) -> None:
    """Make pairs with the lexicon: swap the one gender word of a sentence.

    LSG (Yu et al. 2024): sentences with exactly one gender word become
    pairs; every other row goes to drops.parquet with its reason. The larger
    side is truncated at random, in seeded folds; what that leaves out is in
    aside.parquet. A run that was cut off goes on when the same command is
    given again. Rules alone decide unless a parser or a model is named.

    Examples:

    [bold]curate pairs lsg --lang de --corpus de.txt.gz --out out/de-lsg[/bold]

    [bold]curate pairs lsg --lang en --corpus hub:me/texts --out out/en-lsg[/bold]

    [bold]curate pairs lsg --lang en --corpus s3://texts/en --out s3://runs/en --engine ray[/bold]
    """
    from curate.pairs.lsg import lsg_method
    from curate.pairs.means import Means

    means = Means(parser=parser, model=model, margin=margin)
    run.run_corpus(
        lambda: lsg_method(lang, means), corpus, out,
        lang=lang, folds=folds, seed=seed, near=near, engine=engine, workers=workers,
        address=address, batch_rows=batch_rows, on_error=on_error, restart=restart, source=source,
        licence=licence, column=column, streaming=streaming,
        as_json=as_json,
    )  # fmt: skip


def balance(
    folder: Annotated[Path, typer.Argument(help="A run folder of `curate pairs lsg|msg`.")],
    folds: Annotated[int, typer.Option(min=1, max=100, help="Number of folds.")] = 5,
    seed: run.Seed = 0,
) -> None:
    """Balance a run anew: other folds or another seed, over all pairs it made.

    Pairs that the last balance set aside take part again.

    Example:

    [bold]curate pairs balance out/de-lsg --folds 10 --seed 7[/bold]
    """
    from curate.pairs.rebalance import rebalance

    counts = rebalance(folder, folds=folds, seed=seed)
    typer.echo(
        f"{counts['kept']:,} pairs a fold in {folds} folds (seed {seed}); "
        f"{counts['aside']:,} of {counts['n_pairs']:,} pairs are in none"
    )


def stats(
    folders: Annotated[
        list[Path], typer.Argument(help="Run folders, or folders that hold run folders.")
    ],
    as_json: run.Json = False,
) -> None:
    """Print counts as tables 2, 3, 5 and figures 3, 4 of Yu et al. (2024).

    Examples:

    [bold]curate pairs stats out/de-lsg out/de-msg[/bold]

    [bold]curate pairs stats out/demo --json[/bold]
    """
    import json

    from curate.pairs.stats import read_stats, summary_tables

    found = read_stats(folders)
    if as_json:
        typer.echo(json.dumps(found, ensure_ascii=False, indent=2, sort_keys=True))
        return
    _print_tables(summary_tables(found))


def _print_tables(summaries: list[SummaryTable]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    console = Console()
    for summary in summaries:
        table = Table(
            title=summary.title,
            title_justify="left",
            box=box.SIMPLE_HEAD,
            caption=summary.note,
            caption_justify="left",
        )
        for place, name in enumerate(summary.header):
            table.add_column(
                name, justify="left" if place in summary.text_columns else "right", no_wrap=True
            )
        for row in summary.rows:
            table.add_row(*row)
        console.print(table)
