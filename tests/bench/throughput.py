"""Sentences a second of every step, on one core, on two, and with Ray: the table in the README.

    python tests/bench/throughput.py [--rows 2000000] [--steps scan lsg-en …] [--work DIR]

The corpus is Tatoeba's, repeated with a number behind every sentence, so that no two are the same
(the first round stands as it is). Commands are timed from start to exit, and once more over a
handful of rows, which is their start; rates are over the whole. Memory is the largest sum of the
resident sets of a command and all its processes, asked for four times a second, in MB (pages that
processes share count in each). One core is `taskset` to one.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("CURATE_SHARED", ROOT.parent / "shared"))
sys.path.insert(0, str(ROOT))

_PLACES = {
    "one core": ("--workers", "1"),
    "two cores": ("--workers", "2"),
    "Ray, two workers": ("--engine", "ray", "--workers", "2"),
}
_MSG_ROWS = {"msg-mini": 12_000, "msg-base": 1_000}
_STEPS = ["scan", "lsg-en", "lsg-de", *_MSG_ROWS, "check", "release"]


@dataclass(frozen=True)
class Timed:
    """One command: rows of its input, seconds from start to exit, of that its start, MB."""

    step: str
    place: str
    rows: int
    seconds: float
    start: float
    mb: int

    @property
    def rate(self) -> float:
        return self.rows / self.seconds


def sentences(lang: str) -> list[str]:
    path = SHARED / "data" / "tatoeba" / f"{lang}.txt.gz"
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        return [line for line in stream.read().split("\n") if line]


def repeated(texts: list[str], rows: int) -> Iterator[str]:
    """`rows` lines: the texts, then the texts with (2) behind each, and so on."""
    rounds = ((f"{text} ({n})" if n > 1 else text) for n in itertools.count(1) for text in texts)
    return itertools.islice(rounds, rows)


def corpus(lang: str, rows: int, work: Path) -> Path:
    path = work / f"{lang}-{rows}.txt"
    if not path.exists():
        new = path.with_suffix(".new")
        with new.open("w", encoding="utf-8") as stream:
            stream.writelines(f"{line}\n" for line in repeated(sentences(lang), rows))
        new.rename(path)
    return path


def _tree(pid: int) -> list[int]:
    """A process and all that it started."""
    found = [pid]
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = path.read_text().split()
        except OSError:
            continue
        found += [each for child in children for each in _tree(int(child))]
    return found


def _resident(pid: int) -> int:
    """MB of a process and all that it started."""
    pages = 0
    for each in _tree(pid):
        try:
            pages += int(Path(f"/proc/{each}/statm").read_text().split()[1])
        except (OSError, IndexError):
            continue
    return pages * os.sysconf("SC_PAGESIZE") >> 20


def run(arguments: list[str], *, cores: str | None = None) -> tuple[float, int]:
    """Seconds from start to exit, MB."""
    command = ["taskset", "-c", cores] if cores else []
    command += [sys.executable, "-m", "curate.cli", *arguments]
    begun, most = time.perf_counter(), 0
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            command, cwd=ROOT, stdout=said, stderr=said,
            env={**os.environ, "PYTHONPATH": str(ROOT), "HF_HUB_OFFLINE": "1"},
        )  # fmt: skip
        while process.poll() is None:
            most = max(most, _resident(process.pid))
            time.sleep(0.25)
        seconds = time.perf_counter() - begun
        if process.returncode not in {0, 1}:
            said.seek(0)
            raise SystemExit(f"{' '.join(arguments)}:\n{said.read().decode()}")
    return seconds, most


def timed(step: str, place: str, arguments: list[str], rows: int, work: Path) -> Timed:
    """A `pairs` command over a corpus, and over its first hundred rows."""
    cores = "0" if place == "one core" else None
    spec = Path(arguments[arguments.index("--corpus") + 1])
    few = work / f"few-{spec.name}"
    with spec.open(encoding="utf-8") as stream:
        few.write_text("".join(itertools.islice(stream, 100)), encoding="utf-8")
    out = work / f"out-{step}"
    fixed = ["--restart", "--json", *_PLACES[place]]
    seconds, most = run([*arguments, "--out", str(out), *fixed], cores=cores)
    short = [str(few) if part == str(spec) else part for part in arguments]
    start, _ = run([*short, "--out", str(work / "out-few"), *fixed], cores=cores)
    return Timed(step, place, rows, seconds, start, most)


def scan(work: Path, rows: int) -> Iterator[Timed]:
    """The prefilter alone: no reading, no writing; best of three."""
    from curate.lexicon import load_lexicon
    from curate.swap import Swapper

    texts, swapper = sentences("en"), Swapper(load_lexicon("en"))
    best = float("inf")
    for _ in range(3):
        begun = time.perf_counter()
        swapper.scan(texts)
        best = min(best, time.perf_counter() - begun)
    yield Timed("scan", "one core", len(texts), best, 0.0, 0)


def lsg(step: str, work: Path, rows: int) -> Iterator[Timed]:
    lang = step.removeprefix("lsg-")
    path = corpus(lang, rows, work)
    for place in _PLACES:
        yield timed(
            step, place, ["pairs", "lsg", "--lang", lang, "--corpus", str(path)], rows, work
        )


def msg(step: str, work: Path, rows: int) -> Iterator[Timed]:
    model = "mini"
    if step == "msg-base":
        from tests.bench.grown_model import grow

        model = str(work / "grown")
        if not Path(model).exists():
            grow(Path(model))
    rows = _MSG_ROWS[step]
    path = corpus("en", rows, work)
    asked = ["pairs", "msg", "--lang", "en", "--corpus", str(path), "--model", model]
    for place in _PLACES:
        yield timed(step, place, [*asked, "--batch-rows", str(rows // 12)], rows, work)


def check(work: Path, rows: int) -> Iterator[Timed]:
    import pyarrow.parquet as pq

    folder = work / "out-lsg-en"
    pairs = pq.ParquetFile(folder / "pairs.parquet").metadata.num_rows
    for place, cores in (("one core", "0"), ("two cores", None)):
        seconds, most = run(["pairs", "check", str(folder), "--write"], cores=cores)
        yield Timed("check", place, pairs, seconds, 0.0, most)


def release(work: Path, rows: int) -> Iterator[Timed]:
    import pyarrow.parquet as pq

    folder = work / "out-lsg-en"
    pairs = pq.ParquetFile(folder / "pairs.parquet").metadata.num_rows
    for place, cores in (("one core", "0"), ("two cores", None)):
        seconds, most = run(
            ["release", "build", str(folder), "--out", str(work / "release"), "--replace"],
            cores=cores,
        )
        yield Timed("release", place, pairs, seconds, 0.0, most)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--steps", nargs="+", default=_STEPS, choices=_STEPS)
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "throughput")
    parser.add_argument("--places", nargs="+", choices=list(_PLACES))
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    for place in [place for place in _PLACES if given.places and place not in given.places]:
        del _PLACES[place]
    given.work.mkdir(parents=True, exist_ok=True)
    found = []
    for step in given.steps:
        made = {"scan": scan, "check": check, "release": release}.get(step)
        rows = made(given.work, given.rows) if made else (
            lsg if step.startswith("lsg") else msg
        )(step, given.work, given.rows)  # fmt: skip
        for one in rows:
            found.append(asdict(one) | {"rate": round(one.rate, 1)})
            print(json.dumps(found[-1]), flush=True)
    if given.json:
        given.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
