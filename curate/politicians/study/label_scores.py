"""How well told labels agree with given ones: accuracy, macro-F1, their intervals, and a test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from curate.politicians.study.latent_model import SENTIMENTS

__all__ = ["Agreement", "agreement", "better", "majority"]

Ints = NDArray[np.int64]
_DRAWS = 9_999


@dataclass(frozen=True, slots=True)
class Agreement:
    """Share that is right and mean F1 of the labels that are given, with bootstrap intervals.

    Of `n` items `n_known` hold something that the teller knows; `known` is its accuracy on these,
    None where there are none.
    """

    accuracy: float
    low: float
    high: float
    macro_f1: float
    f1_low: float
    f1_high: float
    n: int
    n_known: int
    known: float | None


def agreement(
    told: Sequence[str], labels: Sequence[str], known: Sequence[bool], *, seed: int = 0
) -> Agreement:
    """Labels that were told, and the given ones, both of `SENTIMENTS`; at least one item."""
    given, said = _codes(labels), _codes(told)
    size, n = len(SENTIMENTS), len(given)
    cells = np.bincount(size * given + said, minlength=size * size)
    # a bootstrap over items draws the numbers of their kinds: told and given alike
    drawn = np.random.default_rng(seed).multinomial(n, cells / n, _DRAWS)
    every = np.concatenate([cells[None], drawn]).reshape(-1, size, size)
    right = every.trace(axis1=1, axis2=2) / n
    f1 = _macro_f1(every, np.unique(given))
    low, high = (float(end) for end in np.quantile(right[1:], [0.025, 0.975]))
    f1_low, f1_high = (float(end) for end in np.quantile(f1[1:], [0.025, 0.975]))
    there = np.asarray(known, dtype=np.bool_)
    inside = float((given == said)[there].mean()) if there.any() else None
    return Agreement(
        float(right[0]), low, high, float(f1[0]), f1_low, f1_high, n, int(there.sum()), inside
    )


def majority(labels: Sequence[str]) -> str:
    """The label that most items have, the first of `SENTIMENTS` among equals."""
    return max(SENTIMENTS, key=list(labels).count)


def better(one: Sequence[str], other: Sequence[str], labels: Sequence[str]) -> float:
    """Two-sided p that two tellers are right equally often: McNemar's test, exact."""
    from scipy import stats

    given = _codes(labels)
    first, second = _codes(one) == given, _codes(other) == given
    apart = int((first != second).sum())
    fewer = min(int((first & ~second).sum()), int((second & ~first).sum()))
    return min(1.0, 2 * float(stats.binom.cdf(fewer, apart, 0.5))) if apart else 1.0


def _codes(labels: Sequence[str]) -> Ints:
    return np.array([SENTIMENTS.index(label) for label in labels], dtype=np.int64)


def _macro_f1(cells: Ints, present: Ints) -> NDArray[np.float64]:
    """Of (draws, given, told) numbers; a label that a draw neither gives nor tells counts 0."""
    right = np.diagonal(cells, axis1=1, axis2=2).astype(np.float64)
    both = cells.sum(axis=1) + cells.sum(axis=2)
    f1 = np.divide(2 * right, both, out=np.zeros_like(right), where=both > 0)
    mean: NDArray[np.float64] = f1[:, present].mean(axis=1)
    return mean
