"""What a training is given, and what it tells."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from curate.errors import UsageError

__all__ = ["OPTIMIZERS", "SeedRun", "StsExample", "TrainSettings", "target_text"]

OPTIMIZERS = ("adamw", "adafactor")


class StsExample(NamedTuple):
    """Two sentences and how alike people find them, from 0 to 5."""

    sentence1: str
    sentence2: str
    score: float


@dataclass(frozen=True, slots=True)
class TrainSettings:
    """How to train.

    `learning_rate` falls linearly to 0 at the end of `epochs`, after a warm-up over `warmup` of the
    steps. Training stops when the Pearson correlation on the dev set has not risen for `patience`
    epochs. Inputs of more than `max_length` tokens are left out.
    """

    epochs: int = 10
    batch_size: int = 32
    learning_rate: float = 1e-3
    optimizer: str = "adafactor"
    warmup: float = 0.05
    patience: int = 3
    max_length: int = 256
    save_every: int = 200

    def __post_init__(self) -> None:
        if self.optimizer not in OPTIMIZERS:
            raise UsageError(
                f"unknown optimizer {self.optimizer!r}", hint=f"one of {', '.join(OPTIMIZERS)}"
            )

    def rate_at(self, step: int, steps: int) -> float:
        """The learning rate of a step, counted from 0, of `steps`."""
        rising = max(1, round(self.warmup * steps))
        if step < rising:
            return self.learning_rate * (step + 1) / rising
        return self.learning_rate * (steps - step) / max(1, steps - rising)


@dataclass
class SeedRun:
    """What one seed came to: an entry an epoch (loss, dev Pearson, numbers not written), the best.

    `epoch` (from 0) and `loss` (its sum so far) are where the run stands; `finished` says why it
    ended.
    """

    seed: int
    history: list[dict[str, Any]] = field(default_factory=list)
    best_epoch: int | None = None
    best_pearson: float | None = None
    finished: str = ""
    loss: float = 0.0
    losses: int = 0

    def record(self) -> dict[str, Any]:
        """All of it, as JSON values."""
        return asdict(self)


def target_text(score: float) -> str:
    """A score as T5 writes it: to the nearest 0.2, with one decimal (Raffel et al. 2020, 2.4)."""
    return f"{round(score * 5) / 5:.1f}"
