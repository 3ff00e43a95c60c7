"""Tests, intervals, placebos and correlations: by hand, against others, and on pure noise."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from curate.occupations.polarity import measure_polarity
from curate.occupations.polarity.correlations import correlate
from curate.occupations.polarity.placebo import placebo_reach
from curate.occupations.polarity.resampling import bounds, mean_intervals
from curate.occupations.polarity.significance import corrected, sign_flip_tests
from curate.occupations.polarity.values import MEASURES, polarity_values
from tests.occupations.polarity.vectors_made import (
    SETTINGS,
    made_vectors,
    planted_vectors,
    random_vectors,
)


def test_few_sentences_are_counted_out() -> None:
    """1, 2, 3: of eight ways two reach a sum of 6; 1, 2, -3: all of them reach 0."""
    values = np.array(
        [[1.0, 2.0, 3.0], [1.0, 2.0, -3.0], [1.0, 2.0, np.nan], [5.0, np.nan, np.nan]]
    )
    assert sign_flip_tests(values, permutations=999, seed=0) == [0.25, 1.0, 0.5, None]


def test_many_sentences_are_drawn_and_the_observed_counts() -> None:
    values = np.stack([np.ones(40) + np.arange(40) / 100, np.tile([1.0, -1.0], 20)])
    assert sign_flip_tests(values, permutations=199, seed=1) == [1 / 200, 1.0]
    exact, drawn = (
        sign_flip_tests(np.linspace(-1, 1.6, 12)[None], permutations=many, seed=3)[0]
        for many in (5000, 4000)
    )
    assert exact is not None and drawn == pytest.approx(exact, abs=0.03)
    ways = [
        abs(np.dot(signs, np.linspace(-1, 1.6, 12))) >= np.linspace(-1, 1.6, 12).sum() - 1e-9
        for signs in itertools.product([1, -1], repeat=12)
    ]
    assert exact == pytest.approx(np.mean(ways))


def test_one_value_throughout_is_no_test() -> None:
    assert sign_flip_tests(np.full((1, 20), 0.3) + 1e-9, permutations=99, seed=0) == [None]


def test_holm_by_hand_and_against_another() -> None:
    assert corrected([0.01, None, 0.04, 0.03]) == pytest.approx([0.03, None, 0.06, 0.06])
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    p = np.random.default_rng(0).uniform(size=30).tolist()
    assert corrected(p) == pytest.approx(multitest.multipletests(p, method="holm")[1].tolist())


@pytest.mark.parametrize("common", [0.0, 3.0])
def test_noise_shows_no_significant_occupation(common: float) -> None:
    """Corrected over twelve words, at most 5 % of studies may find any: 9 % leaves room for luck
    (of 200 studies more than 18 have a chance of 0.8 % at 5 %)."""
    wrong = dict.fromkeys(("from_midpoint", "centred"), 0)
    for seed in range(200):
        values = polarity_values(random_vectors(seed, n=24, size=16, words=12, common=common))
        for measure in wrong:
            p = corrected(sign_flip_tests(values.of(measure)[2:], permutations=399, seed=seed))
            wrong[measure] += min(one for one in p if one is not None) < 0.05
    assert max(wrong.values()) <= 18, wrong


def test_a_mean_over_its_own_sentences_would_not_be_fair_to_he_and_she() -> None:
    """Of noise, each sentence's own she - he points along a mean that it is part of."""
    vectors = random_vectors(11, n=20, size=200)
    own = polarity_values(vectors, direction="mean").centred[1]
    left_out = polarity_values(vectors).centred[1]
    assert own.mean() > 0.15 and abs(left_out.mean()) < 0.05


@pytest.mark.parametrize("direction", ["mean", "left-out"])
def test_intervals_are_those_of_drawing_sentences_again(direction: str) -> None:
    vectors = random_vectors(6, n=8, size=5, words=3, common=1.0)
    vectors.words[2, 1:3] = np.nan
    found = mean_intervals(vectors, direction=direction, resamples=60, seed=9)
    drawn = np.random.default_rng(9).multinomial(8, np.full(8, 1 / 8), size=60)
    means: dict[str, list[list[float]]] = {measure: [] for measure in MEASURES}
    for counts in drawn:
        own: dict[str, list[np.ndarray]] = {measure: [] for measure in MEASURES}
        for i in np.repeat(np.arange(8), counts):
            weights = np.where((np.arange(8) == i) & (direction == "left-out"), 0, counts)
            g = (weights[:, None] * (vectors.she - vectors.he)).sum(axis=0)
            words = np.concatenate([vectors.he[[i]], vectors.she[[i]], vectors.words[:, i]])
            middle = (vectors.he[i] + vectors.she[i]) / 2
            raw = words @ g / np.linalg.norm(words, axis=1) / np.linalg.norm(g)
            centred = (words - middle) @ g / np.linalg.norm(words - middle, axis=1)
            own["polarity"].append(raw)
            own["from_midpoint"].append(raw - (raw[0] + raw[1]) / 2)
            own["centred"].append(centred / np.linalg.norm(g))
        for measure in MEASURES:
            means[measure].append(np.nanmean(np.stack(own[measure]), axis=0).tolist())
    for measure in MEASURES:
        ends = [bounds(column) for column in np.array(means[measure]).T]
        assert found[measure].low == pytest.approx([low for low, _ in ends], abs=1e-9)
        assert found[measure].high == pytest.approx([high for _, high in ends], abs=1e-9)


def test_a_draw_of_one_sentence_alone_has_no_direction() -> None:
    """Of two sentences every other draw is so; the rest has both, each against the other."""
    vectors = random_vectors(13, n=2, words=2)
    found = mean_intervals(vectors, resamples=40)
    means = polarity_values(vectors).centred.mean(axis=1)
    assert found["centred"].low == pytest.approx(means.tolist())
    assert found["centred"].high == pytest.approx(means.tolist())


def test_bounds_leave_as_many_draws_on_either_side() -> None:
    draws = np.arange(1000.0)
    assert bounds(draws) == (25.0, 974.0)
    assert bounds(-draws) == (-974.0, -25.0)
    assert np.isnan(bounds(np.array([np.nan]))).all()


def test_placebos_tell_gender_from_any_direction() -> None:
    """A word that shares nothing with gender lies as far out between others; a planted one less."""
    vectors, _ = planted_vectors(21, [0.8, *[0.0] * 15], n=30, size=64)
    # every word has a place of its own, as in a model, so that any direction sets them apart
    places = np.random.default_rng(2).normal(size=(16, 1, 64))
    vectors = made_vectors(vectors.he, vectors.she, vectors.words + places)
    centred = polarity_values(vectors).centred[2:].mean(axis=1)
    found = placebo_reach(vectors, centred, seed=1)
    assert found.n == 120
    assert found.p[0] is not None and found.p[0] < 0.05
    others = [p for p in found.p[1:] if p is not None]
    assert len(others) == 15 and np.median(others) > 0.2
    significant = [
        row["p_holm"] < 0.05
        for row in measure_polarity(vectors, SETTINGS).summary
        if row["measure"] == "centred" and row["column"] in {f"w{n}" for n in range(1, 16)}
    ]
    assert sum(significant) > 5  # over sentences alone most of them seem to be told apart


def test_placebos_are_the_other_contrasts_one_by_one() -> None:
    vectors = random_vectors(31, n=6, words=5)
    vectors.words[1, 2] = np.nan
    centred = np.nanmean(polarity_values(vectors).centred[2:], axis=1)
    middle = (vectors.he + vectors.she) / 2
    further, tried = np.ones(5), np.ones(5)
    for a, b in itertools.combinations(range(5), 2):
        rows = [i for i in range(6) if not np.isnan(vectors.words[[a, b], i]).any()]
        for o in set(range(5)) - {a, b}:
            values = []
            for i in rows:
                others = [j for j in rows if j != i]
                g = sum(vectors.words[b, j] - vectors.words[a, j] for j in others)
                w = vectors.words[o, i] - middle[i]
                values.append(w @ g / np.linalg.norm(w) / np.linalg.norm(g))
            further[o] += abs(np.nanmean(values)) >= abs(centred[o])
            tried[o] += 1
    assert placebo_reach(vectors, centred).p == pytest.approx((further / tried).tolist())


def test_two_forms_of_an_occupation_are_no_placebo() -> None:
    vectors = random_vectors(1, n=6, words=2)
    subjects = [vectors.subjects[0], vectors.subjects[0]]
    vectors = type(vectors)(**{**vars(vectors), "subjects": subjects})
    found = placebo_reach(vectors, np.zeros(2))
    assert found.n == 0 and found.p == [None, None]


@pytest.mark.parametrize("kind", ["spearman", "pearson"])
def test_correlations_are_those_of_scipy(kind: str) -> None:
    random = np.random.default_rng(4)
    x = np.round(random.normal(size=25), 1)  # with ties
    y = x + random.normal(size=25)
    y[3] = np.nan
    found = correlate(x, y, kind=kind, resamples=400, permutations=1999, seed=5)
    known = np.isfinite(y)
    expected = (stats.spearmanr if kind == "spearman" else stats.pearsonr)(x[known], y[known])
    assert found.n == 24 and found.value == pytest.approx(expected.statistic)
    assert found.p == pytest.approx(expected.pvalue, abs=0.01)
    assert found.low is not None and found.high is not None and found.value is not None
    assert found.low < found.value < found.high
    assert found == correlate(x, y, kind=kind, resamples=400, permutations=1999, seed=5)


def test_correlations_of_nothing_are_none() -> None:
    few = correlate(np.arange(4.0), np.arange(4.0), kind="pearson")
    assert (few.value, few.n) == (None, 4)
    assert correlate(np.ones(9), np.arange(9.0), kind="spearman").value is None


def test_polarity_is_held_against_shares_and_similarities() -> None:
    strengths = [-0.9, -0.6, -0.3, 0.0, 0.3, 0.6, 0.9]
    planted, _ = planted_vectors(8, strengths, n=40)
    shares = [(one + 1) / 2 for one in strengths]
    vectors = made_vectors(planted.he, planted.she, planted.words, shares=[*shares[:-1], None])
    extrinsic = {"t5": {f"w{n}": -strength for n, strength in enumerate(strengths)}}
    rows = measure_polarity(vectors, SETTINGS, extrinsic=extrinsic).correlations
    found = {(r["against"], r["kind"]): r for r in rows if r["measure"] == "centred"}
    assert found["share_women", "spearman"]["value"] == pytest.approx(1.0)
    assert found["share_women", "spearman"]["n"] == 6
    assert found["similarity", "spearman"]["value"] == pytest.approx(-1.0)
    assert found["similarity", "pearson"]["value"] < -0.9
    assert {row["form"] for row in rows} == {"all"}
