"""What the paper reports of MSG, from the predictions of a run."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pyarrow as pa

from curate.engine import Parts
from curate.pairs.msg_choice import FIGURE_3_K

__all__ = ["PREDICTIONS", "summarise"]

PREDICTIONS = pa.schema(
    [
        pa.field("kind", pa.string(), nullable=False),
        pa.field("ranks", pa.list_(pa.int32()), nullable=False),
        pa.field("predicted", pa.list_(pa.string()), nullable=False),
    ]
)
"""A row a sentence that was read: `kind` both | masculine | feminine | none; the ranks of all
fitting gender words over the threshold; the model's own words in the pair, lower-cased."""


def summarise(parts: Parts, common: dict[str, Any]) -> dict[str, Any]:
    """The counts of MSG's own that go into ``stats.json``.

    `both`, `one_masculine`, `one_feminine`, `none`: sentences (Table 3); `topk_coverage`: share of
    the gender words over the threshold that are among the top k, k = 1 … 15 (Figure 3; words of
    several vocabulary entries count where they could be chosen);
    `words_both`, `words_one`: different words that were predicted where both genders were, and
    where one was (Figure 4).
    """
    kinds: Counter[str] = Counter()
    ranks: Counter[int] = Counter()
    words: dict[bool, set[str]] = {True: set(), False: set()}
    for table in parts.read("predictions"):
        for row in table.to_pylist():
            kinds[row["kind"]] += 1
            ranks.update(row["ranks"])
            words[row["kind"] == "both"].update(row["predicted"])
    whole = ranks.total()
    covered = [sum(ranks[r] for r in range(1, k + 1)) for k in range(1, FIGURE_3_K + 1)]
    return {
        "both": kinds["both"],
        "one_masculine": kinds["masculine"],
        "one_feminine": kinds["feminine"],
        "none": kinds["none"],
        "topk_coverage": [count / whole if whole else 0.0 for count in covered],
        "words_both": len(words[True]),
        "words_one": len(words[False]),
    }
