"""The direction of gender and its stability, by hand and by what must always hold."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.occupations.polarity.direction import angles, cosines, directions, stability
from tests.occupations.polarity.vectors_made import planted_vectors

HE = np.array([[1.0, 0.0], [3.0, 0.0], [0.0, 2.0]])
SHE = np.array([[0.0, 1.0], [3.0, 3.0], [-2.0, 0.0]])


def test_distances_and_angles_by_hand() -> None:
    """she - he: (-1, 1), (0, 3), (-2, -2); angles: a right one, half of one, a right one."""
    found = stability(HE, SHE)
    assert found.distance == pytest.approx([math.sqrt(2), 3.0, math.sqrt(8)])
    assert found.angle == pytest.approx([math.pi / 2, math.pi / 4, math.pi / 2])
    # with the other sentences' sums (-2, 1), (-3, -1), (-1, 4), and with all, (-3, 2)
    expected = [3 / math.sqrt(10), -1 / math.sqrt(10), -6 / math.sqrt(136)]
    assert found.cosine == pytest.approx(expected)
    expected = [5 / math.sqrt(26), 2 / math.sqrt(13), 2 / math.sqrt(104)]
    assert found.cosine_mean == pytest.approx(expected)


def test_directions_by_hand() -> None:
    assert directions(HE, SHE, direction="mean") == pytest.approx(np.tile([-1.0, 2 / 3], (3, 1)))
    expected = np.array([[-1.0, 0.5], [-1.5, -0.5], [-0.5, 2.0]])
    assert directions(HE, SHE) == pytest.approx(expected)


def test_a_sentence_has_no_part_in_its_own_direction() -> None:
    changed = SHE.copy()
    changed[1] += 100.0
    before, after = directions(HE, SHE), directions(HE, changed)
    assert np.allclose(before[1], after[1])
    assert not np.allclose(before[0], after[0])


@given(st.floats(1e-9, math.pi - 1e-9), st.floats(0.1, 50.0), st.floats(0.1, 50.0))
def test_angles_keep_their_digits(angle: float, length: float, other: float) -> None:
    turned = other * np.array([math.cos(angle), math.sin(angle)])
    found = float(angles(np.array([length, 0.0]), turned))
    assert found == pytest.approx(angle, rel=1e-6, abs=1e-15)


def test_vectors_of_length_0_have_neither_angle_nor_cosine() -> None:
    nothing = np.zeros(2)
    assert math.isnan(float(angles(nothing, HE[0]))) and math.isnan(float(cosines(nothing, HE[0])))


def test_a_planted_direction_is_recovered() -> None:
    vectors, direction = planted_vectors(4, [0.0], n=40)
    mean = directions(vectors.he, vectors.she, direction="mean")[0]
    assert float(cosines(mean, direction)) > 0.99
    assert stability(vectors.he, vectors.she).cosine.mean() > 0.9
