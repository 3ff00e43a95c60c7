"""Axes: places by hand, ticks that are written in full, and never an axis without width."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.report.axis import Axis, fitted, percent_axis, symmetric

NUMBERS = st.floats(-1e6, 1e6, allow_nan=False)


def test_places_by_hand() -> None:
    axis = Axis(-2.0, 6.0, 2.0)
    assert [axis.at(value) for value in (-2, 0, 2, 6)] == [0.0, 25.0, 50.0, 100.0]
    assert (axis.at(-50), axis.at(50)) == (0.0, 100.0)
    assert axis.ticks == [(0.0, "−2"), (25.0, "0"), (50.0, "2"), (75.0, "4"), (100.0, "6")]


def test_percent() -> None:
    assert [text for _, text in percent_axis().ticks] == ["0", "25", "50", "75", "100"]


@pytest.mark.parametrize(
    ("step", "texts"),
    [(0.5, ["−0.5", "0.0", "0.5"]), (0.25, ["−0.25", "0.00", "0.25"]), (25.0, ["−25", "0", "25"])],
)
def test_ticks_are_written_in_full(step: float, texts: list[str]) -> None:
    assert [text for _, text in Axis(-step, step, step).ticks] == texts


@given(st.lists(NUMBERS, max_size=5), NUMBERS)
def test_a_fitted_axis_holds_everything(values: list[float], around: float) -> None:
    axis = fitted(values, around=around)
    assert axis.low < axis.high
    assert all(axis.low < value < axis.high for value in [*values, around])
    assert 2 <= len(axis.ticks) <= 7
    assert len({text for _, text in axis.ticks}) == len(axis.ticks)


@given(st.lists(NUMBERS, max_size=5))
def test_a_symmetric_axis_has_zero_in_the_middle(values: list[float]) -> None:
    axis = symmetric(values)
    assert axis.at(0.0) == 50.0
    assert all(axis.low < value < axis.high for value in values)
