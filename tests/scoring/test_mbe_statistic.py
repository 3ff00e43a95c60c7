"""The statistic of MBE: by hand, against whole matrices, its bootstrap, its ties, its memory."""

from __future__ import annotations

import tracemalloc
import warnings
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from curate.scoring import mbe_statistic
from curate.scoring.mbe_statistic import mbe

Array = NDArray[np.float64]
NAN = float("nan")


def weights(one: Array, other: Array) -> Array:
    """Cosines of all pairs, one after the other."""
    return np.array(
        [[x @ y / np.sqrt((x @ x) * (y @ y)) for y in other] for x in one], dtype=np.float64
    )


def sample(seed: int, n: int, *, lean: float = 0.0) -> tuple[Array, Array, Array, Array]:
    """Scores and embeddings of two sets whose embeddings point roughly the same way."""
    random = np.random.default_rng(seed)
    scores_m, scores_f = random.normal(size=(2, n))
    vectors_m, vectors_f = random.normal(size=(2, n, 6)) + 1.5
    return scores_m + lean, vectors_m, scores_f, vectors_f


def test_by_hand() -> None:
    """γ(m0, f0) = 1, γ(m0, f1) = 3/5, γ(m1, f0) = 0, γ(m1, f1) = 4/5; I = 1, 0, 1, 0.

    (1 · 1 + 3/5 · 0 + 0 · 1 + 4/5 · 0) / (1 + 3/5 + 0 + 4/5) = 1 / 2.4. The dot products are
    2, 6, 0 and 12 (m0 = (2, 0), m1 = (0, 3), f0 = (1, 0), f1 = (3, 4)): 2 / 20.
    """
    m, f = np.array([[2.0, 0.0], [0.0, 3.0]]), np.array([[1.0, 0.0], [3.0, 4.0]])
    scores_m, scores_f = np.array([-1.0, -2.0]), np.array([-3.0, -1.0])
    cosine = mbe(scores_m, m, scores_f, f, paired=True)
    assert cosine.value == pytest.approx(100 / 2.4)
    assert (cosine.n, cosine.n_tied) == (2, 1)
    assert mbe(scores_m, m, scores_f, f, paired=False).n == 4
    dots = mbe(scores_m, m, scores_f, f, paired=True, cosine=False)
    assert dots.value == pytest.approx(10.0)


def test_sentences_without_a_score_are_left_out() -> None:
    scores_m, m, scores_f, f = sample(1, 8)
    scores_m[2], scores_f[5] = NAN, NAN
    without = np.array([0, 1, 3, 4, 6, 7])
    paired = mbe(scores_m, m, scores_f, f, paired=True)
    assert paired.value == pytest.approx(
        mbe(scores_m[without], m[without], scores_f[without], f[without], paired=True).value
    )
    assert paired.n == 6
    assert mbe(scores_m, m, scores_f, f, paired=False).n == 14


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(-3, 3), st.sets(st.integers(0, 2))), min_size=1, max_size=12),
    st.lists(st.tuples(st.integers(-3, 3), st.sets(st.integers(0, 2))), min_size=1, max_size=12),
    st.integers(0, 99),
)
def test_against_whole_matrices(
    one: list[tuple[int, set[int]]], other: list[tuple[int, set[int]]], seed: int
) -> None:
    """Every pair of a fold, one after the other; the mean of the folds that have a value."""
    random = np.random.default_rng(seed)
    m, f = random.normal(size=(len(one), 3)) + 1, random.normal(size=(len(other), 3)) + 1
    gamma = weights(m, f)
    expected = []
    for fold in range(3):
        inside = [
            (i, j)
            for i, j in product(range(len(one)), range(len(other)))
            if fold in one[i][1] and fold in other[j][1]
        ]
        below = sum(gamma[i, j] for i, j in inside)
        if below > 1e-9:
            above = sum(gamma[i, j] for i, j in inside if one[i][0] > other[j][0])
            expected.append(100 * above / below)
    members = [np.array([[fold in folds for fold in range(3)] for _, folds in side])
               for side in (one, other)]  # fmt: skip
    scores = [np.array([float(value) for value, _ in side]) for side in (one, other)]
    old = mbe_statistic._BLOCK
    mbe_statistic._BLOCK = 3
    try:
        result = mbe(
            scores[0], m, scores[1], f,
            members_m=members[0], members_f=members[1], paired=False, resamples=9,
        )  # fmt: skip
    finally:
        mbe_statistic._BLOCK = old
    assert result.fold_values == pytest.approx(expected)
    assert result.value == (pytest.approx(np.mean(expected)) if expected else None)
    ties = sum(a == b for (a, p), (b, q) in product(one, other) if p and q)
    assert result.n_tied == ties


def test_exchanging_the_sides() -> None:
    """Without ties MBE and exchanged MBE add up to 100."""
    scores_m, m, scores_f, f = sample(2, 30)
    there = mbe(scores_m, m, scores_f, f, paired=True)
    back = mbe(scores_f, f, scores_m, m, paired=True)
    assert there.n_tied == 0
    assert (there.value or 0) + (back.value or 0) == pytest.approx(100.0)
    assert (there.ci_low or 0) + (back.ci_high or 0) == pytest.approx(100.0)


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("lean", [0.0, 0.7])
def test_the_interval_is_that_of_the_full_bootstrap(paired: bool, lean: float) -> None:
    """Sentences (or pairs) drawn, the whole matrix summed again each time."""
    scores_m, m, scores_f, f = sample(5, 60, lean=lean)
    result = mbe(scores_m, m, scores_f, f, paired=paired)
    gamma = weights(m, f)
    counted = gamma * (scores_m[:, None] > scores_f[None, :])
    random = np.random.default_rng(6)
    values = []
    for _ in range(4_000):
        rows = random.integers(60, size=60)
        columns = rows if paired else random.integers(60, size=60)
        at = np.ix_(rows, columns)
        values.append(100 * counted[at].sum() / gamma[at].sum())
    low, high = np.percentile(values, [2.5, 97.5])
    assert result.ci_low == pytest.approx(low, abs=2.0)
    assert result.ci_high == pytest.approx(high, abs=2.0)
    assert result.std_error == pytest.approx(np.std(values), rel=0.1)


def test_the_interval_in_folds_is_that_of_the_full_bootstrap() -> None:
    scores_m, m, scores_f, f = sample(7, 60)
    random = np.random.default_rng(8)
    members = random.random((60, 3)) < 0.7
    result = mbe(scores_m, m, scores_f, f, members_m=members, members_f=members, paired=True)
    gamma = weights(m, f)
    counted = gamma * (scores_m[:, None] > scores_f[None, :])
    values = []
    for _ in range(2_000):
        rows = random.integers(60, size=60)
        shares = []
        for fold in range(3):
            own = rows[members[rows, fold]]
            at = np.ix_(own, own)
            shares.append(100 * counted[at].sum() / gamma[at].sum())
        values.append(np.mean(shares))
    low, high = np.percentile(values, [2.5, 97.5])
    assert result.ci_low == pytest.approx(low, abs=2.0)
    assert result.ci_high == pytest.approx(high, abs=2.0)


@pytest.mark.parametrize("paired", [True, False])
def test_null_scores_hold_50_at_the_nominal_rate(paired: bool) -> None:
    sets, inside = 250, 0
    for number in range(sets):
        result = mbe(*sample(1_000 + number, 80), paired=paired, seed=number, resamples=999)
        assert result.ci_low is not None
        assert result.ci_high is not None
        inside += result.ci_low <= 50.0 <= result.ci_high
    low, high = stats.binom.ppf([0.001, 0.999], sets, 0.95) / sets
    assert low <= inside / sets <= high


def test_a_denominator_that_is_not_positive_gives_no_value() -> None:
    m, f = np.array([[1.0, 0.0]]), np.array([[-1.0, 0.0]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = mbe(np.array([0.0]), m, np.array([-1.0]), f, paired=True)
        nothing = mbe(np.array([NAN]), m, np.array([-1.0]), f, paired=True)
        zero = mbe(np.array([0.0]), np.zeros((1, 2)), np.array([-1.0]), f, paired=False)
    assert (result.value, result.ci_low, result.n) == (None, None, 1)
    assert (nothing.value, nothing.n) == (None, 0)
    assert zero.value is None


def test_one_against_many_and_one_pair() -> None:
    """A set of one is always drawn whole; a pair of one has an interval without width."""
    scores_m, m, scores_f, f = sample(3, 20)
    many = mbe(scores_m[:1], m[:1], scores_f, f, paired=False)
    assert many.ci_low is not None
    assert many.value is not None
    assert many.ci_low <= many.value
    one = mbe(scores_m[:1], m[:1], scores_f[:1], f[:1], paired=True)
    assert (one.ci_low, one.ci_high) == (one.value, one.value)


def test_sides_that_do_not_match_are_refused() -> None:
    scores_m, m, scores_f, f = sample(3, 4)
    with pytest.raises(ValueError, match="not paired"):
        mbe(scores_m[:3], m[:3], scores_f, f, paired=True)
    with pytest.raises(ValueError, match="embeddings"):
        mbe(scores_m[:3], m, scores_f, f, paired=False)


def test_memory_does_not_grow_with_the_pairs() -> None:
    """The matrix of all pairs would take 1.8 GB."""
    random = np.random.default_rng(9)
    n = 15_000
    m, f = (random.normal(size=(n, 16)).astype(np.float32) for _ in "mf")
    scores = random.normal(size=(2, n))
    tracemalloc.start()
    result = mbe(scores[0], m + 1, scores[1], f + 1, paired=True, resamples=99)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert result.value is not None
    assert peak < 60e6
