"""`curate pairs lsg | balance | stats` and `curate report` as commands."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from curate.cli import pairs_lsg
from curate.cli.report import report
from curate.errors import CurateError, InputError, UsageError

APP = typer.Typer(rich_markup_mode="rich")
APP.command("lsg")(pairs_lsg.lsg)
APP.command("balance")(pairs_lsg.balance)
APP.command("stats")(pairs_lsg.stats)
APP.command("report")(report)

SENTENCES = "The king slept.\nShe is here.\nHe is late.\n\nThe train is late.\nMy uncle cooks.\n"

Run = Callable[..., Result]


@pytest.fixture
def run() -> Run:
    runner = CliRunner()

    def call(*arguments: Any) -> Result:
        result = runner.invoke(APP, [str(argument) for argument in arguments])
        if isinstance(result.exception, CurateError):
            raise result.exception
        return result

    return call


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.txt"
    path.write_text(SENTENCES, encoding="utf-8")
    return path


def test_from_corpus_to_report(run: Run, corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    result = run("lsg", "--lang", "en", "--corpus", corpus, "--out", out, "--workers", "1")
    assert result.exit_code == 0, result.output
    assert "pairs" in result.output
    assert "dropped: empty-line" in result.output
    again = run("lsg", "--lang", "en", "--corpus", corpus, "--out", out, "--json")
    stats = json.loads(again.stdout)
    assert stats["n_rows"] == 6
    assert stats["n_pairs"] == stats["original_masculine"] + stats["original_feminine"]
    assert stats == json.loads((out / "stats.json").read_text(encoding="utf-8"))
    printed = run("stats", out)
    assert "Table 2" in printed.output
    assert "Figure 4" in printed.output
    assert json.loads(run("stats", tmp_path, "--json").stdout) == [stats]
    balanced = run("balance", out, "--folds", "2", "--seed", "7")
    assert "in 2 folds (seed 7)" in balanced.output
    assert json.loads((out / "stats.json").read_text(encoding="utf-8"))["seed"] == 7
    page = tmp_path / "page.html"
    assert run("report", out, "--out", page, "--title", "Mine").exit_code == 0
    assert "Gender minimal pairs: Mine" in page.read_text(encoding="utf-8")
    assert run("report", out).exit_code == 0
    assert (out / "report.html").is_file()


def test_a_release_is_not_touched(run: Run, corpus: Path, tmp_path: Path) -> None:
    release = tmp_path / "release"
    run("lsg", "--lang", "en", "--corpus", corpus, "--out", release)
    (release / "README.md").write_text("card", encoding="utf-8")
    before = sorted(path.name for path in release.iterdir())
    assert run("report", release).exit_code == 0
    assert sorted(path.name for path in release.iterdir()) == before
    assert (tmp_path / "release.html").is_file()


@pytest.mark.parametrize(
    ("content", "options", "error", "message"),
    [
        (b"", [], InputError, "empty"),
        (b"ok\nf\xfcr\n", [], InputError, ":2: not UTF-8"),
        (b"ok\n\x00\n", ["--on-error", "stop"], InputError, "control-character"),
        (b"ok\n", ["--lang", "tlh"], UsageError, "unknown language 'tlh'"),
    ],
)
def test_bad_input_leaves_nothing_half_written(
    *, run: Run, tmp_path: Path, content: bytes, options: list[str],
    error: type[CurateError], message: str,
) -> None:  # fmt: skip
    path = tmp_path / "bad.txt"
    path.write_bytes(content)
    out = tmp_path / "out"
    with pytest.raises(error) as caught:
        run("lsg", "--lang", "en", "--corpus", path, "--out", out, *options)
    assert message in str(caught.value)
    assert caught.value.exit_code == 2
    assert not list(out.glob("*.parquet"))
    assert not list(out.glob("*.json"))


def test_a_wrong_table_names_its_columns(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    path.write_text("id,sentence\n1,He ran.\n", encoding="utf-8")
    with pytest.raises(InputError, match="the columns are 'id', 'sentence'"):
        run("lsg", "--lang", "en", "--corpus", path, "--out", tmp_path / "out")
    ok = run(
        "lsg", "--lang", "en", "--corpus", path, "--out", tmp_path / "out", "--column", "sentence"
    )
    assert ok.exit_code == 0, ok.output


@pytest.mark.parametrize("command", ["lsg", "balance", "stats", "report"])
def test_help_has_examples(run: Run, command: str) -> None:
    help_text = run(command, "--help").output
    assert "Examples:" in help_text or "Example:" in help_text
    assert f"curate {'' if command == 'report' else 'pairs '}{command}" in help_text
