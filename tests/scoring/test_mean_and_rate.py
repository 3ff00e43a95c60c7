"""Mean differences and rates: by hand, at the null, under exchange, against scipy and loops."""

from __future__ import annotations

import math
import tracemalloc
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from curate.scoring.estimate import affordable_draws, bootstrap
from curate.scoring.statistics import Estimate, fold_matrix, mean_difference, rate, share

NAN = float("nan")


def test_mean_by_hand() -> None:
    """1, 3, a tie and one left out: 4 / 3."""
    result = mean_difference(np.array([1.0, 3.0, 0.0, NAN]))
    assert (result.value, result.n, result.n_tied) == (pytest.approx(4 / 3), 3, 1)
    assert result.fold_values == pytest.approx((4 / 3,))
    assert result.fold_std is None
    assert result.ci_low is not None
    assert result.ci_high is not None
    assert 0.0 <= result.ci_low <= 4 / 3 <= result.ci_high <= 3.0


def test_mean_over_folds_by_hand() -> None:
    """Fold 0 has 1, 2, 6 (mean 3), fold 1 has 1 and 4 (mean 2.5); pair 9 is in no fold."""
    members = fold_matrix([[0, 1], [0], [0], [1], []])
    result = mean_difference(np.array([1.0, 2.0, 6.0, 4.0, 9.0]), members=members)
    assert result.fold_values == pytest.approx((3.0, 2.5))
    assert (result.value, result.n) == (pytest.approx(2.75), 4)
    assert result.fold_mean == pytest.approx(2.75)
    assert result.fold_std == pytest.approx(0.5 / math.sqrt(2))


def test_rate_by_hand() -> None:
    """3 of 4 and 1 of 6 is 4 of 10; a pair without tokens says nothing."""
    result = rate(np.array([3.0, 1.0, 0.0, NAN]), np.array([4.0, 6.0, 0.0, 2.0]))
    assert (result.value, result.n, result.n_tied) == (pytest.approx(40.0), 2, 0)
    assert result.ci_low == pytest.approx(100 / 6)
    assert result.ci_high == pytest.approx(75.0)


def test_rate_over_folds_by_hand() -> None:
    """Fold 0: (3 + 1) / (4 + 6); fold 1: 3 / 4."""
    result = rate(np.array([3.0, 1.0]), np.array([4.0, 6.0]), members=fold_matrix([[0, 1], [0]]))
    assert result.fold_values == pytest.approx((40.0, 75.0))
    assert result.value == pytest.approx(57.5)


def test_nothing_one_and_all_equal_are_defined_without_a_warning() -> None:
    none = np.array([NAN])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for result in (mean_difference(none), rate(none, none), mean_difference(np.array([]))):
            assert result == Estimate()
        one = mean_difference(np.array([0.3]))
        assert (one.value, one.ci_low, one.ci_high, one.std_error, one.n) == (0.3, 0.3, 0.3, 0.0, 1)
        members = fold_matrix([[0, 1], [1], [0]] * 7)
        equal = mean_difference(np.full(21, 0.1), members=members)
        assert (equal.value, equal.ci_low, equal.ci_high, equal.std_error) == (0.1, 0.1, 0.1, 0.0)
        pure = rate(np.full(9, 2.0), np.full(9, 8.0))
        assert (pure.value, pure.ci_low, pure.ci_high, pure.std_error) == (25.0, 25.0, 25.0, 0.0)
        alike = share(np.ones(5), np.zeros(5))
        # Clopper and Pearson: 0.025 ** (1 / 5)
        assert (alike.value, alike.ci_high, alike.std_error) == (100.0, 100.0, 0.0)
        assert alike.ci_low == pytest.approx(100 * stats.beta.ppf(0.025, 5, 1))
        other = share(np.zeros(5), np.ones(5))
        assert (other.ci_low, other.ci_high) == (0.0, pytest.approx(100 - alike.ci_low))


def test_infinite_values_are_refused() -> None:
    with pytest.raises(ValueError, match="infinite"):
        mean_difference(np.array([1.0, np.inf]))


def test_standard_errors_are_those_of_the_textbook() -> None:
    random = np.random.default_rng(2)
    values = random.normal(size=400)
    mean = mean_difference(values, resamples=9_999)
    assert mean.std_error == pytest.approx(values.std() / 20, rel=0.03)
    wins = (values > 0.3).astype(float)
    won = wins.mean()
    own = share(wins, np.full(400, 0.5))
    assert own.std_error == pytest.approx(100 * math.sqrt(won * (1 - won) / 400), rel=0.03)


def test_against_scipy() -> None:
    random = np.random.default_rng(3)
    values = random.exponential(size=60) - 0.8
    ours = mean_difference(values, seed=1, resamples=20_000)
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=20_000, method="percentile", rng=random, batch=1000
    )
    assert ours.std_error == pytest.approx(theirs.standard_error, rel=0.03)
    assert ours.ci_low == pytest.approx(theirs.confidence_interval.low, abs=0.015)
    assert ours.ci_high == pytest.approx(theirs.confidence_interval.high, abs=0.015)


@pytest.mark.parametrize("folds", [1, 5])
def test_null_differences_hold_0_at_the_nominal_rate(folds: int) -> None:
    random = np.random.default_rng(11)
    sets, inside = 300, 0
    for number in range(sets):
        differences = random.normal(size=120)
        members = np.ones((120, 1), dtype=np.bool_)
        if folds > 1:
            members = random.random((120, folds)) < 0.7
        result = mean_difference(differences, members=members, seed=number, resamples=999)
        assert result.ci_low is not None
        assert result.ci_high is not None
        inside += result.ci_low <= 0.0 <= result.ci_high
    low, high = stats.binom.ppf([0.001, 0.999], sets, 0.95) / sets
    assert low <= inside / sets <= high


def test_folds_of_the_same_pairs_do_not_narrow_the_interval() -> None:
    """Five copies of one fold hold no more than that fold."""
    values = np.random.default_rng(4).normal(size=50)
    once = mean_difference(values)
    five = mean_difference(values, members=np.ones((50, 5), dtype=np.bool_))
    assert five.ci_low == pytest.approx(once.ci_low)
    assert five.std_error == pytest.approx(once.std_error)


ROWS = st.lists(
    st.tuples(st.integers(-4, 4), st.integers(1, 6), st.sets(st.integers(0, 2), min_size=1)),
    min_size=1,
    max_size=20,
)


@settings(max_examples=80, deadline=None)
@given(ROWS)
def test_against_plain_loops(rows: list[tuple[int, int, set[int]]]) -> None:
    means, rates = [], []
    for fold in range(3):
        inside = [(value, count) for value, count, folds in rows if fold in folds]
        if inside:
            means.append(sum(value for value, _ in inside) / len(inside))
            rates.append(100 * sum(abs(v) for v, _ in inside) / sum(c for _, c in inside))
    values, counts = (np.array([float(row[i]) for row in rows]) for i in (0, 1))
    members = fold_matrix([sorted(row[2]) for row in rows])
    mean = mean_difference(values, members=members, resamples=20)
    assert mean.value == pytest.approx(sum(means) / len(means))
    assert mean.n_tied == sum(row[0] == 0 for row in rows)
    pooled = rate(np.abs(values), counts, members=members, resamples=20)
    assert pooled.value == pytest.approx(sum(rates) / len(rates))


@settings(max_examples=40, deadline=None)
@given(ROWS)
def test_exchanging_the_sides_mirrors_the_mean(rows: list[tuple[int, int, set[int]]]) -> None:
    values = np.array([float(row[0]) for row in rows])
    one, other = (mean_difference(sign * values, resamples=200) for sign in (1, -1))
    assert one.value == pytest.approx(-(other.value or 0.0))
    assert one.ci_low == pytest.approx(-(other.ci_high or 0.0))
    assert one.std_error == pytest.approx(other.std_error)


def test_the_seed_decides() -> None:
    values = np.random.default_rng(1).normal(size=60)
    assert mean_difference(values, seed=4) == mean_difference(values, seed=4)
    assert mean_difference(values, seed=4).ci_low != mean_difference(values, seed=5).ci_low


def test_many_pairs_take_fewer_draws_and_little_memory() -> None:
    assert affordable_draws(1_000, 9_999) == 9_999
    assert affordable_draws(100_000, 9_999) == 2_000
    assert affordable_draws(10**9, 9_999) == 999
    assert affordable_draws(10**9, 99) == 99
    differences = np.random.default_rng(5).normal(size=100_000)
    tracemalloc.start()
    result = mean_difference(differences, resamples=40)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert result.draws == 40
    assert peak < 50e6


def test_a_draw_without_a_value_leaves_no_interval() -> None:
    def undefined(counts: np.ndarray) -> np.ndarray:
        return np.where(counts[:, 0] > 0, 1.0, NAN)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = bootstrap(undefined, [5], seed=0, draws=200, confidence=0.95)
    assert (found.low, found.high, found.std_error) == (None, None, None)
