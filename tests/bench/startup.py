"""Measure how long `curate swap` takes for one sentence, from nothing, in every language.

    python tests/bench/startup.py [--runs 7] [LANG ...]

Each run is a process of its own, by rules alone, on the first golden sentence of the language that
has a counterpart. Prints the median wall and processor seconds of the runs; the first run, which
may have to read files from disk, is left out. `curate --help` stands beside them. The load of the
machine is printed too: on a busy one only the processor seconds say something.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from statistics import median

from curate.lexicon import available_languages, load_lexicon

ENVIRONMENT = os.environ | {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}


def sentence(lang: str) -> str:
    """The first golden sentence that is not refused."""
    golden = load_lexicon(lang).golden
    return next(row.sentence for row in golden if not row.expected.startswith("REFUSE:"))


def seconds(*arguments: str) -> tuple[float, float]:
    """Wall and processor seconds of one run of `curate`."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "curate.cli", *arguments],
        env=ENVIRONMENT, stdout=subprocess.DEVNULL, check=True,
    )  # fmt: skip
    wall = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(name: str, runs: int, *arguments: str) -> None:
    seconds(*arguments)
    walls, processors = zip(*(seconds(*arguments) for _ in range(runs)), strict=True)
    print(f"| {name} | {median(walls):.2f} | {median(processors):.2f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("languages", nargs="*", default=available_languages())
    parser.add_argument("--runs", type=int, default=7)
    options = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.2f}\n\n| | wall s | processor s |\n|---|---:|---:|")
    measure("--help", options.runs, "--help")
    for lang in options.languages:
        rules = ("--parser", "none", "--model", "none")
        measure(lang, options.runs, "swap", "--lang", lang, *rules, sentence(lang))
    print(f"\nload {os.getloadavg()[0]:.2f}")


if __name__ == "__main__":
    main()
