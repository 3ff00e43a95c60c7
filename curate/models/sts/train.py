"""Train one seed: cross entropy on the number to be written, early stop on the dev set.

The task is put as text, as T5 puts STS-B (Raffel et al. 2020): the model learns to write the number
after the prompt of `curate.models.seq2seq`, so that what is trained is asked in the same way as
what was published. The seed draws the order of the examples and the dropout, which is drawn anew
for every step: a run that goes on from its state ends with the same weights as one that was never
cut off. All files are safetensors (the trainer of transformers would pickle its optimizer).
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from curate.errors import InputError
from curate.models.pretraining.checkpoint import read_metadata, restore, save_state
from curate.models.seq2seq import Seq2seqNetwork, TextSimilarity
from curate.models.sts.batches import Encoded, encode_examples, epoch_batches, tensors
from curate.models.sts.settings import SeedRun, StsExample, TrainSettings

__all__ = ["pearson", "train_seed"]

_CLIP = 1.0
_FEWEST = 3  # numbers of which a correlation says anything

OnStep = Callable[[int, int, float], None]
"""Hears the steps done, of how many, and the loss of the last."""


def train_seed(
    network: Seq2seqNetwork,
    train: Sequence[StsExample],
    dev: Sequence[StsExample],
    out: Path,
    *,
    settings: TrainSettings,
    seed: int,
    on_step: OnStep | None = None,
) -> SeedRun:
    """Train `network` (freshly loaded) and leave the weights of its best epoch in `out`.

    `out` then is a model folder. Goes on from ``out/state`` where there is one. Raises InputError
    where no example fits into the model.
    """
    import torch

    examples, left_out = encode_examples(train, network.tokenizer, max_length=settings.max_length)
    if not examples or not dev:
        raise InputError(
            "there is nothing to train on" if dev else "the dev set is empty",
            hint=f"{left_out} examples are longer than {settings.max_length} tokens",
        )
    model = network.model
    torch.manual_seed(seed)
    optimizer = _optimizer(model, settings, torch)
    run, step = SeedRun(seed), 0
    found = read_metadata(out / "state")
    if found is not None:
        run = SeedRun(**found[1]["run"])
        step = restore(out / "state", model, optimizer)
    trainer = _Trainer(
        network, examples=examples, dev=list(dev), out=out, settings=settings, run=run,
        optimizer=optimizer,
    )  # fmt: skip
    trainer.run_from(step, on_step or (lambda done, of, loss: None))
    shutil.rmtree(out / "state", ignore_errors=True)
    return run


class _Trainer:
    """The loop over epochs and steps."""

    def __init__(
        self,
        network: Seq2seqNetwork,
        *,
        examples: Sequence[Encoded],
        dev: Sequence[StsExample],
        out: Path,
        settings: TrainSettings,
        run: SeedRun,
        optimizer: Any,
    ) -> None:
        self._network = network
        self._examples = examples
        self._dev = dev
        self._out = out
        self._settings = settings
        self._run = run
        self._optimizer = optimizer
        self._each = -(-len(examples) // settings.batch_size)
        self._steps = self._each * settings.epochs

    def run_from(self, step: int, on_step: OnStep) -> None:
        """Train to the end; `step` steps are done."""
        while not self._run.finished:
            epoch, within = divmod(step, self._each)
            batches = epoch_batches(
                self._examples, size=self._settings.batch_size, seed=self._run.seed, epoch=epoch
            )
            for batch in batches[within:]:
                loss = self._train(batch, step)
                step += 1
                on_step(step, self._steps, loss)
                if step % self._settings.save_every == 0 and step % self._each:
                    self._save(step)
            self._end_epoch(epoch)
            self._save(step)

    def _train(self, batch: Sequence[Encoded], step: int) -> float:
        """One step; its loss."""
        import torch

        model = self._network.model
        torch.manual_seed(self._run.seed * 1_000_003 + step)  # of the dropout
        for group in self._optimizer.param_groups:
            group["lr"] = self._settings.rate_at(step, self._steps)
        model.train()
        padding = int(model.config.pad_token_id or 0)
        loss = model(**tensors(batch, padding=padding, device=self._network.device)).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), _CLIP)
        self._optimizer.step()
        self._optimizer.zero_grad()
        self._run.loss += float(loss.detach()) * len(batch)
        self._run.losses += len(batch)
        return float(loss.detach())

    def _end_epoch(self, epoch: int) -> None:
        """Measure on the dev set, keep the weights if they are the best, and see whether to end."""
        run, settings = self._run, self._settings
        self._network.model.eval()
        scorer = TextSimilarity(self._network)
        found = scorer.similarities([(one.sentence1, one.sentence2) for one in self._dev])
        correlation = pearson(found.values, np.array([one.score for one in self._dev]))
        unwritten = int(np.isnan(found.values).sum())
        run.history.append(
            {"epoch": epoch, "loss": run.loss / run.losses, "dev_pearson": correlation,
             "dev_n": len(self._dev), "dev_unwritten": unwritten}
        )  # fmt: skip
        run.loss, run.losses = 0.0, 0
        if run.best_pearson is None or (correlation is not None and correlation > run.best_pearson):
            run.best_epoch, run.best_pearson = epoch, correlation
            _keep(self._network, self._out)
        if run.best_pearson is not None and epoch - (run.best_epoch or 0) >= settings.patience:
            run.finished = f"no better for {settings.patience} epochs"
        elif epoch + 1 >= settings.epochs:
            run.finished = f"all {settings.epochs} epochs"

    def _save(self, step: int) -> None:
        config = {"run": self._run.record(), "settings": asdict(self._settings)}
        save_state(
            self._out / "state", self._network.model, self._optimizer, step=step, config=config
        )


def pearson(values: np.ndarray[Any, Any], gold: np.ndarray[Any, Any]) -> float | None:
    """Pearson's correlation over the pairs with a value; None under 3 of them, or half of all."""
    held = np.isfinite(values)
    count = int(held.sum())
    if count < max(_FEWEST, len(values) / 2):
        return None
    own, true = values[held], gold[held]
    if own.std() == 0 or true.std() == 0:
        return None
    return float(np.corrcoef(own, true)[0, 1])


def _optimizer(model: Any, settings: TrainSettings, torch: Any) -> Any:
    if settings.optimizer == "adamw":
        return torch.optim.AdamW(model.parameters(), lr=settings.learning_rate, weight_decay=0.01)
    return torch.optim.Adafactor(model.parameters(), lr=settings.learning_rate)


def _keep(network: Seq2seqNetwork, out: Path) -> None:
    """Write the weights and the tokenizer, each file renamed into place when whole."""
    new = out / "best.part"
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    network.model.save_pretrained(new, safe_serialization=True)
    network.tokenizer.save_pretrained(new)
    for file in sorted(new.iterdir()):
        file.replace(out / file.name)
    new.rmdir()
