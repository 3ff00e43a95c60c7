"""Twenty runs that lose a process to kill -9, at any moment: the bytes at the end are the same.

What is killed is the driver, a worker or an actor, on this machine's engine and on Ray's. The
points are drawn (with a seed) from stretches that together are the whole run: drivers die while
they start, in the first and in the second half of the parts and while these are put together; the
others in the four quarters of the parts. With ``-s`` a line a run says what was hit, and how far
the run had come.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from curate.demo import embedded_corpora
from tests.processes import command_of, descendants, kill, wait_until_gone

ROOT = Path(__file__).resolve().parents[2]
SEED = 20_260_901
FILES = ("pairs.parquet", "aside.parquet", "drops.parquet", "stats.json", "manifest.json")
_PATIENCE = 240
_STARTING = {"local": 1.5, "ray": 8.0}
"""Seconds in which a driver has hardly begun."""

METHODS = {
    "lsg": (60_000, ("--batch-rows", "2000", "--folds", "3")),
    "msg": (2_000, ("--batch-rows", "100", "--model", "mini")),
}
"""Lines of the corpus, and options, by method."""

ENGINES = {
    "local": ("--engine", "local", "--workers", "2"),
    "ray": ("--engine", "ray", "--workers", "2"),
}


@dataclass(frozen=True)
class Case:
    """A run and whom it loses; `place` of `places` says in which stretch of it."""

    engine: str
    method: str
    victim: str
    place: int
    places: int

    def __str__(self) -> str:
        return f"{self.engine}-{self.method}-{self.victim}-{self.place}"

    def chance(self) -> random.Random:
        return random.Random(f"{SEED} {self}")  # noqa: S311 (to be repeatable, not secret)


def _cases(engine: str, method: str, victim: str, places: int) -> list[Case]:
    return [Case(engine, method, victim, place, places) for place in range(places)]


CASES = [
    *_cases("local", "lsg", "driver", 4), *_cases("local", "lsg", "worker", 4),
    *_cases("ray", "lsg", "driver", 4), *_cases("ray", "lsg", "worker", 4),
    *_cases("ray", "msg", "actor", 4),
]  # fmt: skip

TITLES = {
    ("local", "worker"): ("spawn_main",),
    ("ray", "worker"): ("ray::MapBatches", "ray::Read"),
    ("ray", "actor"): ("ray::MapWorker",),
}
"""How the processes call themselves that may be killed: while they work, in Ray."""


@dataclass
class Workshop:
    """The corpora, the calm runs that the others are held against, and what is still to end."""

    folder: Path
    left: list[int] = field(default_factory=list)

    def corpus(self, method: str) -> Path:
        path = self.folder / f"{method}.txt"
        if not path.exists():
            lines = embedded_corpora()["en"].read_text(encoding="utf-8").splitlines()
            lines = [line for line in lines if not line.startswith("She ")]  # something to balance
            rows = METHODS[method][0]
            numbered = (f"{line} ({n})" for n in itertools.count() for line in lines)
            texts = list(itertools.islice(numbered, rows - rows // 100))
            for place in range(0, rows, 100):  # rows that no run may lose either
                bad = ("", "He has a bell \a.", texts[place])[place // 100 % 3]
                texts.insert(place + place // 100 % 7, bad)
            path.write_text("".join(f"{line}\n" for line in texts[:rows]), encoding="utf-8")
        return path

    def command(self, method: str, engine: tuple[str, ...], out: Path) -> list[str]:
        asked = ["pairs", method, "--lang", "en", "--corpus", str(self.corpus(method))]
        asked += ["--out", str(out), *METHODS[method][1], *engine]
        return [sys.executable, "-m", "curate.cli", *asked]

    def calm(self, method: str) -> Path:
        """The folder of a run with one worker that nothing disturbs."""
        out = self.folder / f"calm-{method}"
        if not (out / "manifest.json").exists():
            done = _start(self.command(method, ("--workers", "1"), out))
            assert done.wait(_PATIENCE) == 0, _said(done)
        return out


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workshop]:
    made = Workshop(tmp_path_factory.mktemp("killed"))
    yield made
    assert [command_of(pid) for pid in wait_until_gone(made.left, seconds=120)] == []


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_same_bytes_after_a_kill(workshop: Workshop, case: Case) -> None:
    if case.engine == "ray":
        pytest.importorskip("ray", reason="Ray is not installed: the extra ray")
    calm = workshop.calm(case.method)
    out = workshop.folder / str(case)
    command = workshop.command(case.method, ENGINES[case.engine], out)
    print(f"{case}: {_killed(case, command, out, workshop)}")
    again = _start(command)
    assert again.wait(_PATIENCE) == 0, _said(again)
    _assert_same(out, calm)
    _assert_every_row(out, METHODS[case.method][0])


def _killed(case: Case, command: list[str], out: Path, workshop: Workshop) -> str:
    """Run, kill at the drawn point, wait for the end: what was hit and where."""
    begun = time.monotonic()
    process = _start(command)
    told = ""
    pool: list[int] = []
    reached = _point(case, begun)
    while process.poll() is None and not told:
        time.sleep(0.002)
        if not reached(out):
            continue
        pool = [process.pid, *descendants(process.pid)]
        victims = pool[:1] if case.victim == "driver" else _named(pool[1:], case)
        if victims:
            victim = case.chance().choice(victims)
            title, seconds, far = command_of(victim), time.monotonic() - begun, _reached(out)
            if kill(victim):
                told = f"{title[:60]!r} at {seconds:.1f} s, {far}"
    code = process.wait(_PATIENCE)
    assert told, f"the run was over before anything could be killed: {_said(process)}"
    assert code == (-9 if case.victim == "driver" else 0), _said(process)
    left = [pid for pid in pool if pid not in _slow(pool)]
    assert [command_of(pid) for pid in wait_until_gone(left, seconds=30)] == []
    workshop.left += _slow(pool)
    return told


def _slow(pids: list[int]) -> list[int]:
    """Helpers of Ray that look for their dead master for up to a minute before they end too."""
    return [pid for pid in pids if command_of(pid).endswith("Agent")]


def _point(case: Case, begun: float) -> Callable[[Path], bool]:
    """Whether a run has come to the point at which to kill."""
    chance = case.chance()
    parts = _parts_of(case.method)
    if case.victim == "driver":
        if case.place == 0:
            moment = begun + chance.uniform(0.1, _STARTING[case.engine])
            return lambda out: time.monotonic() > moment
        if case.place == case.places - 1:
            return _Later(lambda out: any(out.glob(".*.tmp")), chance.uniform(0, 0.1))
        share = (case.place - 1 + chance.random()) / (case.places - 2)
    else:
        share = (case.place + chance.random()) / case.places
    wanted = min(max(1, int(share * parts)), parts - 2)
    return _Later(lambda out: _done(out) >= wanted, chance.uniform(0, 0.05))


class _Later:
    """True from some seconds after a condition first held."""

    def __init__(self, condition: Callable[[Path], bool], seconds: float) -> None:
        self._condition, self._seconds = condition, seconds
        self._since = 0.0

    def __call__(self, out: Path) -> bool:
        if not self._since and self._condition(out):
            self._since = time.monotonic()
        return bool(self._since) and time.monotonic() >= self._since + self._seconds


def _parts_of(method: str) -> int:
    rows, options = METHODS[method]
    return rows // int(options[options.index("--batch-rows") + 1])


def _done(out: Path) -> int:
    return len(list((out / "parts").glob("*+*.json")))


def _named(pids: list[int], case: Case) -> list[int]:
    titles = TITLES[case.engine, case.victim]
    return [pid for pid in pids if any(title in command_of(pid) for title in titles)]


def _reached(out: Path) -> str:
    """How far a run has come: its finished parts, and whether it puts them together."""
    files = [path.name for path in out.glob("*") if path.name != "parts"] if out.exists() else []
    return f"{_done(out)} parts" + (f", putting together: {', '.join(files)}" if files else "")


def _start(command: list[str]) -> subprocess.Popen[bytes]:
    inherited = {name: value for name, value in os.environ.items() if name != "RAY_ADDRESS"}
    own = {"PYTHONPATH": str(ROOT), "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    said = Path(command[command.index("--out") + 1]).with_suffix(".said").open("wb")
    return subprocess.Popen(command, cwd=ROOT, env=inherited | own, stdout=said, stderr=said)


def _said(process: subprocess.Popen[bytes]) -> str:
    command: list[str] = process.args  # type: ignore[assignment]
    path = Path(command[command.index("--out") + 1]).with_suffix(".said")
    return f"exit {process.returncode}: {path.read_text(encoding='utf-8')}"


def _assert_same(out: Path, calm: Path) -> None:
    for name in FILES:
        assert (out / name).read_bytes() == (calm / name).read_bytes(), name
    assert sorted(path.name for path in out.iterdir()) == sorted(FILES)


def _assert_every_row(out: Path, rows: int) -> None:
    """Every row of the corpus is a pair or a drop, once; a pair left aside is a drop besides."""
    pairs, aside = (pq.read_table(out / name, columns=["sent_id"]) for name in FILES[:2])
    drops = pq.read_table(out / "drops.parquet")
    assert pairs.num_rows + drops.num_rows == rows
    numbers = drops.column("row").to_pylist()
    assert len(set(numbers)) == len(numbers)
    codes = drops.column("code").to_pylist()
    assert codes.count("balance") == aside.num_rows > 0
    assert len(set(pairs.column("sent_id").to_pylist())) == pairs.num_rows
    stats = json.loads((out / "stats.json").read_text(encoding="utf-8"))
    assert stats["n_rows"] == rows
