"""Polarity by sentence: the paper's loop, planted words, and he and she exchanged."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.occupations.polarity import measure_polarity
from curate.occupations.polarity.values import MEASURES, polarity_values
from tests.occupations.polarity.vectors_made import (
    SETTINGS,
    made_vectors,
    planted_vectors,
    random_vectors,
)


def cosine(one: np.ndarray, other: np.ndarray) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True)) / (
        math.sqrt(sum(a * a for a in one)) * math.sqrt(sum(b * b for b in other))
    )


@pytest.mark.parametrize("direction", ["mean", "left-out"])
def test_values_follow_the_paper_line_by_line(direction: str) -> None:
    vectors = random_vectors(1, n=7, words=3, common=2.0)
    found = polarity_values(vectors, direction=direction)
    for i in range(7):
        others = [j for j in range(7) if direction == "mean" or j != i]
        g = sum(vectors.she[j] - vectors.he[j] for j in others) / len(others)
        b_he, b_she = cosine(vectors.he[i], g), cosine(vectors.she[i], g)
        middle = (vectors.he[i] + vectors.she[i]) / 2
        words = [vectors.he[i], vectors.she[i], *vectors.words[:, i]]
        for at, word in enumerate(words):
            b = cosine(word, g)
            assert found.polarity[at, i] == pytest.approx(b, abs=1e-12)
            assert found.from_midpoint[at, i] == pytest.approx(b - (b_he + b_she) / 2, abs=1e-12)
            assert found.centred[at, i] == pytest.approx(cosine(word - middle, g), abs=1e-12)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(["mean", "left-out"]))
def test_exchanging_he_and_she_mirrors_every_value(seed: int, direction: str) -> None:
    vectors = random_vectors(seed, n=9, words=4, common=1.0)
    vectors.words[1, 3] = np.nan
    found = polarity_values(vectors, direction=direction)
    other = polarity_values(vectors.exchanged(), direction=direction)
    for measure in MEASURES:
        mirrored = -other.of(measure)[[1, 0, 2, 3, 4, 5]]
        assert np.array_equal(found.of(measure), mirrored, equal_nan=True)


@pytest.mark.parametrize("direction", ["mean", "left-out"])
def test_exchanging_mirrors_summaries_too(direction: str) -> None:
    chosen = replace(SETTINGS, direction=direction)
    vectors = random_vectors(3, n=20, words=6, common=1.0)
    found = measure_polarity(vectors, chosen).summary
    other = {
        (row["measure"], row["column"]): row
        for row in measure_polarity(vectors.exchanged(), chosen).summary
    }
    names = {"he": "she", "she": "he"}
    for row in found:
        mirror = other[row["measure"], names.get(row["column"], row["column"])]
        assert row["mean"] == -mirror["mean"] and row["median"] == -mirror["median"]
        assert (row["ci_low"], row["ci_high"]) == (-mirror["ci_high"], -mirror["ci_low"])
        for name in ("std", "n", "p", "p_holm", "p_placebo"):
            assert row[name] == mirror[name]


def test_planted_polarities_come_back_in_rank() -> None:
    strengths = [-0.9, -0.5, -0.2, 0.0, 0.3, 0.6, 0.9]
    vectors, _ = planted_vectors(7, strengths, n=60, common=1.0)
    summary = measure_polarity(vectors, SETTINGS).summary
    for measure in MEASURES:
        means = [
            row["mean"] for row in summary if row["measure"] == measure and row["column"][0] == "w"
        ]
        assert means == sorted(means)
    centred = {row["column"]: row for row in summary if row["measure"] == "centred"}
    assert centred["w0"]["p_holm"] < 0.05 and centred["w6"]["p_holm"] < 0.05
    assert centred["w0"]["mean"] < -0.5 and centred["w6"]["mean"] > 0.5
    assert centred["he"]["mean"] == -centred["she"]["mean"]


def test_missing_words_are_counted_and_left_out() -> None:
    vectors = random_vectors(2, n=10, words=2)
    vectors.words[0, :4] = np.nan
    vectors.words[1] = np.nan
    found = measure_polarity(vectors, SETTINGS)
    rows = {row["column"]: row for row in found.summary if row["measure"] == "centred"}
    assert (rows["w0"]["n"], rows["w0"]["n_dropped"]) == (6, 4)
    assert (rows["w1"]["n"], rows["w1"]["n_dropped"]) == (0, 10)
    assert rows["w1"]["mean"] is None and rows["w1"]["p"] is None
    assert rows["w0"]["p_holm"] == rows["w0"]["p"]  # the only one that is tested
    assert len(found.values) == 10 + 10 + 6


def test_one_vector_throughout_is_said_and_not_tested() -> None:
    """As in a decoder, where a first word has seen nothing of its sentence."""
    one = random_vectors(5, n=1, words=3)
    vectors = made_vectors(
        np.repeat(one.he, 8, axis=0), np.repeat(one.she, 8, axis=0), np.repeat(one.words, 8, axis=1)
    )
    found = measure_polarity(vectors, SETTINGS)
    assert found.about["one_vector"] is True
    assert {row["p"] for row in found.summary} == {None}
    assert found.about["stability"]["distance"]["std"] == pytest.approx(0.0, abs=1e-12)
    assert measure_polarity(random_vectors(5), SETTINGS).about["one_vector"] is False


def test_feminine_forms_are_held_against_masculine_ones() -> None:
    planted, _ = planted_vectors(9, [-0.5, 0.4, -0.3, 0.6, 0.0], n=30)
    forms = [("a", "masculine"), ("a", "feminine"), ("b", "masculine"), ("b", "feminine")]
    subjects = [
        replace(subject, occupation=occupation, form=form)
        for subject, (occupation, form) in zip(
            planted.subjects, [*forms, ("c", "masculine")], strict=True
        )
    ]
    found = measure_polarity(replace(planted, subjects=subjects), SETTINGS)
    rows = {row["column"]: row["mean"] for row in found.summary if row["measure"] == "centred"}
    contrast = found.about["forms"]
    assert (contrast["n"], contrast["towards_she"], contrast["p"]) == (2, 2, 0.5)
    expected = (rows["w1"] - rows["w0"] + rows["w3"] - rows["w2"]) / 2
    assert contrast["mean"] == pytest.approx(expected)
    assert contrast["ci_low"] <= expected <= contrast["ci_high"]
    assert measure_polarity(planted, SETTINGS).about["forms"] is None


def test_forms_are_compared_in_the_same_sentences() -> None:
    """The feminine form, a step nearer to she, is refused where both lie nearest to her."""
    made, direction = planted_vectors(4, [0.0] * 4, n=30)
    base, step = made.words[0].copy(), 0.2 * direction
    base[:15] += direction
    words = np.stack([base, base + step, base, base + step])
    words[1::2, :15] = np.nan
    forms = ["masculine", "feminine"] * 2
    subjects = [
        replace(one, occupation=name, form=form)
        for one, name, form in zip(made.subjects, "aabb", forms, strict=True)
    ]
    found = measure_polarity(replace(made, words=words, subjects=subjects), SETTINGS)
    means = {row["column"]: row["mean"] for row in found.summary if row["measure"] == "centred"}
    assert means["w1"] < means["w0"]  # for they are means over different sentences
    assert found.about["forms"]["towards_she"] == found.about["forms"]["n"] == 2
    assert found.about["forms"]["mean"] > 0


def test_so_many_flips_are_made_that_a_word_can_be_significant() -> None:
    planted, _ = planted_vectors(3, [0.8] * 30, n=30)
    few = replace(SETTINGS, permutations=99)
    found = measure_polarity(planted, few)
    p = [row["p_holm"] for row in found.summary if row["p_holm"] is not None]
    assert len(p) == 2 * 30 and max(p) < 0.05
    assert found.about["permutations"] == 40 * 30 - 1


def test_means_by_status() -> None:
    planted, _ = planted_vectors(10, [-0.8, -0.6, 0.5, 0.0], n=30)
    status = ["high", "high", "low", ""]
    subjects = [replace(one, status=s) for one, s in zip(planted.subjects, status, strict=True)]
    found = measure_polarity(replace(planted, subjects=subjects), SETTINGS)
    means = {row["column"]: row["mean"] for row in found.summary if row["measure"] == "centred"}
    high = found.about["status"]["high"]
    assert high["n"] == 2 and high["mean"] == pytest.approx((means["w0"] + means["w1"]) / 2)
    assert high["ci_low"] == pytest.approx(min(means["w0"], means["w1"]))
    assert found.about["status"]["low"]["mean"] > 0 and set(found.about["status"]) == {
        "high",
        "low",
    }
