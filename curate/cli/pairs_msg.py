"""`curate pairs msg`."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from curate.cli import corpus_run as run
from curate.cli.precision import Precision

__all__ = ["msg"]


class ContextChoice(StrEnum):
    original = "original"
    matched = "matched"


def msg(
    *,
    lang: run.Lang,
    corpus: run.CorpusSpec,
    out: run.Out,
    model: Annotated[
        str, typer.Option(help="mini (embedded), a folder, or a Hub id, owner/name[@revision].")
    ] = "mini",
    top_k: Annotated[int, typer.Option(min=1, help="Predictions that count.")] = 10,
    threshold: Annotated[
        float, typer.Option(min=1e-6, max=0.5, help="Least probability of a prediction.")
    ] = 0.01,
    context: Annotated[
        ContextChoice,
        typer.Option(
            help="original: read the mask in the sentence as it is (the paper); "
            "matched: set what agrees to each gender first."
        ),
    ] = ContextChoice.original,
    most_pieces: Annotated[
        int, typer.Option(min=1, help="Leave out words of more vocabulary entries.")
    ] = 2,
    precision: Annotated[Precision, typer.Option(help="Of the model.")] = Precision.fp32,
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "auto",
    folds: run.Folds = 1,
    near: run.Near = None,
    engine: run.Engine = run.EngineChoice.local,
    seed: run.Seed = 0,
    workers: Annotated[
        int,
        typer.Option(
            min=0,
            help="Processes, or actors of Ray; one uses all processors already. 0: all there is.",
        ),
    ] = 1,
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
    """Make pairs with a masked language model: it chooses the two gender words (MSG).

    The one gender word of a sentence is masked. The best masculine and the best feminine lexicon
    word among the top-k predictions over the threshold make the pair; where only one gender is
    predicted, the other side is that word's counterpart; where none is, the sentence is dropped.
    What agrees with the words follows them. A run that was cut off goes on when the same command is
    given again.

    Examples:

      curate pairs msg --lang de --corpus de.txt.gz --out out/de-msg

      curate pairs msg --lang es --corpus es.txt --out out/es-msg --context matched

      curate pairs msg --lang en --corpus en.txt --out out/en-msg --model bert-base-cased
    """
    from curate.pairs.msg import msg_method

    run.run_corpus(
        lambda: msg_method(
            lang, model=model, k=top_k, threshold=threshold, context=context.value,
            most_pieces=most_pieces, precision=precision.value, device=device,
        ),
        corpus, out,
        lang=lang, folds=folds, seed=seed, near=near, engine=engine, workers=workers,
        address=address, batch_rows=batch_rows, on_error=on_error, restart=restart, source=source,
        licence=licence, column=column, streaming=streaming,
        as_json=as_json,
    )  # fmt: skip
