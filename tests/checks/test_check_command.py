"""`curate pairs check` as it is called."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from curate.checks import CODES
from curate.cli import pairs_check
from curate.errors import InputError, UsageError


def run(*arguments: object) -> Any:
    app = typer.Typer()
    app.command()(pairs_check.check)
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.csv"
    path.write_text("he,she\nhe sat,she sat\nhe sat.,she sat!\n", encoding="utf-8")
    return path


def test_formats_and_exit_codes(pairs: Path) -> None:
    result = run(pairs, "--columns", "he,she", "--format", "csv")
    assert result.exit_code == 1
    rows = list(csv.reader(io.StringIO(result.stdout)))
    assert rows[0] == ["row", "code", "detail"]
    assert [row[:2] for row in rows[1:]] == [["1", "changed-punctuation"]]
    result = run(pairs, "--columns", "he,she", "--format", "json")
    assert json.loads(result.stdout)["rows"] == 2
    result = run(pairs, "--columns", "he,she")
    assert "changed-punctuation" in result.stdout
    result = run(pairs, "--columns", "he,she", "--ignore", "changed-punctuation")
    assert result.exit_code == 0


def test_the_rule_runs_alone(pairs: Path, tmp_path: Path) -> None:
    equivalents = tmp_path / "eq.txt"
    equivalents.write_text("she,he\n")
    result = run(
        pairs, "--columns", "he,she", "--rule", "fort2024", "--equivalents", equivalents,
        "--format", "csv",
    )  # fmt: skip
    assert (result.exit_code, result.stdout) == (0, "row,code,detail\n")


def test_bad_input_is_an_error_of_its_own(pairs: Path, tmp_path: Path) -> None:
    latin = tmp_path / "latin.csv"
    latin.write_bytes(b"a,b\nh\xe9,x\n")
    empty = tmp_path / "empty.csv"
    empty.write_bytes(b"")
    cases: list[tuple[list[object], type[Exception], str]] = [
        ([pairs, "--columns", "he,him"], InputError, "no column 'him'"),
        ([latin, "--columns", "a,b"], InputError, "latin.csv:2"),
        ([empty, "--columns", "a,b"], InputError, "empty"),
        ([tmp_path / "none.csv", "--columns", "a,b"], InputError, "no such file"),
        ([pairs, "--columns", "he"], UsageError, "two names"),
        ([pairs, "--columns", "he,she", "--rule", "fort2024"], UsageError, "--equivalents"),
        ([pairs, "--columns", "he,she", "--equivalents", pairs], UsageError, "fort2024"),
        ([pairs, "--columns", "he,she", "--ignore", "nope"], UsageError, "nope"),
        ([], UsageError, "which file"),
    ]
    for arguments, kind, message in cases:
        result = run(*arguments)
        assert isinstance(result.exception, kind), arguments
        assert message in str(result.exception)
        assert result.stdout == ""


def test_the_table_of_codes() -> None:
    listed = json.loads(run("--codes", "--format", "json").stdout)
    assert [item["code"] for item in listed] == list(CODES)
    assert "not-minimal" in run("--codes").stdout
