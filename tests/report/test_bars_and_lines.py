"""Bars by hand; lines that stay in their plot, labels that stay apart."""

from __future__ import annotations

from itertools import pairwise

import pytest

from curate.report.bars import bars, stacked
from curate.report.lines import line_chart


def test_bars_and_stacks() -> None:
    assert [(bar.width, bar.share) for bar in bars([("a", 30), ("b", 10)])] == [
        (100.0, 75.0), (33.333, 25.0),
    ]  # fmt: skip
    assert [(p.start, p.width) for p in stacked([("a", 1), ("b", 3)])] == [
        (0.0, 25.0),
        (25.0, 75.0),
    ]
    assert [bar.width for bar in bars([("a", 0)])] == [0.0]


def test_a_line_by_hand() -> None:
    """From 0.5 the plot shows the tenths 0.5 to 1: 0.6 stands 80 % down, 0.75 in the middle."""
    chart = line_chart({"en": [0.6, 0.75, 1.0]})
    assert chart is not None
    assert chart.lines[0].points == "0.0,100.0 50.0,62.5 100.0,0.0"
    assert [text for _, text in chart.ticks] == ["60 %", "70 %", "80 %", "90 %", "100 %"]
    assert chart.steps == [(0.0, "1"), (50.0, "2"), (100.0, "3")]


def test_nothing_to_draw() -> None:
    assert line_chart({}) is None
    assert line_chart({"en": []}) is None


@pytest.mark.parametrize("count", [2, 12, 40])
def test_labels_stay_apart_and_in_the_plot(count: int) -> None:
    chart = line_chart({f"l{number}": [0.5, 0.9] for number in range(count)})
    assert chart is not None
    places = sorted(line.label_y for line in chart.lines)
    assert all(b - a >= 15.9 for a, b in pairwise(places))
    assert places[0] >= 0
    assert places[-1] <= chart.height
    styles = {(line.colour, line.dash) for line in chart.lines}
    assert len(styles) == min(count, 25)


def test_all_shares_at_the_top() -> None:
    chart = line_chart({"en": [1.0, 1.0]})
    assert chart is not None
    assert chart.lines[0].points == "0.0,0.0 100.0,0.0"
