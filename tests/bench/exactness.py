"""The same bytes from every engine, worker count and batch size, on a million sentences.

    python tests/bench/exactness.py [--rows 1000000] [--lang en] [--work DIR]

Runs `curate pairs lsg` over Tatoeba's sentences (repeated with a number behind each, so that no two
are the same) on one process, on two and on Ray with two workers, with batches of 1,000, 8,192 and
50,000 rows, and compares the SHA-256 of every file. Prints a line a run; exit 1 where two differ.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

FILES = ("pairs.parquet", "aside.parquet", "drops.parquet", "stats.json", "manifest.json")
ENGINES = {
    "local, 1": ("--engine", "local", "--workers", "1"),
    "local, 2": ("--engine", "local", "--workers", "2"),
    "Ray, 2": ("--engine", "ray", "--workers", "2"),
}
BATCHES = (1_000, 8_192, 50_000)


def hashes(folder: Path) -> dict[str, str]:
    found = {}
    for name in FILES:
        with (folder / name).open("rb") as stream:
            found[name] = hashlib.file_digest(stream, "sha256").hexdigest()
    return found


def run(command: list[str]) -> float:
    begun = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "curate.cli", *command],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT), "HF_HUB_OFFLINE": "1"},
        capture_output=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}:\n{done.stderr.decode()}")
    return time.perf_counter() - begun


def main() -> int:
    from tests.bench.throughput import corpus

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--lang", default="en")
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "exactness")
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    path = corpus(given.lang, given.rows, given.work)
    first: dict[str, str] = {}
    differing = 0
    for name, options in ENGINES.items():
        for rows in BATCHES:
            out = given.work / "out"
            shutil.rmtree(out, ignore_errors=True)
            asked = ["pairs", "lsg", "--lang", given.lang, "--corpus", str(path)]
            seconds = run([*asked, "--out", str(out), "--batch-rows", str(rows), *options])
            found = hashes(out)
            first = first or found
            unlike = [file for file, value in found.items() if value != first[file]]
            differing += bool(unlike)
            said = f"DIFFERS in {', '.join(unlike)}" if unlike else "the same"
            load = os.getloadavg()[0]
            print(f"{name:9} batches {rows:6,}: {seconds:6.1f} s (load {load:.1f}), {said}")
            sys.stdout.flush()
    for file, value in first.items():
        print(f"{value}  {file}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
