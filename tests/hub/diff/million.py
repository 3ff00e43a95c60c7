"""How long it takes to compare two releases of a million pairs.

    python -m tests.hub.diff.million [PAIRS]

Prints seconds and the peak of memory (MiB) of the comparison alone, in a process of its own. The
new release has lost, gained and changed a hundredth of the pairs each.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pyarrow as pa

from curate import schema
from curate.hub.diff import diff_releases
from tests.hub.diff.made_releases import write_release

__all__ = ["made"]

_SENTENCE = "the king said that he would come home late because rain fell over all hills"
_WORDS = _SENTENCE.split()


def made(pairs: int, *, new: bool) -> pa.Table:
    """Pairs with everything that real ones have: two edits, a fill, a fold, texts of 12 words."""
    every = pairs // 100
    numbers = range(every, pairs + every) if new else range(pairs)
    changed = range(every, 2 * every) if new else range(0)
    rows = (_row(number, number in changed) for number in numbers)
    batches = []
    while part := [row for _, row in zip(range(50_000), rows, strict=False)]:
        batches.append(pa.RecordBatch.from_pylist(part, schema=schema.PAIRS))
    return pa.Table.from_batches(batches).sort_by("pair_id")


def _row(number: int, changed: bool) -> dict[str, Any]:
    start = number % len(_WORDS)
    rest = " ".join(_WORDS[start:] + _WORDS[:start])
    m, f = f"king {number} {rest}", f"{'princess' if changed else 'queen'} {number} {rest}"
    short = hashlib.blake2b(f"{m}{f}".encode(), digest_size=10).hexdigest()
    edits = [{"start": 0, "end": 4, "rule": "pair"}, {"start": 9, "end": 12, "rule": "agreement"}]
    fill = {
        "model": "toy", "revision": "r1", "k": 10, "threshold": 0.01, "context": "original",
        "word_m": "king", "p_m": number / 1e7, "word_f": "queen", "p_f": 0.25, "kind": "both",
    }  # fmt: skip
    return {
        "pair_id": "p" + short, "lang": "en", "masculine": m, "feminine": f,
        "original": "masculine", "method": "msg", "entries": ["king"], "edits_m": edits,
        "edits_f": edits, "fill": fill, "sent_id": f"s{number:020x}", "source": "corpus.txt",
        "licence": "CC BY 2.0 FR", "lexicon_version": "v1", "folds": [number % 5],
    }  # fmt: skip


def _compare(folder: str) -> None:
    start = time.perf_counter()
    diff = diff_releases(Path(folder, "old"), Path(folder, "new"))
    seconds = time.perf_counter() - start
    # Not getrusage: its peak holds that of the process from which this one was started.
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    memory = int(status.partition("VmHWM:")[2].split()[0]) / 1024
    counts = diff.counts
    print(f"{counts.added:,} added, {counts.removed:,} removed, {counts.changed:,} changed")
    print(f"{seconds:.1f} s, {memory:,.0f} MiB at most")


def main() -> None:
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        write_release(Path(folder, "old"), {"en-msg": made(pairs, new=False)})
        write_release(Path(folder, "new"), {"en-msg": made(pairs, new=True)}, version="2.0.0")
        process = multiprocessing.get_context("spawn").Process(target=_compare, args=(folder,))
        process.start()
        process.join()


if __name__ == "__main__":
    main()
