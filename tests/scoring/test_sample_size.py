"""Numbers of pairs: by hand, against scipy's Wilson interval, and the command."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from typer.testing import CliRunner

from curate.cli import sample_size as command
from curate.errors import UsageError
from curate.scoring.sample_size import (
    mean_half_width,
    pairs_for_mean,
    pairs_for_share,
    share_half_width,
)


def run(*arguments: object) -> Any:
    app = typer.Typer()
    app.command()(command.sample_size)
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.mark.parametrize(("won", "n"), [(5, 10), (50, 100), (20, 100), (0, 40), (997, 1000)])
@pytest.mark.parametrize("confidence", [0.9, 0.95])
def test_the_width_is_that_of_the_wilson_interval(won: int, n: int, confidence: float) -> None:
    interval = stats.binomtest(won, n).proportion_ci(confidence, method="wilson")
    width = share_half_width(n, share=100 * won / n, confidence=confidence)
    assert width == pytest.approx(50 * (interval.high - interval.low))


def test_a_share_by_hand() -> None:
    """At 50 % the half-width is z / (2 √(n + z²)): n = 0.25 z² / 0.05² - z² = 380.3."""
    z = 1.959964
    assert 0.25 * z * z / 0.05**2 - z * z == pytest.approx(380.3, abs=0.05)
    assert pairs_for_share(5.0) == 381


@settings(max_examples=100, deadline=None)
@given(st.floats(0.05, 49), st.floats(0, 100), st.floats(0.5, 0.999))
def test_the_number_is_the_smallest(half_width: float, share: float, confidence: float) -> None:
    n = pairs_for_share(half_width, share=share, confidence=confidence)
    assert share_half_width(n, share=share, confidence=confidence) <= half_width
    if n > 1:
        assert share_half_width(n - 1, share=share, confidence=confidence) > half_width


def test_a_mean_by_hand() -> None:
    """(1.96 · 0.03 / 0.002)² = 864.3."""
    assert pairs_for_mean(0.002, deviation=0.03) == 865
    assert mean_half_width(865, deviation=0.03) == pytest.approx(1.959964 * 0.03 / math.sqrt(865))
    assert pairs_for_mean(0.002, deviation=0.0) == 1


def test_the_command_says_both() -> None:
    result = run("--half-width", 5, "--n", 100)
    assert result.exit_code == 0, result.output
    assert "381 pairs" in result.stdout
    assert "100 pairs give ± 9.617 points" in result.stdout
    content = json.loads(run("--half-width", 5, "--share", 20, "--confidence", 90, "--json").stdout)
    assert content["pairs"] == pairs_for_share(5, share=20, confidence=0.9)
    assert (content["share"], content["confidence"], content["n"]) == (20, 0.9, None)


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--half-width", 0),
        ("--half-width", "nan"),
        ("--half-width", 5, "--share", 101),
        ("--half-width", 5, "--share", "nan"),
        ("--half-width", 5, "--confidence", 100),
        ("--half-width", 5, "--confidence", 0.95),
    ],
)
def test_wrong_options_are_one_line(arguments: tuple[object, ...]) -> None:
    error = run(*arguments).exception
    assert isinstance(error, UsageError), arguments
    assert "\n" not in str(error)
    assert error.hint
