"""Permutation tests, analysis of variance and clusters."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from curate.errors import UsageError
from curate.politicians.study.clusters import cluster_words
from curate.politicians.study.comparison import compare_means, correct
from curate.politicians.study.variance import analyse_variance


def naive_p(a: list[float], b: list[float]) -> float:
    """All ways to deal, by the book."""
    values = a + b
    observed = abs(np.mean(a) - np.mean(b))
    extreme = ways = 0
    for chosen in combinations(range(len(values)), len(a)):
        first = [values[at] for at in chosen]
        second = [values[at] for at in range(len(values)) if at not in chosen]
        extreme += abs(np.mean(first) - np.mean(second)) >= observed - 1e-12
        ways += 1
    return extreme / ways


def test_p_by_hand() -> None:
    # of the ten ways to choose two of five values only {5, 6} lie so far from the rest
    found = compare_means([5.0, 6.0], [1.0, 2.0, 3.0])
    assert found.exact
    assert found.deals == 10
    assert found.difference == pytest.approx(3.5)
    assert found.p == pytest.approx(1 / 10)


@pytest.mark.parametrize("sizes", [(4, 6), (6, 4), (5, 5)])
def test_exact_p_is_that_of_all_deals(sizes: tuple[int, int]) -> None:
    random = np.random.default_rng(sum(sizes) + sizes[0])
    a, b = (random.random(size).round(1).tolist() for size in sizes)
    assert compare_means(a, b).p == pytest.approx(naive_p(a, b))


def test_drawn_p_is_close_to_the_exact_one() -> None:
    random = np.random.default_rng(0)
    a, b = random.normal(0.5, 1, 9), random.normal(0, 1, 8)
    exact = compare_means(a, b)
    drawn = compare_means(a, b, deals=20_000)
    assert exact.exact
    assert not drawn.exact
    assert drawn.p == pytest.approx(exact.p, abs=0.015)


def test_p_is_uniform_at_chance() -> None:
    random = np.random.default_rng(1)
    p = [compare_means(*random.random((2, 20)), deals=999, draws=9).p for _ in range(400)]
    assert 0.025 < np.mean([value <= 0.05 for value in p]) < 0.08


def test_exchanging_the_lists_mirrors_the_test() -> None:
    random = np.random.default_rng(2)
    a, b = random.random(30), random.random(25)
    one, two = compare_means(a, b, deals=5_000), compare_means(b, a, deals=5_000)
    assert one.difference == pytest.approx(-two.difference)
    assert one.p == pytest.approx(two.p, abs=0.03)


def test_equal_lists_have_p_one() -> None:
    assert compare_means([0.5] * 50, [0.5] * 50, deals=99).p == 1.0


def test_bonferroni() -> None:
    assert correct([0.01, 0.2, 0.5]) == pytest.approx([0.03, 0.6, 1.0])
    assert correct([]) == []


def test_effects_by_hand() -> None:
    effects = analyse_variance(
        [1.0, 3.0, 5.0, 9.0], {"size": ["base", "base", "large", "large"], "language": ["en"] * 4}
    )
    assert [(e.factor, e.level, e.n) for e in effects] == [
        ("", "", 4),
        ("size", "base", 2),
        ("size", "large", 2),
    ]
    assert effects[0].value == pytest.approx(2.0)
    assert effects[1].baseline
    assert effects[2].value == pytest.approx(5.0)
    # F = 25 / 5 on 1 and 2 degrees of freedom
    from scipy import stats

    assert effects[2].factor_p == pytest.approx(stats.f.sf(5.0, 1, 2))


def test_two_factors_are_those_of_statsmodels_formulas() -> None:
    pytest.importorskip("statsmodels")
    import pandas as pd
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm

    random = np.random.default_rng(0)
    size = random.choice(["base", "large"], 90)
    language = random.choice(["ar", "en", "ru"], 90)
    outcome = random.random(90) + 0.3 * (size == "large") + 0.2 * (language == "ru")
    frame = pd.DataFrame({"y": outcome, "size": size, "language": language})
    expected = ols("y ~ C(size) + C(language)", frame).fit()
    table = anova_lm(expected, typ=2)
    found = analyse_variance(outcome, {"size": size.tolist(), "language": language.tolist()})
    own = {(e.factor, e.level): e for e in found}
    assert own["language", "ru"].value == pytest.approx(expected.params["C(language)[T.ru]"])
    assert own["size", "large"].p == pytest.approx(expected.pvalues["C(size)[T.large]"])
    assert own["language", "ru"].factor_p == pytest.approx(table.loc["C(language)", "PR(>F)"])
    assert own["size", "large"].factor_p == pytest.approx(table.loc["C(size)", "PR(>F)"])


def test_factors_that_cannot_be_parted_have_no_p() -> None:
    same = ["a", "a", "b", "b"]
    effects = analyse_variance([1.0, 2.0, 3.0, 5.0], {"architecture": same, "size": same})
    assert all(effect.p is None and effect.factor_p is None for effect in effects)


def test_clusters_that_are_there_are_found() -> None:
    random = np.random.default_rng(0)
    centres = np.array([[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]])
    of = np.repeat([0, 1, 2], [30, 20, 10])
    found = cluster_words(centres[of] + random.normal(0, 0.4, (60, 2)))
    assert found.chosen.k == 3
    assert np.array_equal(found.labels, of)  # the largest first
    assert len(found.trials) == 9 * 3
    inertia = [min(t.inertia for t in found.trials if t.k == k) for k in range(2, 6)]
    assert inertia == sorted(inertia, reverse=True)


def test_too_few_words_for_clusters() -> None:
    with pytest.raises(UsageError, match="2 words"):
        cluster_words(np.zeros((2, 3)))
