"""Shares: by hand, at the null, under exchange, and against scipy and plain loops."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from curate.scoring import share
from curate.scoring.statistics import fold_matrix

NAN = float("nan")


def test_by_hand() -> None:
    """Five pairs: two wins, one loss, one tie, one left out: 2 of 4."""
    a = np.array([-1.0, -2.0, -3.0, -4.0, NAN])
    b = np.array([-2.0, -3.0, -1.0, -4.0, -1.0])
    result = share(a, b)
    assert (result.value, result.n, result.n_tied) == (50.0, 4, 1)
    assert result.fold_std is None
    assert result.ci_low is not None
    assert result.ci_high is not None
    assert 0.0 <= result.ci_low <= 50.0 <= result.ci_high <= 100.0


def test_nothing_to_count() -> None:
    result = share(np.array([NAN]), np.array([1.0]))
    assert (result.value, result.ci_low, result.n) == (None, None, 0)


def test_folds_by_hand() -> None:
    """Fold 0 has pairs 0, 1, 2 (one win of three), fold 1 has pairs 0, 1, 3 (two of three)."""
    a, b = np.array([1.0, 0.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0, 0.0])
    members = fold_matrix([[0, 1], [0, 1], [0], [1]])
    result = share(a, b, members=members)
    assert result.fold_values == pytest.approx((100 / 3, 200 / 3))
    assert result.value == pytest.approx(50.0)
    assert result.fold_mean == pytest.approx(50.0)
    assert result.fold_std == pytest.approx((100 / 3) / math.sqrt(2))
    assert result.n == 4


def test_a_table_without_folds_is_one_fold() -> None:
    assert fold_matrix([[], [], []]).tolist() == [[True]] * 3


def test_pairs_outside_every_fold_do_not_count() -> None:
    a, b = np.array([1.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])
    result = share(a, b, members=fold_matrix([[0], [], [0]]))
    assert (result.value, result.n) == (50.0, 2)


def test_null_scores_give_half_at_the_nominal_rate() -> None:
    """Independent random scores: 50 is in the 95 % interval in about 95 % of the data sets."""
    random = np.random.default_rng(7)
    sets, inside, values = 400, 0, []
    for number in range(sets):
        a, b = random.normal(size=(2, 150))
        result = share(a, b, seed=number, resamples=999)
        assert result.value is not None
        assert result.ci_low is not None
        assert result.ci_high is not None
        inside += result.ci_low <= 50.0 <= result.ci_high
        values.append(result.value)
    low, high = stats.binom.ppf([0.001, 0.999], sets, 0.95) / sets
    assert low <= inside / sets <= high
    assert np.mean(values) == pytest.approx(50.0, abs=4 * 100 * 0.5 / math.sqrt(150 * sets))


def test_null_scores_in_overlapping_folds() -> None:
    random = np.random.default_rng(8)
    sets, inside = 200, 0
    for number in range(sets):
        a, b = random.normal(size=(2, 120))
        members = random.random((120, 5)) < 0.7
        result = share(a, b, members=members, seed=number, resamples=999)
        assert result.ci_low is not None
        assert result.ci_high is not None
        inside += result.ci_low <= 50.0 <= result.ci_high
    low, high = stats.binom.ppf([0.001, 0.999], sets, 0.95) / sets
    assert low <= inside / sets <= high


def test_a_biased_model_is_seen() -> None:
    random = np.random.default_rng(9)
    a, b = random.normal(size=(2, 400))
    result = share(a + 1.0, b)
    assert result.ci_low is not None
    assert result.ci_low > 50.0


VALUES = st.lists(
    st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.sets(st.integers(0, 2), min_size=1)),
    min_size=1,
    max_size=30,
)


@settings(max_examples=150, deadline=None)
@given(VALUES)
def test_against_plain_loops(rows: list[tuple[int, int, set[int]]]) -> None:
    """The mean over folds of 100 · |a > b| / |fold|, one fold after the other."""
    shares = []
    for fold in range(3):
        inside = [(a, b) for a, b, folds in rows if fold in folds]
        if inside:
            shares.append(100 * sum(a > b for a, b in inside) / len(inside))
    a, b = (np.array([float(row[i]) for row in rows]) for i in (0, 1))
    result = share(a, b, members=fold_matrix([sorted(row[2]) for row in rows]), resamples=50)
    assert result.value == pytest.approx(sum(shares) / len(shares))
    assert result.n_tied == sum(row[0] == row[1] for row in rows)


@settings(max_examples=100, deadline=None)
@given(VALUES)
def test_exchanging_the_sides(rows: list[tuple[int, int, set[int]]]) -> None:
    """With one fold: share + exchanged share + share of ties = 100."""
    a, b = (np.array([float(row[i]) for row in rows]) for i in (0, 1))
    one, other = share(a, b, resamples=50), share(b, a, resamples=50)
    assert one.value is not None
    assert other.value is not None
    assert one.value + other.value + 100 * one.n_tied / one.n == pytest.approx(100.0)


def test_the_interval_is_the_percentile_bootstrap_of_scipy() -> None:
    random = np.random.default_rng(3)
    wins = (random.random(80) < 0.4).astype(float)
    ours = share(wins, np.full(80, 0.5), resamples=20_000, seed=1)
    theirs = stats.bootstrap(
        (wins,), np.mean, n_resamples=20_000, method="percentile", rng=random, batch=1000
    ).confidence_interval
    assert ours.ci_low == pytest.approx(100 * theirs.low, abs=1.3)
    assert ours.ci_high == pytest.approx(100 * theirs.high, abs=1.3)


def test_the_seed_decides() -> None:
    a, b = np.random.default_rng(1).normal(size=(2, 60))
    assert share(a, b, seed=4) == share(a, b, seed=4)
