"""The engine with a toy stage: parts, resuming, workers, and what it refuses."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curate.engine import Parts, Stage, run_local, run_stage, write_json, write_parquet
from curate.engine.files import ROW_GROUP
from curate.errors import CurateError, UsageError
from tests.engine.toy_stage import DYING, NUMBERS, SECOND, STAGE, Config, batches, divide


def _all(parts: Parts, output: str) -> list[int]:
    return [n for table in parts.read(output) for n in table.column("n").to_pylist()]


def test_outputs_parts_and_progress(tmp_path: Path) -> None:
    told: list[int] = []
    parts = run_local(batches(25, 10), STAGE, Config(), tmp_path, on_progress=told.append)
    assert _all(parts, "whole") == list(range(0, 25, 2))
    assert _all(parts, "rest") == list(range(1, 25, 2))
    assert [part.rows for part in parts.done] == [10, 10, 5]
    assert parts.done[2].written == {"whole": 3, "rest": 2}
    assert told == [0, 10, 20, 25]
    assert not list(tmp_path.glob("**/*.tmp"))


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    total=st.integers(0, 60),
    first=st.integers(1, 20),
    then=st.integers(1, 20),
    cut=st.integers(0, 60),
)
def test_a_run_goes_on_whatever_the_batches(
    tmp_path_factory: pytest.TempPathFactory, total: int, first: int, then: int, cut: int
) -> None:
    out = tmp_path_factory.mktemp("run")
    if cut < total:
        with pytest.raises(CurateError, match="here it ends"):
            run_local(batches(total, first), STAGE, Config(fail_at=cut), out, source="s")
    read: list[int] = []
    parts = run_local(
        batches(total, then), STAGE, Config(), out, source="s", on_progress=read.append
    )
    if cut < total:
        assert read[0] == cut // first * first
        assert [part.start for part in parts.done] == sorted({part.start for part in parts.done})
    assert _all(parts, "whole") == list(range(0, total, 2))
    assert _all(parts, "rest") == list(range(1, total, 2))


def test_workers_change_nothing(tmp_path: Path) -> None:
    one = run_local(batches(100, 7), STAGE, Config(), tmp_path / "one")
    two = run_local(batches(100, 7), STAGE, Config(), tmp_path / "two", workers=2)
    names = sorted(path.name for path in (tmp_path / "one" / "parts").iterdir())
    assert names == sorted(path.name for path in (tmp_path / "two" / "parts").iterdir())
    for name in names:
        own, other = ((tmp_path / side / "parts" / name).read_bytes() for side in ("one", "two"))
        assert own == other, name
    assert one.done == two.done


def test_an_error_in_a_worker_is_ours(tmp_path: Path) -> None:
    with pytest.raises(CurateError, match="here it ends"):
        run_local(batches(50, 5), STAGE, Config(fail_at=31), tmp_path, workers=2)
    assert not [mark for mark in _finished(tmp_path) if mark.name.startswith("000000000030+")]
    again = run_local(batches(50, 5), STAGE, Config(), tmp_path, workers=2)
    assert _all(again, "whole") == list(range(0, 50, 2))
    with pytest.raises(CurateError, match="worker process was killed"):
        run_local(batches(50, 5), DYING, Config(), tmp_path / "dying", workers=2)


@pytest.mark.parametrize(
    ("change", "named"),
    [({"config": Config(by=3)}, "config"), ({"source": "other"}, "input"),
     ({"stage": SECOND}, "version and config")],
)  # fmt: skip
def test_another_run_is_refused(tmp_path: Path, change: dict[str, Any], named: str) -> None:
    before: dict[str, Any] = {"stage": STAGE, "config": Config(), "source": "s"}
    run_local(batches(10, 5), out=tmp_path, **before)
    kept = sorted((tmp_path / "parts").iterdir())
    with pytest.raises(UsageError, match=f"another {named}") as caught:
        run_local(batches(10, 5), out=tmp_path, **{**before, **change})
    assert "--restart" in caught.value.hint
    assert sorted((tmp_path / "parts").iterdir()) == kept
    parts = run_local(batches(10, 5), out=tmp_path, restart=True, **{**before, **change})
    assert parts.rows == 10


def test_a_stage_is_held_to_what_it_declares() -> None:
    with pytest.raises(TypeError, match="reads"):
        run_stage(STAGE, pa.table({"m": [1]}), Config())
    wrong = Stage(name="w", version="1", function=divide, reads=("n",), writes={"whole": NUMBERS})
    with pytest.raises(TypeError, match="wrote"):
        run_stage(wrong, pa.table({"n": [1]}), Config())


SCRIPT = """
import sys
from pathlib import Path
sys.path.insert(0, {root!r})
from tests.engine.toy_stage import SLOW, Config, batches
from curate.engine import run_local

if __name__ == "__main__":
    out, workers = Path(sys.argv[1]), int(sys.argv[2])
    run_local(batches(200, 10), SLOW, Config(), out, workers=workers)
"""


@pytest.mark.parametrize("workers", ["1", "2"])
def test_kill_nine_and_go_on(tmp_path: Path, workers: str) -> None:
    script = tmp_path / "killed.py"
    text = SCRIPT.format(root=str(Path(__file__).resolve().parents[2]))
    script.write_text(text, encoding="utf-8")
    command = [sys.executable, str(script)]
    out, calm = tmp_path / "killed", tmp_path / "calm"
    process = subprocess.Popen([*command, str(out), workers], start_new_session=True)
    deadline = time.monotonic() + 60
    while len(_finished(out)) < 3 and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert 3 <= len(_finished(out)) < 20
    _wait_for_end_of_group(process.pid)
    subprocess.run([*command, str(out), workers], check=True)
    subprocess.run([*command, str(calm), "1"], check=True)
    files = sorted(path.name for path in (calm / "parts").iterdir())
    assert files == sorted(p.name for p in (out / "parts").iterdir() if not p.name.startswith("."))
    for name in files:
        assert (out / "parts" / name).read_bytes() == (calm / "parts" / name).read_bytes()


def _finished(out: Path) -> list[Any]:
    return list((out / "parts").glob("*+*.json"))


def _wait_for_end_of_group(group: int) -> None:
    """Workers must not outlive a parent that was killed."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    os.killpg(group, signal.SIGKILL)
    raise AssertionError("workers outlived their parent")


def test_parquet_bytes_depend_on_rows_alone(tmp_path: Path) -> None:
    total = 2 * ROW_GROUP + 123
    rows = write_parquet(tmp_path / "a.parquet", NUMBERS, batches(total, 1000))
    write_parquet(tmp_path / "b.parquet", NUMBERS, batches(total, total))
    assert rows == total
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()
    assert pq.ParquetFile(tmp_path / "a.parquet").num_row_groups == 3
    write_parquet(tmp_path / "empty.parquet", NUMBERS, [])
    assert pq.read_table(tmp_path / "empty.parquet").schema.equals(NUMBERS)


def test_nothing_half_written(tmp_path: Path) -> None:
    def broken() -> Iterator[pa.Table]:
        yield from batches(ROW_GROUP + 1, 5000)
        raise CurateError("no more")

    path = tmp_path / "a.parquet"
    with pytest.raises(CurateError, match="no more"):
        write_parquet(path, NUMBERS, broken())
    with pytest.raises(TypeError):
        write_json(tmp_path / "a.json", {"a": {1, 2}})
    assert not list(tmp_path.iterdir())
