"""Violins: quantiles by hand, the density against scipy, and data that have no shape."""

from __future__ import annotations

import re

import numpy as np
import pytest
from scipy import stats

from curate.report.violin import Spread, bandwidth, density, violin_chart


def spread(values: object, *, n: int = 200, name: str = "x") -> Spread:
    return Spread((name,), n, [float(v) for v in np.quantile(values, np.linspace(0, 1, 101))])


def points(path: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+),(-?[\d.]+)", path)]


def test_quantiles_by_hand() -> None:
    """0, 1, …, 100 are their own percentiles; the axis is 0 … 99 and 4 % more on either side."""
    chart = violin_chart([Spread(("x",), 101, list(range(101)))])
    assert chart is not None
    violin = chart.violins[0]
    found = (violin.low, violin.first, violin.median, violin.third, violin.high)
    assert found == (1.0, 25.0, 50.0, 75.0, 99.0)
    low, width = -0.04 * 99, 1.08 * 99
    assert violin.places[2] == pytest.approx(100 * (50 - low) / width, abs=0.01)
    assert chart.zero == pytest.approx(100 * -low / width, abs=0.01)


def test_the_density_is_that_of_scipy() -> None:
    sample = np.random.default_rng(1).normal(3.0, 2.0, 80)
    places = np.linspace(-5, 11, 40)
    width = 0.7
    theirs = stats.gaussian_kde(sample, bw_method=width / sample.std(ddof=1))(places)
    np.testing.assert_allclose(density(sample, places, width=width), theirs, rtol=1e-12)


def test_the_bandwidth_by_hand() -> None:
    """0 … 8: quartiles 2 and 6, so 4 / 1.34 = 2.985 over s = 2.739: s decides. n^-0.2 = 0.6444."""
    assert bandwidth(np.arange(9.0)) == pytest.approx(0.9 * 2.7386 * 0.6444, rel=1e-3)
    assert bandwidth(np.ones(5)) == 0.0
    # half the points are equal: no middle half, and the deviation stands in
    assert bandwidth(np.array([0.0, 0, 0, 0, 0, 0, 0, 8])) > 0


def test_a_violin_is_symmetric_and_widest_at_its_mode() -> None:
    values = np.random.default_rng(2).normal(1.0, 2.0, 5000)
    chart = violin_chart([spread(values)])
    assert chart is not None
    outline = points(chart.violins[0].path)
    half = len(outline) // 2
    upper, lower = outline[:half], outline[half:][::-1]
    assert [x for x, _ in upper] == [x for x, _ in lower]
    assert [50 - y for _, y in upper] == pytest.approx([y - 50 for _, y in lower])
    assert min(y for _, y in upper) == 4.0
    widest = min(upper, key=lambda point: point[1])[0]
    assert widest == pytest.approx(10 * chart.axis.at(1.0), abs=40)


@pytest.mark.parametrize(
    ("values", "n"),
    [([0.0, 0.0, 0.0], 3), ([0.0] * 40, 40), ([2.5], 1), ([-1.0, 1.0], 2), ([1e-300] * 9, 9)],
)
def test_values_without_a_shape(values: list[float], n: int) -> None:
    chart = violin_chart([spread(values, n=n)])
    assert chart is not None
    violin = chart.violins[0]
    assert violin.path == ""
    assert all(0 <= place <= 100 for place in violin.places)
    assert violin.median == pytest.approx(np.median(values))


def test_an_outlier_does_not_flatten_the_rest() -> None:
    values = np.append(np.random.default_rng(3).normal(0, 1, 999), 1e9)
    chart = violin_chart([spread(values, n=1000)])
    assert chart is not None
    assert chart.axis.high < 10
    assert all(0 <= x <= 1000 for x, _ in points(chart.violins[0].path))


def test_mostly_ties_keep_a_visible_spike() -> None:
    values = [0.0] * 90 + [5.0] * 5 + [-5.0] * 5
    chart = violin_chart([spread(values, n=100)])
    assert chart is not None
    assert chart.violins[0].path
    assert "nan" not in chart.violins[0].path


def test_equal_distributions_look_equal_and_empty_ones_are_left_out() -> None:
    values = np.random.default_rng(4).normal(0, 1, 50)
    same = [spread(values, name="a"), spread(values, name="b")]
    chart = violin_chart([*same, Spread(("c",), 0, []), Spread(("d",), 9, [float("nan"), 1.0])])
    assert chart is not None
    assert [violin.name for violin in chart.violins] == [("a",), ("b",)]
    assert chart.violins[0].path == chart.violins[1].path
    assert violin_chart([Spread(("c",), 0, [])]) is None
