"""The engine on Ray with a toy stage: what one machine gives, whatever happens to a process."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from curate.engine import Engine, Parts, Stage, run
from curate.errors import CurateError, RemoteError, UnreadableError
from tests.engine.ray_cluster import ROOT, free_port, ray_program, running_ray
from tests.engine.toy_stage import (
    DYING,
    DYING_ONCE,
    STAGE,
    Config,
    Unreadable,
    batches,
)
from tests.processes import command_of, descendants, kill, listening_on, wait_until_gone

MODEL = replace(STAGE, model=True)
LOCAL = Engine(workers=1)


@pytest.fixture(scope="module")
def ray() -> Iterator[Engine]:
    """An engine on a node that the tests of this file share."""
    ray_program()
    with running_ray() as address:
        yield Engine(name="ray", workers=2, address=address)


def _bytes(parts: Parts) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in parts.folder.iterdir()}


def _rows(parts: Parts) -> dict[str, list[int]]:
    return {
        name: [n for table in parts.read(name) for n in table.column("n").to_pylist()]
        for name in ("whole", "rest")
    }


@pytest.mark.parametrize(("stage", "rows"), [(STAGE, 7), (MODEL, 11)], ids=["tasks", "actors"])
def test_the_parts_of_one_machine(ray: Engine, tmp_path: Path, stage: Stage, rows: int) -> None:
    here = run(batches(100, rows), stage, Config(), tmp_path / "here", engine=LOCAL)
    told: list[int] = []
    there = run(
        list(batches(100, rows)), stage, Config(), tmp_path / "there",
        engine=ray, on_progress=told.append,
    )  # fmt: skip
    assert _bytes(here) == _bytes(there)
    assert here.done == there.done
    assert [part.written for part in here.done] == [part.written for part in there.done]
    assert told == sorted(told)
    assert (told[0], told[-1]) == (0, 100)


@pytest.mark.parametrize("first", ["local", "ray"])
def test_one_engine_goes_on_where_the_other_was_cut_off(
    ray: Engine, tmp_path: Path, first: str
) -> None:
    engines = [LOCAL, ray] if first == "local" else [ray, LOCAL]
    with pytest.raises(CurateError, match="here it ends") as caught:
        run(list(batches(100, 9)), STAGE, Config(fail_at=60), tmp_path, engine=engines[0])
    assert (type(caught.value), caught.value.where) == (CurateError, "row 60")
    assert caught.value.hint == "choose another"
    kept = {path.name for path in (tmp_path / "parts").glob("*+*.json")}
    assert kept
    parts = run(list(batches(100, 4)), STAGE, Config(), tmp_path, engine=engines[1])
    assert kept < {path.name for path in (tmp_path / "parts").glob("*+*.json")}
    assert _rows(parts) == {"whole": [*range(0, 100, 2)], "rest": [*range(1, 100, 2)]}


def test_an_error_of_the_reader_arrives_as_it_was(ray: Engine, tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="no more can be read") as caught:
        run(Unreadable(), STAGE, Config(), tmp_path, engine=ray)
    assert (caught.value.where, caught.value.hint) == ("corpus:31", "mend the corpus")


@pytest.mark.parametrize("model", [False, True], ids=["worker", "actor"])
def test_a_killed_process_changes_nothing(ray: Engine, tmp_path: Path, model: bool) -> None:
    stage = replace(DYING_ONCE, model=model)
    once = tmp_path / "once"
    parts = run(list(batches(100, 10)), stage, Config(once=once), tmp_path / "it", engine=ray)
    assert once.exists()
    calm = run(batches(100, 10), stage, Config(once=once), tmp_path / "calm", engine=LOCAL)
    assert _bytes(parts) == _bytes(calm)


def test_what_always_kills_its_process_ends_the_run(ray: Engine, tmp_path: Path) -> None:
    with pytest.raises(RemoteError, match="Ray gave up") as caught:
        run(list(batches(10, 10)), DYING, Config(), tmp_path, engine=ray)
    assert "\n" not in str(caught.value)
    assert "run the same command again" in caught.value.hint


def test_an_address_where_nobody_is(tmp_path: Path) -> None:
    ray_program()
    nobody = f"127.0.0.1:{free_port()}"
    begun = time.monotonic()
    with pytest.raises(RemoteError, match="cannot be reached") as caught:
        run([], STAGE, Config(), tmp_path, engine=Engine(name="ray", workers=1, address=nobody))
    assert time.monotonic() - begun < 30
    assert caught.value.where == nobody
    assert "\n" not in str(caught.value)


SCRIPT = """
import sys
from pathlib import Path
from tests.engine.toy_stage import SLOW, Config, batches
from curate.engine import Engine, run
from curate.errors import CurateError

if __name__ == "__main__":
    out, fail_at = Path(sys.argv[1]), int(sys.argv[2])
    engine = Engine(name="ray", workers=2)
    try:
        run(list(batches(400, 10)), SLOW, Config(fail_at=fail_at), out, engine=engine)
    except CurateError as error:
        print("ours:", error, "|", error.hint)
        input()  # until the test has looked
"""


def _own_ray(folder: Path, fail_at: int) -> subprocess.Popen[str]:
    """A program that starts a Ray of its own."""
    ray_program()
    folder.mkdir(exist_ok=True)
    script = folder / "own.py"
    script.write_text(SCRIPT, encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": str(ROOT), "RAY_ADDRESS": f"127.0.0.1:{free_port()}"}
    for name in ("RAY_USAGE_STATS_ENABLED", "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "RAY_AUTH_MODE"):
        env.pop(name, None)
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, str(script), str(folder / "out"), str(fail_at)],
        env=env, stdin=pipe, stdout=pipe, stderr=pipe, text=True,
    )  # fmt: skip


def _marks(folder: Path) -> int:
    return len(list((folder / "out" / "parts").glob("*+*.json")))


def test_a_ray_of_our_own_is_seen_by_nobody_and_leaves_nothing(tmp_path: Path) -> None:
    process = _own_ray(tmp_path, fail_at=390)
    started: set[int] = set()
    addresses: set[str] = set()
    told: set[str] = set()
    while process.poll() is None and (not started or _marks(tmp_path) < 30):
        for pid in descendants(process.pid):
            started.add(pid)
            addresses |= listening_on([pid])
            told |= _environment(pid)
        time.sleep(0.2)
    assert process.stdout is not None
    line = process.stdout.readline()
    left = _titles(wait_until_gone(started, seconds=20))
    _, errors = process.communicate("\n", timeout=30)
    assert line == "ours: row 390: here it ends | choose another\n"
    assert len(started) >= 5
    assert addresses
    assert addresses <= {"127.0.0.1", "::1", "::ffff:127.0.0.1"}
    assert "RAY_USAGE_STATS_ENABLED=0" in told
    assert errors == ""
    assert left == []


def _titles(pids: list[int]) -> list[str]:
    return [command_of(pid) for pid in pids]


def _environment(pid: int) -> set[str]:
    try:
        return set(Path(f"/proc/{pid}/environ").read_text(errors="replace").split("\0"))
    except OSError:
        return set()


def test_a_killed_driver_takes_its_ray_with_it(tmp_path: Path) -> None:
    process = _own_ray(tmp_path, fail_at=-1)
    deadline = time.monotonic() + 60
    while _marks(tmp_path) < 3 and time.monotonic() < deadline:
        time.sleep(0.05)
    started = descendants(process.pid)
    kill(process.pid)
    process.communicate()
    assert 3 <= _marks(tmp_path) < 40
    assert started
    # two helpers of Ray ask for their dead master for a minute before they end as well
    busy = [pid for pid in started if not command_of(pid).endswith("Agent")]
    assert _titles(wait_until_gone(busy, seconds=20)) == []
    parts = run(batches(400, 10), STAGE, Config(), tmp_path / "out", engine=LOCAL)
    assert _rows(parts) == {"whole": [*range(0, 400, 2)], "rest": [*range(1, 400, 2)]}
