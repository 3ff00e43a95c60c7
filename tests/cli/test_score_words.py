"""What `curate score` and its neighbours say, and what they refuse before any work."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from curate.cli import score_table

ROOT = Path(__file__).resolve().parents[2]

pytest.importorskip("torch", reason="needs the extra gender-curate[models]")


def curate(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-m", "curate.cli", *map(str, arguments)],
        cwd=cwd, env=os.environ | {"PYTHONPATH": str(ROOT), "HF_HUB_OFFLINE": "1"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def record(**more: Any) -> dict[str, Any]:
    return {
        "metric": "cps", "lang": "en", "group": "all", "model": "m", "sides": ["a", "b"],
        "kind": "share", "unit": "percent", "value": 40.0, "ci_low": 30.0, "ci_high": 49.0,
        "fold_std": None, "fold_mean": None, "n": 90, "n_tied": 0, "n_dropped": 0, "dropped": {},
        "no_preference": 50.0, **more,
    }  # fmt: skip


def printed(monkeypatch: pytest.MonkeyPatch, *records: dict[str, Any]) -> str:
    console = Console(width=80, record=True, file=open(os.devnull, "w"))  # noqa: PTH123, SIM115
    monkeypatch.setattr("rich.console.Console", lambda: console)
    score_table.print_scores(list(records), as_json=False)
    return console.export_text()


def test_names_are_text_not_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    groups = ("x=[/x]", "x=[red]hot", "x=\x1b[31mred")
    shown = printed(
        monkeypatch,
        record(model="b[bold]x", sides=["[/a]", "b"]),
        *(record(group=group) for group in groups),
    )
    for text in ("b[bold]x: [/a] over b", "[/x]", "[red]hot", "�[31mred"):
        assert text in shown
    assert "\x1b" not in shown


def test_stars_and_reasons_say_what_they_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = printed(
        monkeypatch,
        record(dropped={"too-long": 2}, n_dropped=2),
        record(metric="sss", dropped={"too-long": 2, "no-differing-tokens": 1}, n_dropped=3),
        record(group="bias_type=age"),
        record(group="bias_type=few", n=5),
        record(group="bias_type=even", ci_high=51.0),
        record(metric="sjsd", unit="distance", value=-0.000001, ci_low=-0.004, ci_high=0.003),
    )
    lines = [line.split() for line in shown.splitlines()]
    assert ["age", "90", "40.0*"] in lines
    assert ["few", "5", "40.0"] in lines and ["even", "90", "40.0"] in lines
    assert "-0.00 " not in shown and "[-4.0, 3.0]" in shown
    assert "left out as too-long: 2 pairs" in shown
    assert "left out as no-differing-tokens: 1 pairs" in shown
    assert "not corrected for the number of groups" in " ".join(shown.split())


def test_refusals_come_before_the_work(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("a,b,lang\nhe sat,she sat,en\n", encoding="utf-8")
    taken = tmp_path / "taken"
    taken.write_text("mine", encoding="utf-8")
    common = ("score", "--data", pairs, "--columns", "a,b")
    cases = {
        "is a file": (*common, "--out", taken),
        "no column 'topic'": (*common, "--out", "o", "--by", "topic"),
        "no pairs in 'de'": (*common, "--out", "o", "--lang", "de"),
        "unknown device 'tpu'": (*common, "--out", "o", "--device", "tpu"),
        "--metric is the metric of scored": (
            "sample-size", "--metric", "sjsd", "--half-width", "1",
        ),
    }  # fmt: skip
    for said, arguments in cases.items():
        done = curate(*arguments, cwd=tmp_path)
        assert (done.returncode, said in done.stderr) == (2, True), done.stderr
        assert len(done.stderr.splitlines()) <= 2
    assert taken.read_text(encoding="utf-8") == "mine"
    assert not (tmp_path / "o").exists()


def test_an_interrupt_says_that_the_run_can_go_on(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.tsv"
    rows = (f"He sat on chair {n}.\tShe sat on chair {n}." for n in range(20_000))
    pairs.write_text("a\tb\n" + "\n".join(rows) + "\n", encoding="utf-8")
    running = subprocess.Popen(
        [sys.executable, "-P", "-m", "curate.cli", "score", "--data", str(pairs), "--columns",
         "a,b", "--metric", "aul", "--out", str(tmp_path / "out")],
        cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT), "HF_HUB_OFFLINE": "1"},
        stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
        # where the tests run in a shell's background, SIGINT is ignored, and children inherit that
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )  # fmt: skip
    waited = time.monotonic()
    while not list((tmp_path / "out").glob("**/*.parquet")):
        assert running.poll() is None and time.monotonic() - waited < 60
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "run the same command to go on" in said
    assert "Traceback" not in said
