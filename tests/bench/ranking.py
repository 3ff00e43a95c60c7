"""How wide the margin of the ranker must be: open forms whose answer the rules know.

    python tests/bench/ranking.py de es --sentences 3000

The `select` rules are taken away, so that forms which they would settle stay open; the model
chooses among them, and its choice is compared with what the rules chose.
"""

from __future__ import annotations

import argparse
import dataclasses
import gzip
import os
import random
from pathlib import Path

from curate.lexicon import load_lexicon
from curate.models.masked import load_model
from curate.models.ranking import pseudo_log_likelihoods
from curate.swap import Swapper

DATA = (
    Path(os.environ.get("CURATE_SHARED", Path(__file__).resolve().parents[3] / "shared")) / "data"
)
MARGINS = (0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0)


class Listener:
    """A ranker that chooses nothing and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def choose(self, candidates: list[str]) -> None:
        self.asked = list(candidates)


def measure(lang: str, sentences: int, model: str) -> None:
    lexicon = load_lexicon(lang)
    rules = Swapper(lexicon)
    grammar = dataclasses.replace(lexicon.grammar, rules={**lexicon.grammar.rules, "select": ()})
    listener = Listener()
    without = Swapper(dataclasses.replace(lexicon, grammar=grammar), ranker=listener)
    with gzip.open(DATA / "tatoeba" / f"{lang}.txt.gz", "rt", encoding="utf-8") as handle:
        texts = [line.rstrip("\n") for line in handle]
    random.Random(0).shuffle(texts)  # noqa: S311
    engine = load_model(model)
    seen: list[tuple[float, bool]] = []
    for text in texts:
        listener.asked = []
        result = without.swap(text)
        if result.refused != "ambiguous-form" or not listener.asked:
            continue
        answer = rules.swap(text).counterpart
        if answer not in listener.asked:
            continue
        scores = pseudo_log_likelihoods(engine, listener.asked)
        ranked = sorted(zip(scores, listener.asked, strict=True), reverse=True)
        seen.append((ranked[0][0] - ranked[1][0], ranked[0][1] == answer))
        if len(seen) >= sentences:
            break
    print(f"{lang}: {len(seen)} open forms with a known answer")
    for margin in MARGINS:
        taken = [right for gap, right in seen if gap >= margin]
        share = sum(taken) / len(taken) if taken else 0.0
        print(f"  margin {margin:4.1f}: right {share:.3f} of {len(taken)} taken")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("langs", nargs="+")
    parser.add_argument("--sentences", type=int, default=1000)
    parser.add_argument("--model", default="mini")
    options = parser.parse_args()
    for language in options.langs:
        measure(language, options.sentences, options.model)
