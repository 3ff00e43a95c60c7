"""Paired tests between models: by hand, against scipy, at the null, aligned by pair."""

from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from curate import schema
from curate.corrections import holm
from curate.scoring.comparison import align, compare_outcomes, outcomes, sign_flip
from curate.scoring.scored_folder import MetricKind

Row = tuple[str, int, float | None, float | None]


def table(rows: list[Row]) -> pa.Table:
    return pa.Table.from_pylist(
        [
            {"pair_id": pair, "row": row, "metric": "cps", "model": "m", "revision": "r",
             "value_a": a, "value_b": b}
            for pair, row, a, b in rows
        ],
        schema=schema.SCORES,
    )  # fmt: skip


def binary(text: str) -> np.ndarray:
    return np.array([float(letter) for letter in text])


def test_pairs_are_aligned_by_id_and_row() -> None:
    """p3 has no value in the second, p4 stands in the first alone, p1 twice on two rows."""
    first = table([("p1", 4, 9, 10), ("p1", 0, 1, 2), ("p3", 2, 5, 6), ("p2", 1, 3, 4),
                   ("p4", 3, 7, 8)])  # fmt: skip
    second = table([("p3", 2, None, 1), ("p1", 4, -9, -10), ("p2", 1, -3, -4), ("p1", 0, -1, -2),
                    ("p5", 9, 0, 0)])  # fmt: skip
    pairs = align(first, second)
    assert pairs.first.tolist() == [[1, 2], [3, 4], [9, 10]]
    assert pairs.second.tolist() == [[-1, -2], [-3, -4], [-9, -10]]
    assert (pairs.n_only_first, pairs.n_only_second) == (2, 1)


def test_outcomes_by_hand() -> None:
    """A tie is preferred on neither side, whichever value is the better one."""
    values = np.array([[2.0, 1.0], [1.0, 2.0], [3.0, 3.0]])
    assert outcomes(values, MetricKind("share", "higher")).tolist() == [1, 0, 0]
    assert outcomes(values, MetricKind("share", "lower")).tolist() == [0, 1, 0]
    assert outcomes(values, MetricKind("mean", "lower")).tolist() == [1, -1, 0]


def test_shares_by_hand() -> None:
    """The first alone prefers a on 5 pairs, the second alone on 1: 2 · (1 + 6) / 2^6."""
    first, second = binary("1111101100"), binary("0000011100")
    result = compare_outcomes(first, second, counted="share")
    assert (result.only_first, result.only_second, result.n) == (5, 1, 10)
    assert (result.value_first, result.value_second) == (pytest.approx(70), pytest.approx(30))
    assert result.difference == pytest.approx(40)
    assert result.p == pytest.approx(14 / 64)
    assert result.ci_low is not None
    assert result.ci_high is not None
    assert result.ci_low < 40 < result.ci_high


def test_shares_that_agree_and_none_at_all() -> None:
    same = compare_outcomes(binary("1100"), binary("1100"), counted="share")
    assert (same.p, same.difference, same.ci_low, same.ci_high) == (1.0, 0.0, 0.0, 0.0)
    for counted in ("share", "mean"):
        nothing = compare_outcomes(np.array([]), np.array([]), counted=counted)
        assert (nothing.p, nothing.value_first, nothing.n) == (None, None, 0)


def test_the_binomial_test_is_the_permutation_test_with_all_permutations() -> None:
    random = np.random.default_rng(1)
    for _ in range(8):
        first, second = (random.random((2, 12)) < [[0.7], [0.4]]).astype(float)
        exact = stats.permutation_test(
            (first, second), lambda x, y, axis: (x - y).mean(axis=axis),
            permutation_type="samples", n_resamples=np.inf, vectorized=True,
        ).pvalue  # fmt: skip
        assert compare_outcomes(first, second, counted="share").p == pytest.approx(exact)
        assert sign_flip(first - second)[0] == pytest.approx(exact)


def test_means_by_hand() -> None:
    """Differences 1, 2, 3: of the 8 sums two reach 6. The zero pair moves nothing."""
    result = compare_outcomes(
        np.array([1.0, 2.0, 3.0, 5.0]), np.array([0.0, 0.0, 0.0, 5.0]), counted="mean"
    )
    assert result.p == pytest.approx(2 / 8)
    assert (result.exact, result.permutations) == (True, 8)
    assert result.difference == pytest.approx(1.5)
    assert (result.value_first, result.value_second) == (pytest.approx(2.75), pytest.approx(1.25))
    assert (result.only_first, result.only_second) == (None, None)


def test_sign_flips_against_scipy() -> None:
    random = np.random.default_rng(2)
    differences = random.normal(0.15, 1, size=100)
    ours, made, exact = sign_flip(differences, draws=40_000)
    theirs = stats.permutation_test(
        (differences,), lambda x, axis: x.mean(axis=axis), permutation_type="samples",
        n_resamples=10_000, vectorized=True, batch=500, rng=random,
    ).pvalue  # fmt: skip
    assert (made, exact) == (40_000, False)
    assert ours == pytest.approx(theirs, abs=0.015)


def test_sign_flips_never_give_0_and_know_equal_sums() -> None:
    assert sign_flip(np.full(100, 1.0), draws=999)[0] == pytest.approx(1 / 1000)
    # 0.1 + 0.2 + 0.3 in any order is as extreme as itself: + + + and - - - of 8
    assert sign_flip(np.array([0.3, 0.1, 0.2]))[0] == pytest.approx(2 / 8)
    # ±5 ±7 ±7 ±3 is never nearer to 0 than -5 + 7 - 7 + 3, but tenths are not exact
    assert sign_flip(np.array([-0.5, 0.7, -0.7, 0.3]))[0] == 1.0
    assert sign_flip(np.zeros(5)) == (1.0, 1, True)


@pytest.mark.parametrize("counted", ["share", "mean"])
def test_like_models_are_told_apart_at_no_more_than_the_nominal_rate(counted: str) -> None:
    random = np.random.default_rng(3)
    sets, found = 400, 0
    for number in range(sets):
        common = random.normal(size=60)
        first, second = common + random.normal(size=(2, 60))
        if counted == "share":
            first, second = (first > 0).astype(float), (second > 0).astype(float)
        result = compare_outcomes(first, second, counted=counted, seed=number, draws=499)
        assert result.p is not None
        found += result.p <= 0.05
    assert found <= stats.binom.ppf(0.999, sets, 0.05)
    # an exact test of few discordant pairs rejects less often, but it does reject
    assert found >= (stats.binom.ppf(0.001, sets, 0.05) if counted == "mean" else 1)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=1, max_size=9),
    st.sampled_from(["share", "mean"]),
)
def test_exchanging_the_models(rows: list[tuple[int, int]], counted: str) -> None:
    first, second = (np.array([float(row[i]) for row in rows]) for i in (0, 1))
    if counted == "share":
        first, second = (first > 0).astype(float), (second > 0).astype(float)
    one = compare_outcomes(first, second, counted=counted, draws=600)
    other = compare_outcomes(second, first, counted=counted, draws=600)
    assert one.p == pytest.approx(other.p)
    assert one.difference == pytest.approx(-(other.difference or 0.0))
    assert one.only_first == other.only_second


def test_holm_by_hand() -> None:
    """4 · 0.005, 3 · 0.01, 2 · 0.03, and 0.04 not below the one before."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=8), st.floats(0.001, 0.3))
def test_holm_rejects_what_the_step_down_rule_rejects(p_values: list[float], level: float) -> None:
    """Stop at the first p, from the smallest, over level / (tests left)."""
    rejected = set()
    for rank, at in enumerate(sorted(range(len(p_values)), key=lambda at: p_values[at])):
        if (len(p_values) - rank) * p_values[at] > level:
            break
        rejected.add(at)
    corrected = holm(p_values)
    assert {at for at, p in enumerate(corrected) if p <= level} == rejected
    assert all(p <= q or math.isclose(p, q) for p, q in zip(p_values, corrected, strict=True))
