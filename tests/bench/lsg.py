"""LSG on real input: sentences scanned, sentences end to end, and memory.

    python tests/bench/lsg.py [--langs en de es pt zh] [--workers N] [--json FILE]

For every language: the prefilter alone on one core (best of three); `curate pairs lsg` as a
command, from start to exit, over the whole of data/tatoeba; and the same command's largest
resident set over 10 % and over 100 % of the file (with its workers), in MB.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("CURATE_SHARED", ROOT.parent / "shared"))
sys.path.insert(0, str(ROOT))

_CHILD = """
import resource, sys
from curate.cli.main import run
sys.argv = ["curate", *sys.argv[1:]]
try:
    run()
finally:
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    workers = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    sys.stderr.write(f"MAXRSS {own} {workers}\\n")
"""


def scan_rate(lang: str, texts: list[str]) -> float:
    """Sentences a second through the prefilter on one core."""
    from curate.lexicon import load_lexicon
    from curate.swap import Swapper

    swapper = Swapper(load_lexicon(lang))
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        swapper.scan(texts)
        best = min(best, time.perf_counter() - start)
    return len(texts) / best


def run_lsg(
    lang: str, corpus: Path, folder: Path, workers: int
) -> tuple[float, float, dict[str, Any]]:
    """Seconds from start to exit, MB of the largest process, and the run's stats."""
    command = [
        sys.executable, "-c", _CHILD, "pairs", "lsg", "--lang", lang, "--corpus", str(corpus),
        "--out", str(folder), "--workers", str(workers), "--json",
    ]  # fmt: skip
    start = time.perf_counter()
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    seconds = time.perf_counter() - start
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("MAXRSS")]
    return seconds, max(map(int, line.split()[1:])) / 1024, json.loads(done.stdout)


def measure(lang: str, workers: int) -> dict[str, Any]:
    """All figures of one language."""
    source = SHARED / "data" / "tatoeba" / f"{lang}.txt.gz"
    with gzip.open(source, "rt", encoding="utf-8") as stream:
        lines = stream.read().splitlines()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tenth = folder / "tenth.txt.gz"
        with gzip.open(tenth, "wt", encoding="utf-8") as stream:
            stream.write("\n".join(lines[: len(lines) // 10]) + "\n")
        _, small, _ = run_lsg(lang, tenth, folder / "tenth", workers)
        seconds, large, stats = run_lsg(lang, source, folder / "whole", workers)
    return {
        "lang": lang,
        "sentences": len(lines),
        "scanned_per_second": round(scan_rate(lang, lines)),
        "end_to_end_per_second": round(len(lines) / seconds),
        "workers": workers,
        "rss_mb_tenth": round(small),
        "rss_mb_whole": round(large),
        "rss_mb_growth": round(large - small),
        "pairs": stats["n_pairs"],
        "one_gender_word": stats["n_single"],
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--langs", nargs="+", default=["en", "de", "es", "pt", "zh"])
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    results = []
    for lang in options.langs:
        results.append(measure(lang, options.workers))
        print(json.dumps(results[-1]), flush=True)
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
