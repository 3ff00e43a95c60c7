"""Krippendorff's alpha: by hand, at the null, under renaming, and against NLTK."""

from __future__ import annotations

import math
import time
from collections.abc import Hashable
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from curate.annotation.reliability import alpha as reliability_alpha
from curate.annotation.reliability.alpha import alpha_estimate, krippendorff_alpha
from curate.annotation.reliability.share import jaccard_distance, masi_distance
from curate.errors import UsageError

Matrix = list[list[Any]]

# The worked example of Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability":
# four observers, twelve units, gaps.
OBSERVERS = ("123321412...", "1233224125.3", ".3332342251.", "12332441251.")
WORKED: Matrix = [
    [None if observer[unit] == "." else int(observer[unit]) for observer in OBSERVERS]
    for unit in range(12)
]
LABELS = st.sampled_from(["a", "b", "c", None])
SETS = st.one_of(st.none(), st.frozensets(st.sampled_from(["name", "food", "place"])))


def matrices(labels: st.SearchStrategy[Any]) -> st.SearchStrategy[Matrix]:
    return st.integers(2, 4).flatmap(
        lambda coders: st.lists(st.lists(labels, min_size=coders, max_size=coders), max_size=12)
    )


def by_pairs(values: Matrix, distance: Any) -> float:
    """Alpha as defined: every two values of a unit, and every two values of all units."""
    units = [[value for value in row if value is not None] for row in values]
    units = [unit for unit in units if len(unit) > 1]
    pooled = [value for unit in units for value in unit]
    n = len(pooled)
    observed = sum(
        sum(distance(a, b) for a, b in permutations(unit, 2)) / (len(unit) - 1) for unit in units
    )
    expected = sum(distance(a, b) for a, b in permutations(pooled, 2)) / (n - 1) if n else 0
    return 1 - observed / expected if expected else math.nan


def unequal(a: Hashable, b: Hashable) -> float:
    return float(a != b)


def squared(a: int, b: int) -> float:
    return float((a - b) ** 2)


def test_the_worked_example_by_hand() -> None:
    """40 pairable values: 9, 13, 10, 5 and 3 of the categories 1 to 5.

    Units 2, 6 and 8 disagree: (16 - 10) / 3 + (16 - 4) / 3 + (16 - 10) / 3 = 8 of 40. Expected:
    (40² - 81 - 169 - 100 - 25 - 9) / (40 · 39) = 1216 / 1560.
    """
    assert krippendorff_alpha(WORKED) == pytest.approx(1 - (8 / 40) / (1216 / 1560))
    assert krippendorff_alpha(WORKED) == pytest.approx(0.743, abs=5e-4)  # as published
    found = alpha_estimate(WORKED)
    assert (found.units, found.values, found.coders, found.categories) == (11, 40, 4, 5)


def test_another_distance_by_hand() -> None:
    """The same with squared differences: (6 + 40 + 6) / 3 observed, 4480 / 39 expected."""
    value = krippendorff_alpha(WORKED, distance=squared)
    assert value == pytest.approx(1 - (52 / 3) / (4480 / 39))
    assert value == pytest.approx(0.849, abs=5e-4)  # as published


def test_sets_by_hand() -> None:
    """{a} {a}; {a, b} {a}; {} {}: one unit disagrees, by 1 - 1/2 · 2/3 = 2/3 either way.

    Pooled: three {a}, one {a, b}, two {}: 3 · 2/3 + 6 · 1 + 2 · 1 = 10, both ways 20; 20 / 5 = 4.
    """
    a, ab, none = frozenset("a"), frozenset("ab"), frozenset[str]()
    value = krippendorff_alpha([[a, a], [ab, a], [none, none]], distance=masi_distance)
    assert value == pytest.approx(1 - (4 / 3) / 4)


@pytest.mark.parametrize(
    ("values", "note"),
    [
        ([], reliability_alpha.NO_PAIR),
        ([["a", None], [None, "b"]], reliability_alpha.NO_PAIR),
        ([["a", math.nan]], reliability_alpha.NO_PAIR),
        ([["a", "a"], ["a", "a"]], reliability_alpha.ONE_CATEGORY),
        ([["a", "a"], ["b", None]], reliability_alpha.ONE_CATEGORY),
    ],
)
def test_undefined_is_never_one(values: Matrix, note: str) -> None:
    assert math.isnan(krippendorff_alpha(values))
    found = alpha_estimate(values)
    assert (found.value, found.ci_low, found.ci_high, found.note) == (None, None, None, note)


def test_nobody_disagrees() -> None:
    """The interval has a width, the wider the fewer the units."""
    many, few = (alpha_estimate([["a", "a"], ["b", "b"]] * half) for half in (10, 3))
    assert (many.value, many.ci_high) == (few.value, few.ci_high) == (1.0, 1.0)
    assert many.ci_low is not None
    assert few.ci_low is not None
    # the share of disagreement is Beta(1, 21): 0.161 at the far end; half of it is expected
    assert many.ci_low == pytest.approx(1 - 2 * stats.beta.ppf(0.975, 1, 21), abs=0.08)
    assert few.ci_low < many.ci_low


def test_one_unit_says_next_to_nothing() -> None:
    found = alpha_estimate([["a", "b"]])
    assert found.value == 0.0
    assert found.ci_low is not None
    assert found.ci_high is not None
    assert found.ci_high - found.ci_low > 1


@pytest.mark.parametrize(
    "rates", [(1 / 3, 1 / 3, 1 / 3), (0.8, 0.15, 0.05), (0.9, 0.06, 0.04), (0.95, 0.05, 0)]
)
def test_random_answers_agree_as_by_chance(rates: tuple[float, ...]) -> None:
    """Independent answers, some missing: 0 is in the 95 % interval in about 95 % of the sets.

    Rare answers that nobody happens to give together must not make the interval too narrow.
    """
    random = np.random.default_rng(5)
    sets, inside, values = 400, 0, []
    for number in range(sets):
        drawn = random.choice(3, size=(200, 3), p=rates).astype(object)
        drawn[random.random((200, 3)) < 0.2] = None
        found = alpha_estimate(drawn.tolist(), seed=number)
        assert found.value is not None
        assert found.ci_low is not None
        assert found.ci_high is not None
        inside += found.ci_low <= 0.0 <= found.ci_high
        values.append(found.value)
    low, high = stats.binom.ppf([0.001, 0.999], sets, 0.95) / sets
    assert low <= inside / sets <= high
    assert abs(np.mean(values)) < 4 * np.std(values) / math.sqrt(sets)


def test_random_sets_agree_as_by_chance() -> None:
    random = np.random.default_rng(6)
    kinds = np.array(["name", "food", "place", "other"])
    sets, inside = 200, 0
    for number in range(sets):
        drawn = random.random((150, 2, 4)) < 0.3
        values = [[frozenset(kinds[cell].tolist()) for cell in row] for row in drawn]
        found = alpha_estimate(values, distance=masi_distance, seed=number)
        assert found.ci_low is not None
        assert found.ci_high is not None
        inside += found.ci_low <= 0.0 <= found.ci_high
    low, high = stats.binom.ppf([0.001, 0.999], sets, 0.95) / sets
    assert low <= inside / sets <= high


@settings(deadline=None)
@given(matrices(LABELS))
def test_as_defined(values: Matrix) -> None:
    expected = by_pairs(values, unequal)
    assert krippendorff_alpha(values) == pytest.approx(expected, nan_ok=True)
    assert krippendorff_alpha(values, distance=unequal) == pytest.approx(expected, nan_ok=True)


@settings(deadline=None)
@given(matrices(SETS), st.sampled_from([masi_distance, jaccard_distance]))
def test_sets_as_defined(values: Matrix, distance: Any) -> None:
    expected = by_pairs(values, distance)
    assert krippendorff_alpha(values, distance=distance) == pytest.approx(expected, nan_ok=True)


@settings(deadline=None)
@given(matrices(LABELS), st.randoms(use_true_random=False))
def test_names_and_orders_change_nothing(values: Matrix, random: Any) -> None:
    """Renamed categories, other coders first: the same to the last bit, its draws as well."""
    found = alpha_estimate(values, samples=99)
    names = {"a": "zz", "b": "y", "c": "xxx", None: None}
    assert alpha_estimate([[names[cell] for cell in row] for row in values], samples=99) == found
    order = list(range(len(values[0]) if values else 0))
    random.shuffle(order)
    assert alpha_estimate([[row[at] for at in order] for row in values], samples=99) == found
    shuffled = random.sample(values, len(values))
    assert krippendorff_alpha(shuffled) == pytest.approx(krippendorff_alpha(values), nan_ok=True)


@settings(deadline=None)
@given(matrices(LABELS))
def test_a_unit_with_one_value_says_nothing(values: Matrix) -> None:
    coders = len(values[0]) if values else 2
    lone: Matrix = [["c", *[None] * (coders - 1)]] * 5
    assert alpha_estimate(values + lone, samples=99) == alpha_estimate(values, samples=99)


@settings(deadline=None)
@given(values=matrices(LABELS))
def test_as_nltk_has_it(values: Matrix) -> None:
    found = krippendorff_alpha(values)
    assume(not math.isnan(found))  # NLTK says 1 where one category was used
    assert found == pytest.approx(by_nltk(values, None))


@settings(deadline=None)
@given(values=matrices(SETS))
def test_sets_as_nltk_has_it(values: Matrix) -> None:
    full = [[cell or None for cell in row] for row in values]  # NLTK divides by an empty union
    found = krippendorff_alpha(full, distance=masi_distance)
    assume(not math.isnan(found))
    assert found == pytest.approx(by_nltk(full, "masi_distance"))


def by_nltk(values: Matrix, distance: str | None) -> float:
    agreement = pytest.importorskip("nltk.metrics.agreement")
    options = {}
    if distance:
        options["distance"] = getattr(pytest.importorskip("nltk.metrics"), distance)
    data = [
        (f"coder {at}", f"unit {number}", cell)
        for number, row in enumerate(values)
        for at, cell in enumerate(row)
        if cell is not None
    ]
    found: float = agreement.AnnotationTask(data, **options).alpha()
    return found


def test_draws_do_not_depend_on_how_many_are_held(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = alpha_estimate(WORKED, seed=3)
    monkeypatch.setattr(reliability_alpha, "_BATCH", 50)
    held = alpha_estimate(WORKED, seed=3)
    assert (held.ci_low, held.ci_high) == pytest.approx((whole.ci_low, whole.ci_high))
    assert alpha_estimate(WORKED, seed=4) != whole


def test_the_interval_is_near_that_of_drawn_units() -> None:
    """Against plain resampling of whole units, one by one: alike where no answer is rare."""
    random = np.random.default_rng(11)
    truth = random.integers(0, 3, 400)
    noise = random.integers(0, 3, (400, 2))
    values: Matrix = np.where(random.random((400, 2)) < 0.7, truth[:, None], noise).tolist()
    found = alpha_estimate(values, samples=4_000)
    plain = [
        by_pairs_of_two([values[at] for at in random.integers(0, 400, 400)]) for _ in range(2_000)
    ]
    low, high = np.percentile(plain, [2.5, 97.5])
    assert found.method == reliability_alpha.BOOTSTRAP
    assert found.ci_low == pytest.approx(low, abs=0.02)
    assert found.ci_high == pytest.approx(high, abs=0.02)


@pytest.mark.parametrize(("rates", "kept"), [((0.5, 0.3, 0.2), 0.7), ((0.95, 0.05, 0), 0.9)])
@pytest.mark.parametrize("units", [30, 200])
def test_the_interval_holds_a_known_alpha(
    rates: tuple[float, ...], kept: float, units: int
) -> None:
    """Two people see the truth with probability `kept`, else guess: alpha is `kept` squared."""
    random = np.random.default_rng(12)
    inside = []
    for number in range(300):
        truth = random.choice(3, size=(units, 1), p=rates)
        guess = random.choice(3, size=(units, 2), p=rates)
        values = np.where(random.random((units, 2)) < kept, truth, guess).tolist()
        found = alpha_estimate(values, seed=number)
        if found.ci_low is not None and found.ci_high is not None:
            inside.append(found.ci_low <= kept**2 <= found.ci_high)
    low, high = stats.binom.ppf([0.001, 0.999], len(inside), 0.95) / len(inside)
    assert low <= sum(inside) / len(inside) <= high


def by_pairs_of_two(values: Matrix) -> float:
    """Nominal alpha of two coders without gaps, in closed form."""
    pooled = [value for row in values for value in row]
    n = len(pooled)
    expected = 1 - sum(pooled.count(k) * (pooled.count(k) - 1) for k in set(pooled)) / (n * (n - 1))
    return 1 - sum(a != b for a, b in values) / len(values) / expected


def test_no_such_distance() -> None:
    with pytest.raises(UsageError, match="ordinal"):
        krippendorff_alpha([["a", "b"]], distance="ordinal")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="0 or more"):
        krippendorff_alpha([["a", "b"]], distance=lambda a, b: -1.0)


def test_two_thousand_texts_take_under_two_seconds() -> None:
    """The worst case: nearly every text is a category of its own."""
    values = [[f"text {n}", f"text {n}" if n % 3 else f"other {n}"] for n in range(2_000)]
    start = time.process_time()
    found = alpha_estimate(values, samples=1_000)
    assert time.process_time() - start < 2
    assert found.value == pytest.approx(2 / 3, abs=0.01)
