"""Whether a mean over sentences differs from 0: sign flips, and Holm's correction over words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from curate.corrections import holm

__all__ = ["SAME", "corrected", "enough_permutations", "sign_flip_tests"]

SAME = 1e-6
"""Values closer together are one value but for rounding of the model's float32."""

_ROUNDING = 1e-12
_FLIPS = 40  # a word, at least: the smallest corrected p is then 1/40
_AT_ONCE = 1_000

Floats = NDArray[np.float64]


def enough_permutations(permutations: int, *, words: int) -> int:
    """`permutations`, or as many as leave a p under 5 % when it is corrected over `words`."""
    return max(permutations, _FLIPS * words - 1)


def sign_flip_tests(values: Floats, *, permutations: int, seed: int) -> list[float | None]:
    """Two-sided p for every row of `values` [rows, n], NaN where a sentence has none.

    Under the null a sentence's value is as likely to stand on one side of 0 as on the other, at the
    same distance. All 2^n ways are counted where they are no more than `permutations`; else so many
    are drawn, the same for all rows, and the observed one counts as another. None where a row has
    fewer than two values, or the same one throughout: then it tells of one sentence only.
    """
    known = np.isfinite(values)
    filled = np.where(known, values, 0.0)
    observed = np.abs(filled.sum(axis=1))
    least = observed - _ROUNDING * np.abs(filled).sum(axis=1)
    n = values.shape[1]
    exact = n < 60 and 2**n <= permutations
    reached = np.zeros(len(values))
    total = 0
    for signs in _all_signs(n) if exact else _drawn_signs(n, permutations, seed):
        reached += (np.abs(signs @ filled.T) >= least).sum(axis=0)
        total += len(signs)
    more = 0 if exact else 1
    return [
        float((reached[at] + more) / (total + more))
        if known[at].sum() > 1 and np.ptp(values[at][known[at]]) > SAME
        else None
        for at in range(len(values))
    ]


def _all_signs(n: int) -> list[Floats]:
    bits = (np.arange(2**n)[:, None] >> np.arange(n)) & 1
    return [1.0 - 2.0 * bits]


def _drawn_signs(n: int, permutations: int, seed: int) -> list[Floats]:
    generator = np.random.default_rng(seed)
    sizes = [min(_AT_ONCE, permutations - at) for at in range(0, permutations, _AT_ONCE)]
    drawn = [generator.integers(0, 2, size=(size, n)).astype(np.float64) for size in sizes]
    return [1.0 - 2.0 * bits for bits in drawn]


def corrected(chances: Sequence[float | None]) -> list[float | None]:
    """p values corrected by Holm's rule, in order; None stays and is not counted."""
    known = iter(holm([p for p in chances if p is not None]))
    return [None if p is None else next(known) for p in chances]
