"""Means, the sign-flip test, Holm and intervals: by hand, by symmetry, and on noise."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from curate.corrections import holm
from curate.occupations.similarity.statistics import compare_sides


def column(values: list[float]) -> np.ndarray:
    return np.array(values, dtype=float)[:, None]


def test_means_and_ties_by_hand() -> None:
    found, _ = compare_sides(column([0.1, 0.2, 0.3]), column([0.2, 0.2, 0.6]))
    one = found[0]
    assert (one.n, one.n_tied, one.exact, one.permutations) == (3, 1, True, 8)
    assert one.he.mean == pytest.approx(0.2)
    assert one.she.mean == pytest.approx(1 / 3)
    assert one.difference.mean == pytest.approx(0.4 / 3)
    # of the signs of .1 and .3, two of four patterns are as far from 0 as .4
    assert one.p == pytest.approx(0.5)


def test_exact_p_is_that_of_all_sign_patterns() -> None:
    apart = np.array([0.3, -0.1, 0.25, 0.4, 0.05])
    found, _ = compare_sides(column([0.0] * 5), column(list(apart)))
    sums = [abs(np.dot(signs, apart)) for signs in product((-1, 1), repeat=5)]
    naive = np.mean([total >= abs(apart.sum()) - 1e-12 for total in sums])
    assert found[0].p == pytest.approx(naive)


def test_random_signs_add_the_observed_pattern() -> None:
    rng = np.random.default_rng(3)
    he = rng.normal(size=(60, 2))
    she = he + np.array([5.0, 0.0])  # every sentence the same way; then not at all
    found, _ = compare_sides(he, she, draws=199)
    assert not found[0].exact
    assert found[0].p == pytest.approx(1 / 200)
    assert found[1].p == 1.0


def test_random_and_exact_agree() -> None:
    rng = np.random.default_rng(4)
    apart = rng.normal(0.3, 1, size=12)
    exact = compare_sides(column([0.0] * 12), column(list(apart)), draws=4096)[0][0]
    drawn = compare_sides(column([0.0] * 12), column(list(apart)), draws=4095)[0][0]
    assert exact.exact
    assert not drawn.exact
    assert drawn.p == pytest.approx(exact.p, abs=0.03)


def test_many_occupations_are_tossed_often_enough() -> None:
    """With 99 tosses and 30 occupations no corrected p could be under .3."""
    he = np.random.default_rng(6).normal(size=(40, 30))
    found, _ = compare_sides(he, he + 1, draws=99)
    assert found[0].permutations == 1_199
    assert found[0].p_holm == pytest.approx(30 / 1_200)


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == pytest.approx([1.0, 1.0])
    assert holm([]) == []


def test_missing_similarities_leave_both_sides() -> None:
    he = np.array([[0.1, np.nan], [np.nan, np.nan], [0.3, np.nan]])
    she = np.array([[0.2, 0.5], [0.9, np.nan], [0.1, 0.5]])
    found, overall = compare_sides(he, she, groups={"common": [0, 1], "none": [1]})
    assert found[0].n == 2
    assert found[0].she.mean == pytest.approx(0.15)
    assert found[1].n == 0
    assert found[1].p is None
    assert overall["common"].occupations == 1
    assert overall["none"].mean.mean is None


def test_the_interval_of_the_mean_is_near_the_normal_one() -> None:
    rng = np.random.default_rng(5)
    apart = rng.normal(0.2, 1, size=400)
    one = compare_sides(column([0.0] * 400), column(list(apart)))[0][0]
    error = 1.96 * apart.std() / 20
    assert one.difference.low == pytest.approx(apart.mean() - error, abs=0.02)
    assert one.difference.high == pytest.approx(apart.mean() + error, abs=0.02)


@given(
    arrays(float, st.tuples(st.integers(2, 20), st.integers(1, 4)),
           elements=st.floats(-1, 1) | st.just(float("nan"))),
    st.integers(0, 3),
)  # fmt: skip
def test_exchanging_he_and_she_mirrors_everything_exactly(he: np.ndarray, seed: int) -> None:
    she = np.roll(he, 1, axis=0) * 0.5
    groups = {"all": list(range(he.shape[1]))}
    there, there_all = compare_sides(he, she, groups=groups, seed=seed, draws=99)
    back, back_all = compare_sides(she, he, groups=groups, seed=seed, draws=99)
    assert there_all == back_all
    for one, other in zip(there, back, strict=True):
        assert (one.he, one.she) == (other.she, other.he)
        assert (one.p, one.p_holm, one.n, one.n_tied) == (
            other.p, other.p_holm, other.n, other.n_tied
        )  # fmt: skip
        if one.difference.mean is not None:
            assert one.difference.mean == -other.difference.mean
            if one.difference.low is not None:
                assert one.difference.low == -other.difference.high


def test_noise_shows_no_significant_occupation() -> None:
    """Independent noise: at 5 % for the family, 95 % of seeds show nothing; fewer than 91 % of 200
    would come about with a chance of one in a hundred."""
    clean = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        he, she = rng.normal(size=(2, 149, 50))
        found, _ = compare_sides(he, she, seed=seed, draws=1_999)
        clean += all(one.p_holm >= 0.05 for one in found)
    print(f"no significant occupation in {clean} of 200 seeds")
    assert clean >= 182


def test_chance_alone_makes_the_mean_size_of_noise() -> None:
    rng = np.random.default_rng(8)
    he, she = rng.normal(size=(2, 149, 50))
    _, overall = compare_sides(he, she, groups={"common": range(50)}, draws=999)
    own = overall["common"]
    assert own.p > 0.01
    assert own.mean.mean == pytest.approx(own.by_chance, rel=0.25)
    assert own.mean.low < own.mean.mean < own.mean.high
