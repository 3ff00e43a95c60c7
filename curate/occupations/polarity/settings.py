"""How polarity is measured."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Settings"]


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The model, and what of it is measured and how; `layer` is counted from the embeddings, 0."""

    model: str
    revision: str
    layer: int
    pool: str = "mean"
    at: str = "word"
    direction: str = "left-out"
    resamples: int = 1000
    permutations: int = 9999
    seed: int = 0
