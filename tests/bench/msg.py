"""How fast MSG reads masks, beside transformers' fill-mask pipeline, one sentence at a time.

    python tests/bench/msg.py --lang en --model mini [--sentences 1000] [--precision fp32]

Both get the same sentences of ../shared/data/tatoeba (those with exactly one gender word, masked)
and must give the same k best entries. The pipeline only ranks the entries of one mask; MSG is timed
whole as well: finding the gender words, words of several entries, writing both sentences.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
SHARED = Path(os.environ.get("CURATE_SHARED", ROOT.parent / "shared"))
K = 10
TOLERANCE = 1e-4

Best = list[list[tuple[str, float]]]


def read(lang: str, rows: int) -> list[str]:
    path = SHARED / "data" / "tatoeba" / f"{lang}.txt.gz"
    with gzip.open(path, "rt", encoding="utf-8") as handle:
        lines = [line.strip() for line in handle]
    return lines[:: max(1, len(lines) // rows)][:rows]


def with_one_gender_word(lang: str, wanted: int) -> tuple[list[str], list[Any]]:
    """(sentences, the same with their gender word as a hole)."""
    from curate.lexicon import load_lexicon
    from curate.models.masked import MaskedText
    from curate.swap import Swapper

    swapper = Swapper(load_lexicon(lang))
    texts, holes = [], []
    for text in read(lang, 12 * wanted):
        if len(texts) == wanted:
            break
        swap = swapper.swap(text, mentions="one")
        if swap.refused is None:
            (mention,) = swap.mentions
            texts.append(swap.text)
            holes.append(MaskedText(swap.text, mention.start, mention.end))
    return texts, holes


def pipeline_one_by_one(
    model: str, holes: list[Any]
) -> tuple[float, list[list[tuple[str, float]]]]:
    """Seconds, and the k best entries of every hole."""
    from transformers import pipeline

    from curate.models.sources import find_model

    fill_mask = pipeline("fill-mask", model=str(find_model(model).path), device="cpu", top_k=K)
    fill_mask.model.float()
    mask = fill_mask.tokenizer.mask_token
    texts = [hole.text[: hole.start] + mask + hole.text[hole.end :] for hole in holes]
    fill_mask(texts[0])
    started = time.perf_counter()
    found = [fill_mask(text) for text in texts]
    seconds = time.perf_counter() - started
    return seconds, [[(best["token_str"].strip(), best["score"]) for best in one] for one in found]


def differences(ours: list[Any], theirs: Best) -> list[str]:
    """Where the k best differ by more than the tolerance (equal ones may change places)."""
    wrong = []
    for number, (fill, best) in enumerate(zip(ours, theirs, strict=True)):
        if any(abs(a.p - p) > TOLERANCE for a, (_, p) in zip(fill.top, best, strict=True)):
            wrong.append(f"{number}: probabilities")
        last = best[-1][1]
        sure = {token for token, p in best if p > last + TOLERANCE}
        if not sure <= {prediction.token for prediction in fill.top}:
            wrong.append(f"{number}: entries")
    return wrong


def measure(lang: str, model: str, *, sentences: int, precision: str) -> dict[str, Any]:
    from curate.lexicon import load_lexicon
    from curate.models.masked import load_model
    from curate.pairs.msg import MOST_PIECES
    from curate.pairs.msg_generate import Generator, Settings

    texts, holes = with_one_gender_word(lang, sentences)
    engine = load_model(model, precision=precision, device="cpu")
    engine.fill(holes[:64], k=K)
    started = time.perf_counter()
    fills = engine.fill(holes, k=K)
    ours = time.perf_counter() - started
    theirs, best = pipeline_one_by_one(model, holes)
    wrong = differences(fills, best)
    settings = Settings(k=K, threshold=0.01, matched=False, most_pieces=MOST_PIECES)
    generator = Generator(load_lexicon(lang), engine, settings)
    started = time.perf_counter()
    outcomes = generator.generate(texts)
    whole = time.perf_counter() - started
    n = len(holes)
    return {
        "lang": lang,
        "model": engine.name,
        "revision": engine.revision,
        "precision": precision,
        "sentences": n,
        "pairs": sum(outcome.sides is not None for outcome in outcomes),
        "pipeline_per_s": round(n / theirs, 1),
        "fill_per_s": round(n / ours, 1),
        "msg_per_s": round(n / whole, 1),
        "fill_times": round(theirs / ours, 2),
        "msg_times": round(theirs / whole, 2),
        "different": len(wrong),
        "first_differences": wrong[:5],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lang", action="append")
    parser.add_argument("--model", default="mini")
    parser.add_argument("--sentences", type=int, default=1000)
    parser.add_argument("--precision", default="fp32")
    given = parser.parse_args()
    failed = False
    for lang in given.lang or ["en", "de", "es", "pt", "zh"]:
        found = measure(lang, given.model, sentences=given.sentences, precision=given.precision)
        print(json.dumps(found))
        failed |= found["msg_times"] < 5 or (given.precision == "fp32" and found["different"] > 0)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
