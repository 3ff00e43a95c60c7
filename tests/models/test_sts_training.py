"""Training on STS: the loss falls, a run that was cut off ends the same, seeds differ."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from curate.errors import InputError, UsageError
from curate.models.seq2seq import load_seq2seq, load_text_similarity
from curate.models.sts import OPTIMIZERS, SeedRun, StsExample, TrainSettings, train_seed
from curate.models.sts.settings import target_text
from curate.models.sts.train import pearson
from tests.models.tiny_t5 import save_tiny_t5

pytest.importorskip("torch", reason="needs the extra gender-curate[models]")

WORDS = ["He", "She", "walking", "park", "nurse", "engineer", "sings", "dances"]


def examples(count: int, *, seed: int) -> list[StsExample]:
    """Equal sentences (5) and sentences without a common word (0)."""
    rng = np.random.default_rng(seed)
    made = []
    for at in range(count):
        first = " ".join(rng.choice(WORDS[:4], 3))
        other = " ".join(rng.choice(WORDS[4:], 3))
        made.append(StsExample(first, first if at % 2 else other, 5.0 if at % 2 else 0.0))
    return made


TRAIN, DEV = examples(48, seed=1), examples(12, seed=2)


@pytest.fixture(scope="module")
def t5(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_t5(tmp_path_factory.mktemp("t5"))


def weights(folder: Path) -> str:
    return hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()


def settings(**changes: object) -> TrainSettings:
    own = {"epochs": 3, "batch_size": 8, "learning_rate": 0.01, "save_every": 4, "patience": 9}
    return TrainSettings(**{**own, **changes})


def train(t5: Path, out: Path, *, seed: int = 0, **changes: object) -> SeedRun:
    return train_seed(
        load_seq2seq(str(t5)), TRAIN, DEV, out, settings=settings(**changes), seed=seed
    )


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_the_loss_falls_and_a_model_comes_out(optimizer: str, t5: Path, tmp_path: Path) -> None:
    run = train(t5, tmp_path / "out", optimizer=optimizer)
    losses = [epoch["loss"] for epoch in run.history]
    assert losses[-1] < 0.6 * losses[0]
    assert run.finished == "all 3 epochs"
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert "model.safetensors" in names
    assert not [name for name in names if name.endswith((".bin", ".pt"))]
    assert not (tmp_path / "out" / "state").exists()
    written = load_text_similarity(str(tmp_path / "out")).similarities([("He sings", "He sings")])
    assert written.codes[0] in {"", "no-number", "out-of-range"}


def test_it_learns_what_is_alike(t5: Path, tmp_path: Path) -> None:
    run = train(t5, tmp_path / "out", epochs=14)
    assert run.best_pearson is not None
    assert run.best_pearson > 0.9


class Cut(Exception):
    pass


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("at", [3, 5, 6, 13])
def test_a_run_that_was_cut_off_ends_with_the_same_weights(
    at: int, optimizer: str, t5: Path, tmp_path: Path
) -> None:
    whole = train(t5, tmp_path / "whole", optimizer=optimizer)

    def cut(done: int, of: int, loss: float) -> None:
        if done == at:
            raise Cut

    with pytest.raises(Cut):
        train_seed(
            load_seq2seq(str(t5)), TRAIN, DEV, tmp_path / "cut",
            settings=settings(optimizer=optimizer), seed=0, on_step=cut,
        )  # fmt: skip
    resumed = train(t5, tmp_path / "cut", optimizer=optimizer)
    assert resumed.history == whole.history
    assert weights(tmp_path / "cut") == weights(tmp_path / "whole")


def test_seeds_differ_and_repeat(t5: Path, tmp_path: Path) -> None:
    for name, seed in (("a", 0), ("b", 0), ("c", 1)):
        train(t5, tmp_path / name, seed=seed, epochs=1)
    assert weights(tmp_path / "a") == weights(tmp_path / "b") != weights(tmp_path / "c")


def test_it_stops_when_the_dev_set_says_so(
    t5: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = iter([None, None, 0.5, 0.4, 0.3, 0.2, 0.9])
    monkeypatch.setattr("curate.models.sts.train.pearson", lambda values, gold: next(said))
    run = train(t5, tmp_path / "out", epochs=7, patience=2)
    assert (run.best_epoch, run.best_pearson, len(run.history)) == (2, 0.5, 5)
    assert run.finished == "no better for 2 epochs"


def test_pearson_by_hand() -> None:
    nan = float("nan")
    gold = np.array([1.0, 2.0, 3.0, 4.0])
    assert pearson(np.array([2.0, 4.0, 6.0, nan]), gold) == pytest.approx(1.0)
    assert pearson(np.array([2.0, nan, nan, nan]), gold) is None
    assert pearson(np.array([2.0, 2.0, 2.0, 2.0]), gold) is None


def test_targets_are_steps_of_a_fifth() -> None:
    assert [target_text(score) for score in (0, 3.75, 3.8, 2.1, 5)] == [
        "0.0", "3.8", "3.8", "2.0", "5.0"
    ]  # fmt: skip


def test_the_rate_rises_and_falls() -> None:
    own = settings(warmup=0.2)
    rates = [own.rate_at(step, 10) for step in range(10)]
    assert rates[:3] == pytest.approx([0.005, 0.01, 0.01])
    assert rates[2:] == sorted(rates[2:], reverse=True)
    assert rates[-1] == pytest.approx(0.00125)


def test_nothing_to_train_on_is_refused(t5: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing to train on"):
        train(t5, tmp_path / "out", max_length=2)
    with pytest.raises(UsageError, match="unknown optimizer"):
        settings(optimizer="sgd")
