"""`curate release` as it is called."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from curate.cli import release
from curate.errors import InputError, UsageError
from curate.pairs.lsg import lsg_method
from curate.pairs.run import run_pairs
from curate.sources import Corpus


def run(*arguments: object) -> Any:
    return CliRunner().invoke(release.app, [str(argument) for argument in arguments])


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A real run: LSG in English on four sentences."""
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("The king slept.\nThe queen sang.\nIt rained.\nA waitress left.\n")
    source = Corpus(str(corpus), lang="en", licence="CC0 1.0")
    run_pairs(lsg_method("en"), source, tmp_path / "run", folds=2, seed=1)
    return tmp_path / "run"


def test_from_a_run_to_a_checked_release(made: Path, tmp_path: Path) -> None:
    out = tmp_path / "release"
    result = run("build", made, "--out", out, "--version", "1.0.0", "--name", "tiny")
    assert result.exit_code == 0, result.output
    assert "tiny 1.0.0" in result.stdout
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["configs"]["en-lsg"]["rows"] > 0
    assert str(tmp_path) not in (out / "manifest.json").read_text()
    result = run("check", out)
    assert result.exit_code == 0, result.output
    (out / "README.md").write_text("gone")
    result = run("check", out, "--json", "--no-pairs")
    assert result.exit_code == 1
    assert {p["code"] for p in json.loads(result.stdout)["problems"]} == {"hash-mismatch"}


def test_dates(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def date(*options: str) -> str | None:
        run("build", made, "--out", tmp_path / "out", *options)
        manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
        return manifest.get("date")

    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    assert date() is None
    assert date("--date", "2026-01-31") == "2026-01-31"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert date() == "1970-01-02"


def test_bad_usage(made: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert isinstance(run("build", made, "--out", out, "--date", "today").exception, UsageError)
    assert isinstance(run("build", made, "--out", out, "--version", "one").exception, UsageError)
    assert isinstance(run("build", tmp_path, "--out", out).exception, InputError)
    assert isinstance(run("check", tmp_path).exception, InputError)
    assert not out.exists()


def test_build_names_every_source_of_an_unknown_licence(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("The king slept.\nThe queen sang.\n")
    run_pairs(lsg_method("en"), Corpus(str(corpus), lang="en"), tmp_path / "run", folds=1, seed=1)
    result = run("build", tmp_path / "run", "--out", tmp_path / "release")
    assert result.exit_code == 0
    warnings = [line for line in result.stderr.splitlines() if line.startswith("warning: ")]
    assert warnings == ["warning: en-lsg: the licence of 'corpus.txt' (unstated) is not known"]
    assert "[[licences]]" in result.stderr
    assert "warning" not in result.stdout
    about = tmp_path / "about.toml"
    about.write_text(
        '[[licences]]\nsource = "corpus.txt"\nlicence = "CC0 1.0"\n'
        'evidence = "https://example.org/terms"\n'
    )
    told = run("build", tmp_path / "run", "--out", tmp_path / "release", "--about", about)
    assert (told.exit_code, told.stderr) == (0, "")


def test_help_of_build_names_every_key_of_about() -> None:
    from curate.hub.card.about import About, Author

    shown = run("build", "--help").output
    keys = About.model_fields | Author.model_fields
    assert [key for key in keys if key not in shown] == []
    assert [key for key in ("source", "licence", "evidence") if key not in shown] == []
