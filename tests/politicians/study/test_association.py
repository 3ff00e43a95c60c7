"""Tests of words with several weights: by counting, by dealing, at chance, mirrored."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from curate.politicians.study import permutation
from curate.politicians.study.association import APPROXIMATE, COUNTED, FISHER, association
from curate.politicians.study.counts import WordUse, gather
from curate.politicians.study.permutation import tails


def use_of(columns: list[dict[int, float]], *, women: int, people: int) -> WordUse:
    """People 0 to `women` - 1 are women; every column gives a word's weights by person."""
    rows = [(n, f"w{at:04}", v) for at, own in enumerate(columns) for n, v in own.items()]
    rows += [(n, "~", 1.0) for n in range(people)]
    genders = ["female" if n < women else "male" for n, _, _ in rows]
    return gather(
        [f"Q{n + 1}" for n, _, _ in rows], genders, [w for _, w, _ in rows], [v for _, _, v in rows]
    )


def test_few_holders_are_every_way_to_deal_counted() -> None:
    weights = np.array([1.0, 2, 2, 3, 1])
    inside = np.array([True, True, False, True, False])
    found = tails(weights, inside, people=12, size=4)
    whole = np.zeros(12)
    whole[:5] = weights
    sums = np.array([whole[list(chosen)].sum() for chosen in combinations(range(12), 4)])
    assert found.exact
    assert found.upper == pytest.approx((sums >= 6).mean())
    assert found.lower == pytest.approx((sums <= 6).mean())


def test_one_weight_is_fishers_test_whatever_its_size() -> None:
    holders = [0, 1, 2, 7, 30, 31]
    one = association(use_of([dict.fromkeys(holders, 1.0)], women=8, people=60))
    two = association(use_of([dict.fromkeys(holders, 2.0)], women=8, people=60))
    assert one.test == two.test == (FISHER, FISHER)
    assert two.p[0] == pytest.approx(one.p[0])
    # a weight that differs by almost nothing changes almost nothing, and says how it was tested
    near = association(use_of([{**dict.fromkeys(holders, 200.0), 31: 201.0}], women=8, people=60))
    assert near.test[0] == COUNTED
    assert near.p[0] == pytest.approx(one.p[0], rel=0.5)


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("holders", [6, 40, 150])
def test_tails_are_those_of_dealing(
    holders: int, whole: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = np.random.default_rng(holders)
    weights = random.integers(1, 4, holders).astype(float) if whole else random.random(holders)
    people, size = 400, 70
    every = np.zeros(people)
    every[:holders] = weights
    dealt = np.argsort(random.random((8_000, people)), axis=1)[:, :size]
    sums = every[dealt].sum(axis=1)
    at = np.argsort(sums)[[400, 7_600]]  # about the 5th and the 95th percentile
    for chosen in dealt[at]:
        inside, seen = np.isin(np.arange(holders), chosen), every[chosen].sum()
        wanted = (sums <= seen + 1e-9).mean(), (sums >= seen - 1e-9).mean()
        found = tails(weights, inside, people=people, size=size)
        assert (found.lower, found.upper) == pytest.approx(wanted, abs=0.02)
        if holders > 40:
            with monkeypatch.context() as patch:
                patch.setattr(permutation, "_MOST_WORK", 0)
                rough = tails(weights, inside, people=people, size=size)
            assert not rough.exact
            assert (rough.lower, rough.upper) == pytest.approx(wanted, abs=0.02)


def test_far_tails_of_the_approximation_are_those_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    random = np.random.default_rng(3)
    weights = random.integers(1, 4, 60).astype(float)
    inside = np.arange(60) < 30  # where about 10.8 are expected
    counted = tails(weights, inside, people=2_500, size=450)
    monkeypatch.setattr(permutation, "_MOST_WORK", 0)
    rough = tails(weights, inside, people=2_500, size=450)
    assert counted.exact
    assert not rough.exact
    assert counted.upper < 1e-5
    assert rough.upper == pytest.approx(counted.upper, rel=0.3)


def test_rare_words_are_significant_at_the_nominal_rate_by_all_models() -> None:
    """Two models, 18 % women, words of 3 to 11 holders: taken for normal, 40 % of tables had one.

    Of `dealt` tables, at most about 5 % may have a word under 0.05 after Bonferroni's correction.
    """
    tables, words, low, under = 25, 150, 0, 0
    for seed in range(tables):
        random = np.random.default_rng(seed)
        columns = [
            {
                int(person): float(random.integers(1, 3))
                for person in random.choice(1_000, int(random.integers(3, 12)), replace=False)
            }
            for _ in range(words)
        ]
        p = association(use_of(columns, women=180, people=1_000)).p[:words]
        low += int((p * words < 0.05).any())
        under += int((p < 0.01).sum())
    assert low <= 3
    assert under / (tables * words) < 0.01  # exact, so under the nominal rate


def test_frequent_words_are_significant_at_the_nominal_rate() -> None:
    random = np.random.default_rng(5)
    columns = [
        {
            int(person): float(random.integers(1, 4))
            for person in random.choice(900, 400, replace=False)
        }
        for _ in range(600)
    ]
    found = association(use_of(columns, women=160, people=900))
    assert set(found.test[:600]) == {APPROXIMATE}
    assert 0.03 < (found.p[:600] < 0.05).mean() < 0.075
    assert (found.p[:600] < 0.001).sum() <= 3


def test_exchanging_the_genders_changes_no_p() -> None:
    random = np.random.default_rng(1)
    rows = [
        (f"Q{n}", "ab"[n % 3 > 0], f"w{word}", float(random.integers(1, 4)))
        for n in range(300)
        for word in range(12)
        if random.random() < (word + 1) / 14
    ]
    other = {"a": "b", "b": "a"}
    qids, genders, words, weights = zip(*rows, strict=True)
    one = association(gather(qids, genders, words, weights))
    two = association(gather(qids, [other[gender] for gender in genders], words, weights))
    assert one.p.tolist() == two.p.tolist()
    assert one.test == two.test
    assert {COUNTED, APPROXIMATE} <= set(one.test)
