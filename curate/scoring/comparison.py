"""Paired tests between two models that were scored on the same pairs.

Every pair has an outcome under each model: for a share whether side a is preferred (1 or 0), for a
mean the difference value_a - value_b. The statistic is the difference of the models' means. If the
models were alike, either outcome of a pair could have come from either model, so the two-sided p is
that of a sign-flip (paired permutation) test. For shares only the discordant pairs, on which one
model alone prefers side a, change their sign; the number of them that fall to the first model is
then binomial with 1/2, so the exact binomial test (McNemar's) is the permutation test with all
permutations made. Folds play no part here: every pair counts once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from curate.scoring.estimate import CONFIDENCE, RESAMPLES, affordable_draws, from_draws
from curate.scoring.scored_folder import MetricKind
from curate.scoring.statistics import mean_difference

__all__ = [
    "Aligned",
    "Comparison",
    "align",
    "compare_outcomes",
    "outcomes",
    "sign_flip",
    "valued",
    "values_of",
]

_BATCH = 1_000_000  # signs held at a time
_ROUNDING = 1e-12  # sums of the same numbers in another order differ by no more

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Aligned:
    """The values of the pairs that both models valued, (n, 2) each: columns a and b.

    `n_only_first` and `n_only_second` count the pairs that one model alone valued.
    """

    first: Floats
    second: Floats
    n_only_first: int
    n_only_second: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """A test of the difference between two models; None where no pair is common.

    Values are in percent for a share, in the metric's own unit for a mean, over the `n` common
    pairs. `p_holm` is `p` corrected for all tests of its family. `only_first` and `only_second`
    count a share's discordant pairs: those on which that model alone prefers side a. `exact` says
    that p is that of all permutations; else `permutations` random ones were made. The interval is
    that of `draws` bootstrap draws.
    """

    value_first: float | None = None
    value_second: float | None = None
    difference: float | None = None
    ci_low: float | None = None
    ci_high: float | None = None
    p: float | None = None
    p_holm: float | None = None
    n: int = 0
    only_first: int | None = None
    only_second: int | None = None
    exact: bool = True
    permutations: int | None = None
    draws: int = 0


def valued(table: pa.Table) -> pa.Table:
    """The rows of a table of scores that have a value on both sides."""
    sides = [pc.is_finite(table.column(f"value_{side}")) for side in ("a", "b")]
    return table.filter(pc.and_(*sides))


def values_of(table: pa.Table) -> Floats:
    """(n, 2) values of a table of scores: columns a and b."""
    return np.column_stack([table.column(f"value_{side}").to_numpy() for side in ("a", "b")])


def align(first: pa.Table, second: pa.Table) -> Aligned:
    """Two models' rows of one metric (`schema.SCORES`) side by side, by pair_id and row."""
    keys = ["pair_id", "row"]
    left, right = (valued(table).select([*keys, "value_a", "value_b"]) for table in (first, second))
    both = left.join(right, keys, join_type="inner", right_suffix="_second")
    # a join gives its rows in no order, and the drawn signs depend on it
    both = both.sort_by([("row", "ascending"), ("pair_id", "ascending")])
    own, other = both.select([0, 1, 2, 3]), both.select([0, 1, 4, 5])
    return Aligned(
        values_of(own),
        values_of(other.rename_columns(own.column_names)),
        n_only_first=left.num_rows - both.num_rows,
        n_only_second=right.num_rows - both.num_rows,
    )


def outcomes(values: Floats, kind: MetricKind) -> Floats:
    """(n,) outcomes of (n, 2) values: 1 where side a is preferred; for a mean a - b."""
    a, b = values[:, 0], values[:, 1]
    if kind.counted == "mean":
        return a - b
    return ((a > b) if kind.preferred == "higher" else (a < b)).astype(np.float64)


def compare_outcomes(
    first: Floats,
    second: Floats,
    *,
    counted: str,
    seed: int = 0,
    draws: int = RESAMPLES,
    confidence: float = CONFIDENCE,
) -> Comparison:
    """The test of the difference of two models' mean outcomes, (n,) each, and its interval.

    `counted` is ``share`` (outcomes 0 or 1) or ``mean``. The interval is the percentile bootstrap
    over pairs.
    """
    n = len(first)
    if not n:
        return Comparison()
    if counted == "share":
        return _compare_shares(first > 0, second > 0, seed=seed, draws=draws, confidence=confidence)
    differences = first - second
    found = mean_difference(differences, seed=seed, resamples=draws, confidence=confidence)
    p, made, exact = sign_flip(differences, seed=seed, draws=draws)
    return Comparison(
        value_first=float(first.mean()),
        value_second=float(second.mean()),
        difference=found.value,
        ci_low=found.ci_low,
        ci_high=found.ci_high,
        p=p,
        n=n,
        exact=exact,
        permutations=made,
        draws=found.draws,
    )


def _compare_shares(
    first: NDArray[np.bool_],
    second: NDArray[np.bool_],
    *,
    seed: int,
    draws: int,
    confidence: float,
) -> Comparison:
    from scipy import stats

    n = len(first)
    only_first, only_second = int((first & ~second).sum()), int((~first & second).sum())
    discordant = only_first + only_second
    p = stats.binomtest(only_first, discordant, 0.5).pvalue if discordant else 1.0
    # drawing pairs is drawing how many of each kind come
    kinds = np.array([only_first, only_second, n - discordant]) / n
    drawn = np.random.default_rng(seed).multinomial(n, kinds, size=draws)
    found = from_draws(100 * (drawn[:, 0] - drawn[:, 1]) / n, confidence=confidence)
    return Comparison(
        value_first=100 * float(first.mean()),
        value_second=100 * float(second.mean()),
        difference=100 * (only_first - only_second) / n,
        ci_low=found.low,
        ci_high=found.high,
        p=float(p),
        n=n,
        only_first=only_first,
        only_second=only_second,
        draws=draws,
    )


def sign_flip(
    differences: Floats, *, seed: int = 0, draws: int = RESAMPLES
) -> tuple[float, int, bool]:
    """Two-sided p that (n,) differences have mean 0, the sign of each being a toss of a coin.

    Also how many sign patterns were made, and whether they are all there are: all of them where
    `draws` allows it, else random ones, with the observed one added to them.
    """
    moving = differences[differences != 0]
    observed = abs(float(moving.sum()))
    least = observed - _ROUNDING * float(np.abs(moving).sum())
    exact = len(moving) < 60 and 2 ** len(moving) <= draws
    made = 2 ** len(moving) if exact else affordable_draws(len(moving), draws)
    random = np.random.default_rng(seed)
    extreme = 0
    size = max(1, _BATCH // max(len(moving), 1))
    for start in range(0, made, size):
        many = min(size, made - start)
        if exact:
            patterns = np.arange(start, start + many)
            signs = (patterns[:, None] >> np.arange(len(moving)) & 1).astype(np.uint8)
        else:
            packed = random.integers(0, 256, (many, -(-len(moving) // 8)), dtype=np.uint8)
            signs = np.unpackbits(packed, axis=1, count=len(moving))
        sums = (2.0 * signs - 1.0) @ moving
        extreme += int((np.abs(sums) >= least).sum())
    return (extreme / made if exact else (extreme + 1) / (made + 1)), made, exact
