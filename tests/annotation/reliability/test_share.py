"""Shares and set distances: by hand, at the null, and against scipy and NLTK."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from curate.annotation.reliability.share import (
    jaccard_distance,
    masi_distance,
    percentage_agreement,
    wilson,
)

SETS = st.frozensets(st.sampled_from(["name", "food", "place", "other"]))


def test_wilson_by_hand() -> None:
    """0 of n: from 0 to z² / (n + z²)."""
    z2 = 1.959963984540054**2
    found = wilson(0, 10)
    assert (found.percent, found.ci_low, found.n) == (0.0, 0.0, 10)
    assert found.ci_high == pytest.approx(100 * z2 / (10 + z2))
    assert wilson(10, 10).ci_high == 100.0
    assert wilson(10, 10).ci_low == pytest.approx(100 * 10 / (10 + z2))


@settings(deadline=None)
@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_as_scipy_has_it(counted: tuple[int, int]) -> None:
    hits, n = counted
    found, oracle = wilson(hits, n), stats.binomtest(hits, n).proportion_ci(method="wilson")
    assert found.ci_low == pytest.approx(100 * oracle.low, abs=1e-9)
    assert found.ci_high == pytest.approx(100 * oracle.high, abs=1e-9)


def test_wilson_covers_at_its_nominal_rate() -> None:
    """Exactly, over all counts of 40 trials: on the average of many shares about 95 %."""
    covered = []
    for step in range(1, 100):
        inside = [
            stats.binom.pmf(hits, 40, step / 100)
            for hits in range(41)
            if (one := wilson(hits, 40)).ci_low is not None
            and one.ci_high is not None
            and one.ci_low <= step <= one.ci_high
        ]
        covered.append(sum(inside))
    assert sum(covered) / len(covered) == pytest.approx(0.95, abs=0.01)


def test_nothing_to_count() -> None:
    assert wilson(0, 0).percent is None
    assert percentage_agreement([["a", None], [None, None]]).percent is None


def test_percentage_agreement_by_hand() -> None:
    """All agree; one pair of three; none; a lone value: (1 + 1/3 + 0) of 3."""
    values = [["a", "a", None], ["a", "a", "b"], ["a", "b", None], ["c", None, None]]
    found = percentage_agreement(values)
    assert found.percent == pytest.approx(100 * (4 / 3) / 3)
    assert (found.hits, found.n) == (pytest.approx(4 / 3), 3)


@settings(deadline=None)
@given(st.lists(st.lists(st.sampled_from(["a", "b", None]), min_size=3, max_size=3), max_size=9))
def test_names_and_orders_change_nothing(values: list[list[Any]]) -> None:
    names = {"a": "b", "b": "a", None: None}
    other = [[names[cell] for cell in reversed(row)] for row in reversed(values)]
    assert percentage_agreement(other) == percentage_agreement(values)


@pytest.mark.parametrize(
    ("first", "second", "jaccard", "masi"),
    [
        ("", "", 0, 0),
        ("", "a", 1, 1),
        ("a", "a", 0, 0),
        ("a", "b", 1, 1),
        ("a", "ab", 1 / 2, 1 - 1 / 2 * 2 / 3),
        ("ab", "bc", 2 / 3, 1 - 1 / 3 * 1 / 3),
        ("ab", "abcd", 1 / 2, 1 - 1 / 2 * 2 / 3),
    ],
)
def test_sets_by_hand(first: str, second: str, jaccard: float, masi: float) -> None:
    a, b = frozenset(first), frozenset(second)
    assert jaccard_distance(a, b) == pytest.approx(jaccard)
    assert masi_distance(a, b) == masi_distance(b, a) == pytest.approx(masi)


@settings(deadline=None)
@given(SETS, SETS)
def test_sets_as_nltk_has_them(first: frozenset[str], second: frozenset[str]) -> None:
    metrics = pytest.importorskip("nltk.metrics")
    if first or second:  # NLTK divides by the empty union
        assert masi_distance(first, second) == pytest.approx(metrics.masi_distance(first, second))
        assert jaccard_distance(first, second) == pytest.approx(
            metrics.jaccard_distance(first, second)
        )
