"""`curate occupations build` as a command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curate.cli.occupations import app
from curate.errors import InputError, LexiconError, UsageError
from curate.occupations import read_table
from tests.commands import runner_of

call = runner_of(app)

SET = (
    "sentence1,sentence2,score\n"
    "A man is singing.,A woman is cooking.,1.0\n"
    "A man is walking his dog.,A dog runs.,2.0\n"
)


@pytest.fixture
def sts(tmp_path: Path) -> Path:
    path = tmp_path / "set.csv"
    path.write_text(SET, encoding="utf-8")
    return path


def test_build_writes_tables_and_counts(sts: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = call("build", "--lang", "en", "--sts", sts, "--out", out, "--licence", "CC0")
    assert done.exit_code == 0
    assert "2 rows (csv), 2 sentences" in done.output
    assert "the paper's, as written" in done.output
    assert "1 sentences x 52 subjects: 52 texts" in done.output
    table = read_table(out)
    assert table.manifest["sts"] == "set.csv" and table.manifest["article"] == "indefinite"
    assert len(table.manifest["sts_sha256"]) == 64
    assert set(table.long.column("licence").to_pylist()) == {"CC0"}
    assert str(tmp_path) not in (out / "manifest.json").read_text(encoding="utf-8")


def test_build_prints_json_and_takes_a_choice(sts: Path, tmp_path: Path) -> None:
    wanted = tmp_path / "wanted.txt"
    wanted.write_text("judge\n\n# a comment\nnurse\n", encoding="utf-8")
    done = call(
        "build", "--lang", "en", "--sts", sts, "--out", tmp_path / "out", "--json",
        "--column", "both", "--article", "definite", "--limit-occupations", wanted,
    )  # fmt: skip
    manifest = json.loads(done.output)
    assert manifest["occupations"] == ["judge", "nurse"]
    assert manifest["counts"]["ours"] == {
        "kept": 2, "drops": {"other-gender-word": 1}, "cells": 8, "cells_dropped": {},
    }  # fmt: skip
    table = read_table(tmp_path / "out")
    assert table.columns == ["he", "she", "nurse", "judge"]
    assert table.wide.column("nurse").to_pylist() == [
        "The nurse is singing.",
        "The nurse is cooking.",
    ]


def test_wrong_input_is_refused_and_nothing_is_written(sts: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    wanted = tmp_path / "wanted.txt"
    wanted.write_text("judge\nwizard\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"wanted\.txt:2: no occupation 'wizard'"):
        call("build", "--lang", "en", "--sts", sts, "--out", out, "--limit-occupations", wanted)
    wanted.write_text("# nothing\n", encoding="utf-8")
    with pytest.raises(InputError, match="names no occupation"):
        call("build", "--lang", "en", "--sts", sts, "--out", out, "--limit-occupations", wanted)
    with pytest.raises(UsageError, match="unknown language"):
        call("build", "--lang", "xx", "--sts", sts, "--out", out)
    with pytest.raises(LexiconError, match="no occupations are listed for 'ja'"):
        call("build", "--lang", "ja", "--sts", sts, "--out", out)
    with pytest.raises(InputError, match="no sentence begins as de speaks of a man or a woman"):
        call("build", "--lang", "de", "--sts", sts, "--out", out)
    with pytest.raises(InputError, match="no such file"):
        call("build", "--lang", "en", "--sts", tmp_path / "none.csv", "--out", out)
    assert not out.exists()


def test_a_rule_of_the_language_can_be_let_pass(tmp_path: Path) -> None:
    path = tmp_path / "set.csv"
    path.write_text("Un homme assis chante.,b,1\nUne femme en rouge chante.,b,1\n", "utf-8")
    run = ("build", "--lang", "fr", "--sts", path, "--out", tmp_path / "out")
    call(*run)
    assert read_table(tmp_path / "out").wide.num_rows == 0
    call(*run, "--allow", "modified-subject")
    table = read_table(tmp_path / "out")
    told = table.wide.column("lawyer.feminine").to_pylist()
    assert told == ["Une avocate assise chante.", "Une avocate en rouge chante."]
    assert table.manifest["allow"] == ["modified-subject"]
    with pytest.raises(UsageError, match="is no code of this language"):
        call(*run, "--allow", "other-gender-word")


def test_a_folder_that_cannot_be_made_is_refused(sts: Path, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(UsageError, match="no folder to write to"):
        call("build", "--lang", "en", "--sts", sts, "--out", tmp_path / "out")


def test_help_shows_examples() -> None:
    done = call("build", "--help")
    assert "curate occupations build --lang en" in " ".join(done.output.split())
