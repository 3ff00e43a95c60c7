"""Fine-tune one model from several seeds, as the paper does with mT5: a folder a seed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from curate import schema
from curate.engine import write_json
from curate.errors import InputError, UsageError
from curate.models.seq2seq import HIGHEST, load_seq2seq
from curate.models.sts import SeedRun, StsExample, TrainSettings, train_seed
from curate.occupations.similarity.seeds import TRAINING
from curate.sources.sts import StsSet

__all__ = ["train_seeds"]

Progress = Callable[[str, float, int], None]
"""Hears what is being done, and how many steps of how many."""


def train_seeds(
    model: str,
    train: StsSet,
    dev: StsSet,
    out: Path,
    *,
    seeds: Sequence[int],
    settings: TrainSettings,
    device: str = "auto",
    restart: bool = False,
    on_progress: Progress | None = None,
) -> dict[str, Any]:
    """Train `model` once from every seed, into ``out/seed-N``; the record in ``training.json``.

    Seeds that are done are not trained again, and one that was cut off goes on. UsageError where
    another training lies in `out` (unless `restart`); InputError for sets without scores from 0
    to 5.
    """
    if len(set(seeds)) != len(seeds) or not seeds:
        raise UsageError("--seeds wants different numbers", hint="--seeds 0,1,2")
    sets = {"train": _examples(train), "dev": _examples(dev)}
    network = load_seq2seq(model, device=device)
    if restart:
        _forget(out)  # not before the model is known to be one
    record = _open(out, {
        "model": network.folder.name, "revision": network.folder.revision,
        "train": schema.table_hash(train.table), "dev": schema.table_hash(dev.table),
        "n_train": len(sets["train"]), "n_dev": len(sets["dev"]), "settings": asdict(settings),
    })  # fmt: skip
    done = {int(run["seed"]) for run in record["runs"]}
    record["seeds"] = sorted({*done, *seeds})  # one that was given up for fewer is not waited for
    write_json(out / TRAINING, record)
    for seed in seeds:
        if seed in done:
            continue
        # the network of the first seed is trained already: every seed begins with the same weights
        network = network if seed == seeds[0] else load_seq2seq(model, device=device)
        run = train_seed(
            network, sets["train"], sets["dev"], out / f"seed-{seed}", settings=settings,
            seed=seed, on_step=_steps(f"seed {seed}", on_progress),
        )  # fmt: skip
        record["runs"].append(_run(run))
        record["runs"].sort(key=lambda one: int(one["seed"]))
        write_json(out / TRAINING, record)
    return record


def _forget(out: Path) -> None:
    """Remove the models of a training and its record."""
    if (out / TRAINING).is_file():
        for folder in out.glob("seed-*"):
            shutil.rmtree(folder)
        (out / TRAINING).unlink()


def _steps(what: str, on_progress: Progress | None) -> Callable[[int, int, float], None]:
    def tell(done: int, of: int, loss: float) -> None:
        if on_progress is not None:
            on_progress(what, done, of)

    return tell


def _run(run: SeedRun) -> dict[str, Any]:
    said = {k: v for k, v in run.record().items() if k not in {"loss", "losses"}}
    return {**said, "folder": f"seed-{run.seed}"}


def _open(out: Path, given: dict[str, Any]) -> dict[str, Any]:
    """The record of the training that lies in `out`, or of a new one."""
    path = out / TRAINING
    if not path.is_file():
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"no folder to write to ({error.strerror})", where=out) from error
        return {**given, "seeds": [], "runs": []}
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        changed = sorted(name for name, value in given.items() if record.get(name) != value)
        runs = record["runs"]
    except (ValueError, AttributeError, KeyError) as error:
        raise InputError("not a record of a training", where=path) from error
    if changed:
        raise UsageError(
            f"a training with another {' and '.join(changed)} lies here",
            where=out,
            hint="--restart throws it away and begins anew; or name another folder",
        )
    return {**given, "seeds": record["seeds"], "runs": runs}


def _examples(found: StsSet) -> list[StsExample]:
    rows = found.table.select(["sentence1", "sentence2", "score"]).to_pylist()
    scores = [row["score"] for row in rows]
    if min(scores) < 0 or max(scores) > HIGHEST or max(scores) <= 1:
        raise InputError(
            f"its scores go from {min(scores):g} to {max(scores):g}, not from 0 to {HIGHEST:g}",
            where=found.source,
            hint="multiply the scores of a set from 0 to 1 by 5",
        )
    return [StsExample(**row) for row in rows]
