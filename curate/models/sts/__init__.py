"""Fine-tune an encoder-decoder to write how alike two sentences are."""

from __future__ import annotations

from curate.models.sts.settings import OPTIMIZERS, SeedRun, StsExample, TrainSettings
from curate.models.sts.train import train_seed

__all__ = ["OPTIMIZERS", "SeedRun", "StsExample", "TrainSettings", "train_seed"]
