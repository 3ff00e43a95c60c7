"""What cleaning costs: hashing, the index, language identification; memory; recall.

python tests/bench/cleaning.py FILE.txt.gz LANG [SENTENCES]

Times are processor times of one core; memory is what the index holds.
"""

from __future__ import annotations

import gzip
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from curate.cleaning.gender_words import GenderWords
from curate.cleaning.languages import LanguageFilter
from curate.lexicon import load_lexicon
from curate.sources.near_duplicates import NearDuplicates

BATCH = 8192


def resident() -> float:
    """MB of memory in use."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 1e6


def timed(name: str, batches: list[list[str]], step: Callable[[list[str]], Any]) -> list[Any]:
    """Print the sentences a second of `step`."""
    step(batches[0][:100])
    start = time.process_time()
    made = [step(batch) for batch in batches]
    spent = time.process_time() - start
    rows = sum(map(len, batches))
    print(f"{name:<28} {rows / spent:>10,.0f} sentences/s   {spent / rows * 1e6:6.1f} us each")
    return made


def main() -> None:
    path, lang = sys.argv[1:3]
    most = int(sys.argv[3]) if len(sys.argv) > 3 else 200_000
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        texts = [line.strip() for line in lines][:most]
    batches = [texts[at : at + BATCH] for at in range(0, len(texts), BATCH)]
    timed("language", batches, LanguageFilter(lang, least=0.9).judge)
    timed("gender words", batches, GenderWords(load_lexicon(lang)).of)
    hashing = NearDuplicates(0.8)
    signatures = iter(timed("signatures", batches, hashing.signatures))
    near = NearDuplicates(0.8)
    before = resident()
    start = time.process_time()
    for batch in batches:
        near.earlier(batch, next(signatures))
    spent = time.process_time() - start
    print(f"{'index (in one process)':<28} {len(texts) / spent:>10,.0f} sentences/s")
    print(f"{near.kept:,} of {len(texts):,} kept; {resident() - before:.0f} MB for the index")


if __name__ == "__main__":
    main()
