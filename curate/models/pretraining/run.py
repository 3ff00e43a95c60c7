"""One call from text files to a model folder: prepare, train or go on, measure, export."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curate.models.pretraining.batches import Batches
from curate.models.pretraining.corpus import Source
from curate.models.pretraining.export import export_model
from curate.models.pretraining.prepare import prepare
from curate.models.pretraining.train import TrainConfig, train

__all__ = ["Pretrained", "pretrain"]

MODEL = "model"


@dataclass(frozen=True)
class Pretrained:
    """Steps done of steps wanted; the exported folder and its card once all are done."""

    steps_done: int
    steps: int
    model: Path | None = None
    card: dict[str, Any] | None = None


def pretrain(
    sources: Sequence[Source],
    folder: Path,
    *,
    config: TrainConfig,
    words: Sequence[str],
    vocabulary: int,
    minutes: float | None = None,
    on_stage: Callable[[str], None] | None = None,
    on_step: Callable[[int, float, float], None] | None = None,
) -> Pretrained:
    """Train a small masked LM in `folder`, or go on with a run that was cut off.

    The weights depend on the text, `words` and `config` alone: a run that was killed or that
    stopped after `minutes` ends, when the same call is made again, with the weights of an
    undisturbed one (on one kind of processor). The finished model lies in ``folder/model``.
    """
    prepared = prepare(
        sources,
        folder,
        words=words,
        vocabulary=vocabulary,
        max_length=config.max_length,
        on_stage=on_stage,
    )
    done = 0

    def note(step: int, loss: float, rate: float) -> None:
        nonlocal done
        done = step
        if on_step:
            on_step(step, loss, rate)

    end = time.monotonic() + 60 * minutes if minutes else None
    if on_stage:
        on_stage("training")
    train(
        Batches(prepared.arrays, prepared.weights, config),
        prepared.tokenizer,
        config=config,
        folder=folder,
        on_step=note,
        stop=(lambda: time.monotonic() >= end) if end is not None else None,
    )
    done = done or config.steps
    if done < config.steps:
        return Pretrained(done, config.steps)
    if on_stage:
        on_stage("measuring and exporting")
    card = export_model(folder, folder / MODEL)
    return Pretrained(done, config.steps, folder / MODEL, card)
