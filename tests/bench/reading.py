"""A blind reading of LSG pairs: draw a sheet, let fresh eyes judge it, count.

    python tests/bench/reading.py sheet fr --seed 1 --out sheet.tsv [--corpus FILE]
    python tests/bench/reading.py keep fr sheet.tsv       # verdicts only, without the sentences
    python tests/bench/reading.py score

`sheet` runs `curate pairs lsg --folds 0` over the corpus (data/tatoeba by default) and draws
`--n` pairs. The reader fills in two columns: `verdict` and, where it is not "ok", `fault`.

The verdicts are those of `curate lexicon sample`: ok; grammar (an ungrammatical counterpart); half
(a mention of the same person, or a word that agrees with it, kept the old gender); other (something
else changed too); unnatural (grammatical, but nobody would say so of such a person).

`keep` writes tests/bench/readings/LANG.tsv: the pair's id, the verdict and the fault in the
reader's own words; the sentences stay where they came from. `score` prints the share that is ok
with Wilson's 95 % interval, for every language that was read.
"""

from __future__ import annotations

import argparse
import csv
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import pyarrow.parquet as pq

from curate.genders import other_gender
from curate.swap.trials import VERDICTS, wilson

READINGS = Path(__file__).parent / "readings"
SHARED = Path(os.environ.get("CURATE_SHARED", Path(__file__).resolve().parents[3] / "shared"))


def sheet(lang: str, corpus: Path, n: int, seed: int, out: Path) -> None:
    """Write `n` pairs drawn from all that LSG makes of `corpus`, verdicts empty."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable, "-c", "from curate.cli.main import run; run()", "pairs", "lsg",
            "--lang", lang, "--corpus", str(corpus), "--out", folder, "--folds", "0",
        ]  # fmt: skip
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        found = pq.read_table(Path(folder) / "pairs.parquet").to_pylist()
    pairs = {row["pair_id"]: row for row in found}
    drawn = random.Random(seed).sample(sorted(pairs), min(n, len(pairs)))  # noqa: S311
    with out.open("w", encoding="utf-8", newline="") as handle:
        writer = csv.writer(handle, delimiter="\t", lineterminator="\n")
        writer.writerow(["pair_id", "sentence", "counterpart", "verdict", "fault"])
        for pair in drawn:
            row = pairs[pair]
            sides = (row["original"], other_gender(row["original"]))
            writer.writerow([pair, row[sides[0]], row[sides[1]], "", ""])
    print(f"{len(drawn)} of {len(pairs)} pairs: {out}")


def keep(lang: str, source: Path) -> None:
    """Move the verdicts of a sheet that has been read into the repository."""
    with source.open(encoding="utf-8", newline="") as handle:
        rows = list(csv.DictReader(handle, delimiter="\t"))
    for number, row in enumerate(rows, 2):
        if row["verdict"] not in VERDICTS:
            raise SystemExit(f"{source}:{number}: {row['verdict']!r} is none of {[*VERDICTS]}")
        if (row["verdict"] == "ok") == bool(row["fault"]):
            raise SystemExit(f"{source}:{number}: a fault goes with every verdict but ok")
    READINGS.mkdir(exist_ok=True)
    with (READINGS / f"{lang}.tsv").open("w", encoding="utf-8", newline="") as handle:
        writer = csv.writer(handle, delimiter="\t", lineterminator="\n")
        writer.writerow(["pair_id", "verdict", "fault"])
        writer.writerows([row["pair_id"], row["verdict"], row["fault"]] for row in rows)


def score() -> None:
    """Print a row for each language, and every failure."""
    failures = []
    for file in sorted(READINGS.glob("*.tsv")):
        with file.open(encoding="utf-8", newline="") as handle:
            rows = list(csv.DictReader(handle, delimiter="\t"))
        good = sum(row["verdict"] == "ok" for row in rows)
        low, high = wilson(good, len(rows))
        share = f"{good / len(rows):.3f}\t{low:.3f}-{high:.3f}"
        print(f"{file.stem}\t{good}/{len(rows)}\t{share}")
        failures += [(file.stem, row["verdict"], row["fault"]) for row in rows if row["fault"]]
    for failure in failures:
        print("\t".join(failure))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    draw = commands.add_parser("sheet")
    draw.add_argument("lang")
    draw.add_argument("--corpus", type=Path)
    draw.add_argument("--n", type=int, default=100)
    draw.add_argument("--seed", type=int, default=1)
    draw.add_argument("--out", type=Path, required=True)
    kept = commands.add_parser("keep")
    kept.add_argument("lang")
    kept.add_argument("source", type=Path)
    commands.add_parser("score")
    args = parser.parse_args()
    if args.command == "sheet":
        corpus = args.corpus or SHARED / "data" / "tatoeba" / f"{args.lang}.txt.gz"
        sheet(args.lang, corpus, args.n, args.seed, args.out)
    elif args.command == "keep":
        keep(args.lang, args.source)
    else:
        score()


if __name__ == "__main__":
    main()
