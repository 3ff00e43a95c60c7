"""Pointwise mutual information of a word and a gender (Stanczak et al. 2023, equation 1).

PMI(w, g) = ln p(w | g) / p(w), in nats, from counts over all words and genders of the table. With
additive smoothing s every pair of a word and a gender counts s more. The paper's Table 3 ranks
words by the difference of two genders, which is ln p(w | a) - ln p(w | b).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curate.politicians.study.association import association
from curate.politicians.study.counts import WordUse
from curate.politicians.study.resampling import (
    DRAWS,
    affordable_draws,
    drawn_counts,
    percentiles,
)

__all__ = ["Difference", "Pmi", "bonferroni", "pmi", "pmi_difference", "pointwise"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Pmi:
    """PMI of (words, genders) of `use`, with its interval; minus infinity where none was seen.

    `drawn` are the (draws, words, genders) values of the bootstrap over people.
    """

    use: WordUse
    value: Floats
    low: Floats
    high: Floats
    drawn: NDArray[np.float32]


@dataclass(frozen=True)
class Difference:
    """PMI(w, first) - PMI(w, second) of (words,), with interval and test.

    `p` is that of no association by the `test` of each word (see
    `curate.politicians.study.association`), `p_bonferroni` is p times `tests`, the number of words
    beside either gender. A word beside one of the two alone has an infinite value, with its sign;
    NaN: beside neither.
    """

    words: tuple[str, ...]
    first: str
    second: str
    value: Floats
    low: Floats
    high: Floats
    p: Floats
    p_bonferroni: Floats
    test: tuple[str, ...]
    tests: int


def pmi(
    counts: NDArray[Any], totals: NDArray[Any], *, vocabulary: int, smoothing: float = 0.0
) -> Floats:
    """PMI of (..., words, genders) counts; `totals` are (..., genders) counts of all words.

    `vocabulary` is the number of all words, `smoothing` is added to each word and gender.
    """
    given, marginal = _logs(counts, totals, vocabulary, smoothing)
    with np.errstate(invalid="ignore"):
        values: Floats = given - marginal
    return values


def pointwise(
    use: WordUse,
    *,
    smoothing: float = 0.0,
    least: float = 5,
    draws: int = DRAWS,
    seed: int = 0,
    confidence: float = 0.95,
) -> Pmi:
    """PMI of the words that count at least `least`, with intervals over people."""
    kept, size = use.frequent(least), len(use.words)
    made = affordable_draws(kept.weights.nnz, draws)
    drawn = [
        pmi(counts, totals, vocabulary=size, smoothing=smoothing).astype(np.float32)
        for counts, totals in drawn_counts(kept, draws=made, seed=seed)
    ]
    held = np.concatenate(drawn)
    low, high = percentiles(held, confidence=confidence)
    value = pmi(kept.counts, kept.totals, vocabulary=size, smoothing=smoothing)
    return Pmi(kept, value, low, high, held)


def pmi_difference(found: Pmi, first: str, second: str, *, confidence: float = 0.95) -> Difference:
    """How differently two genders take each word: PMI(w, first) - PMI(w, second)."""
    genders = found.use.genders
    a, b = genders.index(first), genders.index(second)
    with np.errstate(invalid="ignore"):
        value = found.value[:, a] - found.value[:, b]
        low, high = percentiles(found.drawn[..., a] - found.drawn[..., b], confidence=confidence)
        # draws are kept in single precision: beyond the sixth digit they are noise
        low, high = np.round(low, 6) + 0.0, np.round(high, 6) + 0.0
    two = found.use.only_genders([first, second])
    tested, tests = association(two), int(two.holders.any(axis=1).sum())
    return Difference(
        found.use.words, first, second, value, low, high,
        tested.p, bonferroni(tested.p, tests=tests), tested.test, tests,
    )  # fmt: skip


def bonferroni(p: Floats, *, tests: int | None = None) -> Floats:
    """p times the number of tests (default: of values), at most 1."""
    corrected: Floats = np.minimum(1.0, p * (len(p) if tests is None else tests))
    return corrected


def _logs(
    counts: NDArray[Any], totals: NDArray[Any], vocabulary: int, smoothing: float
) -> tuple[Floats, Floats]:
    """ln p(w | g) and ln p(w), the latter (..., words, 1)."""
    genders = counts.shape[-1]
    each = totals[..., None, :] + smoothing * vocabulary
    whole = totals.sum(axis=-1)[..., None, None] + smoothing * vocabulary * genders
    together = counts.sum(axis=-1, keepdims=True) + smoothing * genders
    with np.errstate(divide="ignore", invalid="ignore"):
        given: Floats = np.log(counts + smoothing) - np.log(each)
        marginal: Floats = np.log(together) - np.log(whole)
    return given, marginal
