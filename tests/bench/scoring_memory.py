"""The memory of scoring: 10,000 pairs and 100,000, each in a process of its own.

    python tests/bench/scoring_memory.py [--metrics cps,aula] [--pairs 10000,100000] [--json FILE]

The model has one layer of 16 units, so that what is measured is the work around it. Printed are the
highest resident memory after the model is loaded and at the end (MB), the difference, and seconds.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("HF_HUB_OFFLINE", "1")


def peak() -> float:
    """The highest resident memory of this process so far, in MB."""
    unit = 1e6 if sys.platform == "darwin" else 1e3
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def measure(pairs: int, metrics: str) -> dict[str, float]:
    """Score `pairs` pairs in this process."""
    import torch

    from curate.scoring import Dataset, ModelSettings, Options, find_metrics, score_to_folder
    from curate.scoring.folder import load_scorer
    from curate.sources import read_pairs
    from tests.scoring.tiny_models import tiny_bert, word_pairs, write_pairs

    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        settings = ModelSettings(model=str(tiny_bert(folder / "tiny", size=16)), device="cpu")
        path = write_pairs(folder / "pairs.tsv", word_pairs(pairs))
        load_scorer(settings)
        before, started = peak(), time.perf_counter()
        table = read_pairs(path, columns=("a", "b"), lang="en")
        score_to_folder(
            table, folder / "out", settings=settings, metrics=find_metrics(metrics.split(",")),
            dataset=Dataset("bench", "1"), options=Options(),
        )  # fmt: skip
        seconds = time.perf_counter() - started
    return {
        "pairs": pairs,
        "loaded_mb": round(before),
        "peak_mb": round(peak()),
        "added_mb": round(peak() - before),
        "seconds": round(seconds, 1),
    }


def in_a_process(pairs: int, metrics: str) -> dict[str, float]:
    command = [sys.executable, __file__, "--metrics", metrics, "--one", str(pairs)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--metrics", default="cps,aula")
    parser.add_argument("--pairs", default="10000,100000")
    parser.add_argument("--one", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.one, options.metrics)))
        sys.exit()
    figures = [in_a_process(int(pairs), options.metrics) for pairs in options.pairs.split(",")]
    print(json.dumps(figures, indent=2))
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2), encoding="utf-8")
