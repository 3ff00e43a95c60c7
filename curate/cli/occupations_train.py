"""`curate occupations train`: teach an encoder-decoder to write how alike two sentences are."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from curate.cli.columns import step_progress

__all__ = ["train"]


class Optimizer(StrEnum):
    """How the weights are moved."""

    adafactor = "adafactor"
    adamw = "adamw"


def train(
    *,
    model: Annotated[str, typer.Option(help="T5 or mT5: a folder or a Hub id.")],
    sts: Annotated[
        str, typer.Option(help="STS set to train on, as curate occupations build reads them.")
    ],
    dev: Annotated[str, typer.Option(help="STS set that says when to stop.")],
    out: Annotated[Path, typer.Option(help="Folder to write: seed-0, seed-1, ... inside.")],
    seeds: Annotated[str, typer.Option(help="Seeds, separated by commas.")] = "0,1,2",
    epochs: Annotated[int, typer.Option(min=1, help="Times through the set, at most.")] = 10,
    batch_size: Annotated[int, typer.Option(min=1, help="Pairs a step.")] = 32,
    learning_rate: Annotated[
        float, typer.Option(min=0, help="Highest rate; it rises first, then falls to 0.")
    ] = 1e-3,
    optimizer: Annotated[
        Optimizer, typer.Option(help="adafactor needs less memory; adamw wants a rate near 1e-4.")
    ] = Optimizer.adafactor,
    patience: Annotated[
        int, typer.Option(min=1, help="Epochs without a better correlation before it stops.")
    ] = 3,
    max_length: Annotated[int, typer.Option(min=8, help="Leave out pairs of more tokens.")] = 256,
    save_every: Annotated[
        int, typer.Option(min=1, help="Steps between two saves to go on from.")
    ] = 200,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda or mps.")] = "auto",
    restart: Annotated[
        bool, typer.Option("--restart", help="Throw away the training in the folder.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print training.json.")] = False,
) -> None:
    """Fine-tune T5 or mT5 on STS from several seeds, as Katsarou et al. (2022) do.

    The model learns to write the number after T5's own prompt ("stsb sentence1:
    ... sentence2: ..."), and stops when its Pearson correlation on the dev set
    rises no more. Every seed leaves a model folder (safetensors) and a line in
    training.json; the folder goes to curate occupations score as --model. A
    training that was cut off goes on when the same command is given again.

    Examples:

    [bold]curate occupations train --model google/mt5-small --sts stsb-sv-train.tsv \
--dev stsb-sv-dev.tsv --out out/mt5-small[/bold]

    [bold]curate occupations train --model google-t5/t5-small --sts train.csv.gz --dev dev.csv.gz \
--seeds 0 --optimizer adamw --learning-rate 1e-4 --out out/t5[/bold]
    """
    from curate.models.sts import TrainSettings
    from curate.occupations.similarity.training import train_seeds
    from curate.sources.sts import read_sts

    settings = TrainSettings(
        epochs=epochs, batch_size=batch_size, learning_rate=learning_rate,
        optimizer=optimizer.value, patience=patience, max_length=max_length, save_every=save_every,
    )  # fmt: skip
    with step_progress() as on_progress:
        record = train_seeds(
            model, read_sts(sts), read_sts(dev), out, seeds=_numbers(seeds), settings=settings,
            device=device, restart=restart, on_progress=on_progress,
        )  # fmt: skip
    if as_json:
        typer.echo(json.dumps(record, ensure_ascii=False, sort_keys=True))
        return
    for run in record["runs"]:
        best = run["best_pearson"]
        said = (
            "it did not learn to write numbers" if best is None
            else f"Pearson {best:.3f} on the dev set after epoch {run['best_epoch'] + 1}"
        )  # fmt: skip
        typer.echo(f"seed {run['seed']}: {said}; {run['finished']}")
    typer.echo(f"written to {out}")


def _numbers(seeds: str) -> list[int]:
    from curate.errors import UsageError

    try:
        return [int(part) for part in seeds.split(",")]
    except ValueError:
        raise UsageError(f"--seeds wants numbers, not {seeds!r}", hint="--seeds 0,1,2") from None
