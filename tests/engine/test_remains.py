"""What a run finds in its folder: remains of other runs, damage, another run; and interrupts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curate.demo import embedded_corpora
from curate.engine import Parts, alone, folder_at, run_local
from curate.errors import CurateError, InputError, RemoteError, UsageError
from curate.pairs.lsg import lsg_method
from curate.pairs.means import Means
from curate.pairs.run import run_pairs
from curate.sources import Corpus
from tests.engine.ray_cluster import ROOT, free_port
from tests.engine.toy_stage import STAGE, Config, batches
from tests.processes import descendants, wait_until_gone


def _all(parts: Parts, output: str) -> list[int]:
    return [n for table in parts.read(output) for n in table.column("n").to_pylist()]


def _pairs(
    tmp_path: Path, out: Path, *,
    restart: bool = False, on_progress: Callable[[int], None] | None = None,
) -> dict[str, Any]:  # fmt: skip
    path = tmp_path / "corpus.txt"
    path.write_bytes(embedded_corpora()["en"].read_bytes())
    return run_pairs(
        lsg_method("en", Means(parser="none", model="none")), Corpus(str(path), lang="en"), out,
        folds=1, restart=restart, on_progress=on_progress,
    )  # fmt: skip


def test_what_another_run_has_left_is_never_taken(tmp_path: Path) -> None:
    """As after a kill in the middle of --restart, or with one who still writes."""
    run_local(batches(30, 10), STAGE, Config(by=2), tmp_path)
    (tmp_path / "parts" / "run.json").unlink()
    with pytest.raises(CurateError, match="here it ends"):
        run_local(batches(30, 10), STAGE, Config(by=3, fail_at=10), tmp_path)
    parts = run_local(batches(30, 10), STAGE, Config(by=3), tmp_path)
    assert _all(parts, "whole") == list(range(0, 30, 3))


def test_a_damaged_page_is_made_anew(tmp_path: Path) -> None:
    parts = run_local(batches(30, 10), STAGE, Config(), tmp_path)
    path = parts.path(parts.done[1], "whole")
    whole = path.read_bytes()
    path.write_bytes(whole[:4] + bytes(byte ^ 0xA5 for byte in whole[4:12]) + whole[12:])
    with pytest.raises(CurateError, match="damaged or gone"):
        _all(parts, "whole")
    again = run_local(batches(30, 10), STAGE, Config(), tmp_path)
    assert _all(again, "whole") == list(range(0, 30, 2))


def test_a_mark_that_lost_power_is_none(tmp_path: Path) -> None:
    run_local(batches(30, 10), STAGE, Config(), tmp_path)
    mark = next((tmp_path / "parts").glob("000000000010+*.json"))
    mark.write_bytes(b"")
    told: list[int] = []
    parts = run_local(batches(30, 10), STAGE, Config(), tmp_path, on_progress=told.append)
    assert told == [20, 30]
    assert _all(parts, "whole") == list(range(0, 30, 2))
    (tmp_path / "parts" / "run.json").write_bytes(b"")
    with pytest.raises(InputError, match="damaged") as caught:
        run_local(batches(30, 10), STAGE, Config(), tmp_path)
    assert "--restart" in caught.value.hint


def test_one_run_at_a_time(tmp_path: Path) -> None:
    def another(rows: int) -> None:
        with pytest.raises(UsageError, match="another run is at work"):
            _pairs(tmp_path, tmp_path / "out", restart=True)
        told.append(rows)

    told: list[int] = []
    stats = _pairs(tmp_path, tmp_path / "out", on_progress=another)
    assert told
    assert _pairs(tmp_path, tmp_path / "out") == stats
    with alone(tmp_path), pytest.raises(UsageError, match="another run"), alone(tmp_path):
        pass


def test_a_finished_folder(tmp_path: Path) -> None:
    out = tmp_path / "out"
    stats = _pairs(tmp_path, out)
    (out / "parts").mkdir()  # it was killed in its last moment
    assert _pairs(tmp_path, out) == stats
    assert not (out / "parts").exists()
    (out / "manifest.json").write_bytes(b"")
    with pytest.raises(InputError, match="damaged"):
        _pairs(tmp_path, out)
    assert _pairs(tmp_path, out, restart=True) == stats


def test_no_folder_can_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CurateError, match="Not a directory"):
        _pairs(tmp_path, tmp_path / "file" / "out")


def test_a_restart_in_a_store_that_is_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    s3fs = pytest.importorskip("s3fs", reason="no S3 client: install the extra remote")
    for name, value in {
        "AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x", "AWS_MAX_ATTEMPTS": "1",
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{free_port()}",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    s3fs.S3FileSystem.clear_instance_cache()
    try:
        with pytest.raises(RemoteError, match="the store failed"):
            _pairs(tmp_path, folder_at("s3://away/run"), restart=True)
    finally:
        s3fs.S3FileSystem.clear_instance_cache()


_LONG = """
import sys, time
from dataclasses import replace
from pathlib import Path
sys.path.insert(0, {root!r})
from curate.engine import run_local
from tests.engine.toy_stage import STAGE, Config, batches, divide

def long(table, config):
    (Path(sys.argv[1]) / "begun").touch()
    time.sleep(60)
    return divide(table, config)

if __name__ == "__main__":
    try:
        run_local(
            batches(100, 10), replace(STAGE, function=long), Config(), Path(sys.argv[1]), workers=2
        )
    except KeyboardInterrupt:
        sys.exit(130)
"""


def test_an_interrupt_does_not_wait_for_long_parts(tmp_path: Path) -> None:
    script = tmp_path / "long.py"
    script.write_text(_LONG.format(root=str(ROOT)), encoding="utf-8")
    process = _started([str(script), str(tmp_path)])
    _wait_for((tmp_path / "begun").exists)
    _interrupted(process, lines=0)


@pytest.mark.parametrize("later", [0.0, 0.2])
def test_an_interrupt_while_workers_start_is_one_line(tmp_path: Path, later: float) -> None:
    path = tmp_path / "corpus.txt"
    path.write_bytes(embedded_corpora()["en"].read_bytes() * 3)
    process = _started(
        ["-m", "curate.cli", "pairs", "lsg", "--lang", "en", "--corpus", str(path),
         "--out", str(tmp_path / "out"), "--batch-rows", "50", "--workers", "2"]
    )  # fmt: skip
    _wait_for(lambda: len(descendants(process.pid)) >= 3)  # two workers, and who counts semaphores
    time.sleep(later)
    _interrupted(process, lines=1)


def _started(arguments: list[str]) -> subprocess.Popen[str]:
    # a shell that runs the tests behind itself ignores interrupts, and so would what they start
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return subprocess.Popen(
            [sys.executable, *arguments], cwd=ROOT, env={**os.environ, "OMP_NUM_THREADS": "1"},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip
    finally:
        signal.signal(signal.SIGINT, before)


def _wait_for(there: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not there():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def _interrupted(process: subprocess.Popen[str], *, lines: int) -> None:
    """Ctrl-C, which goes to all processes of a terminal: at once, exit 130, so many lines."""
    below = descendants(process.pid)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130, errors
    assert len(errors.splitlines()) == lines, errors
    assert wait_until_gone(below) == []
