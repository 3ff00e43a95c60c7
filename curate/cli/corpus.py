"""`curate corpus`: what is done to raw text before pairs are made of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from curate.cli import corpus_run as run

if TYPE_CHECKING:
    from curate.sources import Corpus

__all__ = ["app"]

app = typer.Typer(help="Clean a corpus before pairs are made of it.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """A group although it has one command so far."""


@app.command()
def clean(
    *,
    lang: Annotated[str, typer.Option(help="Language that the corpus should be in (BCP-47).")],
    corpus: run.CorpusSpec,
    out: run.Out,
    near: Annotated[
        float,
        typer.Option(help="Similarity (Jaccard, 0.5 to 1) from which a sentence repeats another."),
    ] = 0.8,
    no_near: Annotated[
        bool, typer.Option("--no-near", help="Drop only sentences that are the same.")
    ] = False,
    identify: Annotated[
        bool, typer.Option("--identify/--no-identify", help="Drop other languages and scripts.")
    ] = True,
    least_confidence: Annotated[
        float, typer.Option(help="How sure another language must be (0.5 to 1).")
    ] = 0.9,
    engine: run.Engine = run.EngineChoice.local,
    workers: run.Workers = 0,
    address: run.Address = "",
    seed: Annotated[int, typer.Option(min=0, help="Seed of the hashes.")] = 0,
    batch_rows: run.BatchRows = 0,
    on_error: run.OnErrorOption = run.OnErrorChoice.drop,
    restart: run.Restart = False,
    source: run.Source = "",
    licence: run.Licence = "unstated",
    column: run.Column = "text",
    streaming: run.Streaming = False,
    as_json: run.Json = False,
) -> None:
    """Drop repeated sentences and those of other languages.

    OUT/sentences.parquet is a corpus for `curate pairs lsg|msg`, with the
    source and licence of every row; every other row is in drops.parquet with
    its reason. A near-duplicate differs in case, punctuation or a letter, or,
    if it is long, in a word; the first one stays. Sentences with different
    gender words are never near-duplicates. A sentence that is too short to
    tell its language stays. A run that was cut off goes on when the same
    command is given again.

    Examples:

    [bold]curate corpus clean --lang de --corpus de.txt.gz --out out/de-clean[/bold]

    [bold]curate pairs lsg --lang de --corpus out/de-clean/sentences.parquet --out out/de-lsg[/bold]
    """
    from curate.cleaning.run import clean_config, clean_corpus
    from curate.sources import Corpus

    where = run.engine_for(engine, workers, address)
    config = clean_config(
        lang, near=None if no_near else near, identify=identify,
        least_confidence=least_confidence, seed=seed,
    )  # fmt: skip
    texts = Corpus(
        corpus, lang=lang, source=source or None, licence=licence, column=column,
        on_error=on_error.value, streaming=streaming,
    )  # fmt: skip
    with run.progress_bar(texts.name) as update:
        stats = clean_corpus(
            config, texts, out, engine=where, batch_rows=batch_rows, restart=restart,
            on_progress=lambda rows: update(rows, *run.read_so_far(texts, where)),
            on_compared=lambda rows: update(rows, rows, None),
        )  # fmt: skip
    _said_once(texts, config.identifier, lang)
    if as_json:
        typer.echo(json.dumps(stats, ensure_ascii=False, sort_keys=True))
    else:
        _print_counts(stats, out)


def _said_once(corpus: Corpus, identifier: str, lang: str) -> None:
    from curate.cleaning.languages import knows_words

    run.say_of_corpus(corpus)
    if identifier and not knows_words(lang):
        typer.echo(f"{identifier} does not know {lang}: only the script was looked at", err=True)


def _print_counts(stats: dict[str, Any], out: Path) -> None:
    """The closing table: what is kept under which licence, and every reason for a drop."""
    from rich.markup import escape

    rows = [("rows of the corpus", stats["n_rows"]), ("[bold]kept[/bold]", stats["kept"])]
    rows += [(f"  licence {escape(name)}", n) for name, n in stats["licences"].items()]
    rows += [(f"dropped: {code}", n) for code, n in stats["drops"].items()]
    run.print_rows(f"{stats['lang']}: cleaned", rows, out)
