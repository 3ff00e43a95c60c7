"""Vectors of a table that were made up: at random, or with gender planted in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curate.occupations.polarity import Settings, TableVectors
from curate.occupations.polarity.vectors import Subject

__all__ = ["SETTINGS", "made_vectors", "planted_vectors", "random_vectors"]

Floats = NDArray[np.float64]

SETTINGS = Settings(model="made", revision="0", layer=1, resamples=200, permutations=499)


def made_vectors(
    he: Floats, she: Floats, words: Floats, *, shares: Sequence[float | None] = ()
) -> TableVectors:
    """As read from a table; subjects are w0, w1, …"""
    known = [*shares, *[None] * (len(words) - len(shares))]
    subjects = [Subject(f"w{n}", f"w{n}", "common", "", known[n]) for n in range(len(words))]
    tokens = np.where(np.isnan(words).any(axis=2), 0, 1)
    sentences = [(f"s{n}", n) for n in range(len(he))]
    return TableVectors("en", sentences, subjects, he, she, words, tokens, [])


def random_vectors(
    seed: int, *, n: int = 30, size: int = 24, words: int = 12, common: float = 0.0
) -> TableVectors:
    """Every vector by itself; `common` is the length of a part that all share."""
    random = np.random.default_rng(seed)
    part = common * random.normal(size=size)
    he, she = (part + random.normal(size=(n, size)) for _ in range(2))
    return made_vectors(he, she, part + random.normal(size=(words, n, size)))


def planted_vectors(
    seed: int, strengths: Sequence[float], **options: Any
) -> tuple[TableVectors, Floats]:
    """(vectors, direction): he and she at -1 and 1 along it, words at their `strengths`."""
    made = random_vectors(seed, words=len(strengths), **options)
    direction = np.random.default_rng(seed + 1).normal(size=made.he.shape[1])
    direction *= 8 / np.linalg.norm(direction)
    words = made.words + np.array(strengths)[:, None, None] * direction
    return made_vectors(made.he - direction, made.she + direction, words), direction
