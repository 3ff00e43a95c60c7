"""`score.py` of a release, executed: its numbers are those of `curate score`."""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from curate.cli.main import app
from curate.engine import write_json
from curate.hub.exports import write_exports
from tests.commands import runner_of
from tests.hub.exports.small_release import write_small_release
from tests.scoring.tiny_models import tiny_gpt2

ENVIRONMENT = {**os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release")
    manifest = write_small_release(folder)
    write_exports(folder, manifest)
    write_json(folder / "manifest.json", {**manifest, "files": {}})
    return folder


def run(*command: str, expected: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, *command], check=False, capture_output=True, text=True, env=ENVIRONMENT
    )
    assert done.returncode == expected, done.stderr
    return done.stdout + done.stderr


def score(*arguments: str | Path) -> None:
    assert runner_of(app)("score", *arguments).exit_code == 0


def figures(folder: Path) -> list[dict[str, Any]]:
    """A summary without what the data set is called."""
    records = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    return [
        {key: one for key, one in record.items() if key not in {"dataset", "version"}}
        for record in records
    ]


def test_the_numbers_are_those_of_curate_score(release: Path, tmp_path: Path) -> None:
    shown = run(str(release / "score.py"), "--out", str(tmp_path / "own"))
    assert {path.name for path in (tmp_path / "own").iterdir()} == {"de-lsg", "en-crows", "en-msg"}
    assert "no preference: 50 %" in shown
    assert "interval" in shown
    data = release / "data/de-lsg/test-00000-of-00001.parquet"
    score("--data", data, "--metric", "sbm,aula", "--out", tmp_path / "cli")
    assert figures(tmp_path / "own" / "de-lsg") == figures(tmp_path / "cli")
    first = json.loads((tmp_path / "own/de-lsg/summary.json").read_text(encoding="utf-8"))[0]
    assert (first["dataset"], first["version"]) == ("small", "1.2.3")
    assert first["n"] == 4  # the fifth pair is in no fold


def test_judged_pairs_and_a_causal_model(
    release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = tiny_gpt2(tmp_path / "gpt2")
    arguments = ("--model", str(model), "--metric", "ppl", "--config", "en-crows")
    monkeypatch.setattr(sys, "argv", ["score.py", *arguments, "--out", str(tmp_path / "own")])
    runpy.run_path(str(release / "score.py"), run_name="__main__")
    data = release / "data/en-crows/test-00000-of-00001.parquet"
    score(
        "--data", data, "--columns", "sent_more,sent_less", "--model", model, "--metric", "ppl",
        "--out", tmp_path / "cli",
    )  # fmt: skip
    own, cli = figures(tmp_path / "own" / "en-crows"), figures(tmp_path / "cli")
    assert [record["value"] for record in own] == [record["value"] for record in cli]
    assert own[0]["n"] + own[0]["n_dropped"] == 2


def test_a_configuration_that_is_not_there(release: Path, tmp_path: Path) -> None:
    said = run(
        str(release / "score.py"), "--config", "drops", "--out", str(tmp_path / "x"), expected=2
    )
    assert "drops: this release has de-lsg, en-crows, en-msg" in said


def test_a_script_that_lies_alone(release: Path, tmp_path: Path) -> None:
    """One of a release that was never published has nothing to fetch."""
    (tmp_path / "score.py").write_bytes((release / "score.py").read_bytes())
    said = run(str(tmp_path / "score.py"), expected=2)
    assert "no release lies beside this script" in said
    assert "Traceback" not in said


def test_a_model_that_is_not_there(release: Path, tmp_path: Path) -> None:
    arguments = ("--model", str(tmp_path / "none"), "--out", str(tmp_path / "x"))
    said = run(str(release / "score.py"), *arguments, expected=1)
    assert "score.py: " in said
    assert "Traceback" not in said
