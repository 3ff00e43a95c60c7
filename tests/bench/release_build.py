"""Building and checking a release of many pairs: rows a second, seconds, and memory.

    python tests/bench/release_build.py [--rows 1000000] [--keep DIR] [--json FILE]

The input is a run folder that this script makes up: `--rows` pairs by two words, in the language
English with the lexicon as it is, and half as many drops; a twentieth of the pairs carries a fill.
Then, each in a process of its own, from start to exit: `build_release`, and `check_release` without
the pair checks. MB is the largest resident set of that process (all threads, imports included).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from curate import schema  # noqa: E402
from curate.engine import write_json, write_parquet  # noqa: E402
from curate.lexicon import load_lexicon  # noqa: E402

_BATCH = 10_000
_CHILD = """
import resource, sys, time
from pathlib import Path
from curate.hub.building import build_release
from curate.hub.check import check_release
start = time.perf_counter()
if sys.argv[1] == "build":
    build_release([Path(sys.argv[2])], Path(sys.argv[3]), version="1.0.0")
else:
    found = check_release(Path(sys.argv[3]), pairs=False)
    assert not [one for one in found if one.level == "error"], found
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def make_run(folder: Path, rows: int) -> None:
    """A finished run of made-up pairs: texts of 5 to 20 words that compress like text does."""
    folder.mkdir(parents=True)
    draw = random.Random(7)  # noqa: S311 (no secret)
    words = ["".join(draw.choices("abcdefghinorstu", k=draw.randint(2, 10))) for _ in range(20_000)]
    version = load_lexicon("en").version
    write_parquet(folder / "pairs.parquet", schema.PAIRS, _pairs(rows, words, draw, version))
    write_parquet(folder / "drops.parquet", schema.DROPS, _drops(rows // 2))
    files = {
        name: {"sha256": hashlib.sha256((folder / name).read_bytes()).hexdigest()}
        for name in ("pairs.parquet", "drops.parquet")
    }
    write_json(folder / "stats.json", {"method": "lsg", "lang": "en"})
    about = {"lang": "en", "method": "lsg", "seed": 7, "folds": 5, "config": {}, "files": files}
    write_json(folder / "manifest.json", about)


def _pairs(rows: int, words: list[str], draw: random.Random, version: str) -> Iterator[pa.Table]:
    fill = {
        "model": "made/up", "revision": "0" * 40, "k": 10, "threshold": 0.01, "context": "original",
        "word_m": "he", "p_m": 0.5, "word_f": "she", "p_f": 0.25, "kind": "both",
    }  # fmt: skip
    for first in range(0, rows, _BATCH):
        batch = []
        for row in range(first, min(first + _BATCH, rows)):
            text = " ".join(draw.choices(words, k=draw.randint(5, 20))) + f" {row}."
            m, f = f"The king {text}", f"The queen {text}"
            batch.append(
                {
                    "pair_id": schema.pair_id("en", "lsg", m, f), "lang": "en", "masculine": m,
                    "feminine": f, "original": schema.GENDERS[row % 2], "method": "lsg",
                    "entries": ["king"], "edits_m": [{"start": 4, "end": 8, "rule": "pair"}],
                    "edits_f": [{"start": 4, "end": 9, "rule": "pair"}],
                    "fill": fill if row % 40 < 2 else None,
                    "sent_id": schema.sentence_id("en", m), "source": "made up",
                    "licence": "CC0 1.0", "lexicon_version": version,
                    "folds": [n for n in range(5) if (row // 2 + n) % 3],
                }
            )  # fmt: skip
        yield pa.Table.from_pylist(batch, schema=schema.PAIRS)


def _drops(rows: int) -> Iterator[pa.Table]:
    for first in range(0, rows, _BATCH):
        numbers = range(first, min(first + _BATCH, rows))
        columns = {
            "sent_id": [schema.sentence_id("en", str(number)) for number in numbers],
            "row": list(numbers), "stage": ["lsg"] * len(numbers),
            "code": ["no-gender-word"] * len(numbers), "detail": [""] * len(numbers),
        }  # fmt: skip
        yield pa.table(columns, schema=schema.DROPS)


def measured(task: str, run: Path, out: Path, rows: int) -> dict[str, Any]:
    command = [sys.executable, "-c", _CHILD, task, str(run), str(out)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    start = time.perf_counter()
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    inside, memory = done.stdout.split()
    return {
        "task": task, "rows": rows, "seconds": round(time.perf_counter() - start, 2),
        "rows_per_second": round(rows / float(inside)), "mb": round(int(memory) / 1024),
        "load": round(os.getloadavg()[0], 1),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--keep", type=Path, help="Folder for the input and the release.")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    folder = options.keep or Path(tempfile.mkdtemp(prefix="curate-bench-"))
    try:
        if not (folder / "run" / "manifest.json").is_file():
            make_run(folder / "run", options.rows)
        found = [
            measured(task, folder / "run", folder / "release", options.rows)
            for task in ("build", "check")
        ]
        size = sum(p.stat().st_size for p in (folder / "release").rglob("*") if p.is_file())
        for one in found:
            print(json.dumps(one | {"release_mb": round(size / 1e6)}))
        if options.json:
            options.json.write_text(json.dumps(found, indent=2) + "\n")
    finally:
        if not options.keep:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
