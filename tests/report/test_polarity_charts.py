"""The charts of the polarity page: places on their axes, by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from curate.report.polarity_charts import histogram, ridges, scatter


def row(column: str, mean: float | None, *, kind: str = "occupation") -> dict[str, Any]:
    return {"column": column, "kind": kind, "mean": mean, "ci_low": mean, "ci_high": mean}


ROWS = [
    row("he", -1.0, kind="pronoun"), row("a", -0.1), row("b", None), row("c", 0.1),
    row("she", 1.0, kind="pronoun"),
]  # fmt: skip
VALUES = {
    name: np.random.default_rng(1).normal(mean, 0.02, 50).tolist()
    for name, mean in (("he", -1.0), ("a", -0.1), ("c", 0.1), ("she", 1.0))
}


def test_densities_stand_on_one_axis_with_he_and_she() -> None:
    chart = ridges(ROWS, VALUES, pronouns=True)
    assert chart is not None
    assert [one.row["column"] for one in chart.ridges] == ["he", "a", "c", "she"]
    assert chart.zero is not None and chart.he is not None and chart.she is not None
    assert chart.he < chart.zero < chart.she
    assert chart.ridges[0].mark == pytest.approx(chart.he)
    assert chart.ridges[1].path.startswith("M") and chart.ridges[1].ends is not None


def test_without_them_the_axis_holds_the_occupations_alone() -> None:
    chart = ridges(ROWS, VALUES, pronouns=False)
    assert chart is not None and chart.he is None and chart.she is None
    assert [one.row["column"] for one in chart.ridges] == ["a", "c"]
    assert -0.4 < chart.axis.low < -0.1 and 0.1 < chart.axis.high < 0.4


def test_one_value_has_no_density_and_nothing_no_chart() -> None:
    chart = ridges([row("a", 0.5)], {"a": [0.5] * 20}, pronouns=False)
    assert chart is not None and chart.ridges[0].path == ""
    assert ridges([row("b", None)], {}, pronouns=True) is None
    assert histogram([1.0]) is None and histogram([2.0, 2.0, 2.0]) is None


def test_a_histogram_counts_every_value() -> None:
    chart = histogram([0.0, 0.1, 0.1, 0.9, 1.0, float("nan")])
    assert chart is not None
    assert sum(bar.count for bar in chart.bars) == 5
    assert max(bar.height for bar in chart.bars) == 96 and chart.highest == 3


def test_every_word_is_a_point_and_names_do_not_meet() -> None:
    points = [(f"word {n}", n / 30, (n % 7) / 10 - 0.3) for n in range(30)]
    chart = scatter(points, digits=(2, 3))
    assert sorted(point.name for point in chart.points) == sorted(name for name, _, _ in points)
    assert {point.side for point in chart.points} <= {"", "left", "right"}
    assert any(point.side for point in chart.points)
    assert chart.points[0].y > chart.points[-1].y  # lower values lie lower, from the top
    crowded = scatter([("a", 0.0, 0.0)] * 3 + [("b", 1.0, 1.0)], digits=(2, 3))
    assert sum(point.name == "a" and point.side != "" for point in crowded.points) <= 2
    few = scatter([("a", 0.0, 0.0), ("b", 1.0, 1.0)], digits=(2, 3))
    assert len(few.points) == 2 and few.x_zero is not None
    assert few.points[0].told == "a: 0.00, +0.000"
