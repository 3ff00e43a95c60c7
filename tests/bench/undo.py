"""Swap twice: the first sentence again, or a refusal.

    python tests/bench/undo.py de es [--n 10000] [--failures 20] [--corpus FILE] [--same ёе]

Of the sentences of data/tatoeba in a seeded order, the first `--n` that hold a gender word are
swapped; the counterparts are swapped once more. Printed: how many were attempted, came back, were
refused the second time, or came back as something else. `--same`: letters that count as one, where
nothing in the counterpart can show which of them its writer uses.
"""

from __future__ import annotations

import argparse
import gzip
import os
import random
from pathlib import Path
from typing import NamedTuple

from curate.lexicon import load_lexicon
from curate.swap import Swapper

SHARED = Path(os.environ.get("CURATE_SHARED", Path(__file__).resolve().parents[3] / "shared"))


class Undone(NamedTuple):
    matched: int
    attempted: int
    same: int
    refused: int
    # (sentence, counterpart, what came back)
    other: list[tuple[str, str, str]]

    @property
    def share(self) -> float:
        return (self.same + self.refused) / self.attempted if self.attempted else 1.0


def read_sentences(file: Path) -> list[str]:
    """The sentences of a plain or gzipped file, one a line, in a seeded order."""
    with gzip.open(file, "rt", encoding="utf-8") if file.suffix == ".gz" else file.open() as lines:
        texts = [line.rstrip("\n") for line in lines]
    random.Random(7).shuffle(texts)  # noqa: S311
    return texts


def swap_twice(lang: str, texts: list[str], n: int, same_letters: str = "") -> Undone:
    fold = str.maketrans(dict.fromkeys(same_letters, same_letters[-1:]))
    swapper = Swapper(load_lexicon(lang))
    matched = attempted = same = refused = 0
    other = []
    for text in texts:
        if matched == n:
            break
        if not swapper.scan([text])[0]:
            continue
        matched += 1
        first = swapper.swap(text)
        if first.counterpart is None:
            continue
        attempted += 1
        again = swapper.swap(first.counterpart)
        if again.counterpart is None:
            refused += 1
        elif again.counterpart.translate(fold) == first.text.translate(fold):
            same += 1
        else:
            other.append((first.text, first.counterpart, again.counterpart))
    return Undone(matched, attempted, same, refused, other)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("langs", nargs="+")
    parser.add_argument("--n", type=int, default=10_000)
    parser.add_argument("--failures", type=int, default=0)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--same", default="")
    args = parser.parse_args()
    for lang in args.langs:
        file = args.corpus or SHARED / "data" / "tatoeba" / f"{lang}.txt.gz"
        found = swap_twice(lang, read_sentences(file), args.n, args.same)
        for failure in found.other[: args.failures]:
            print("\t".join(failure))
        print(
            f"{lang}\tmatched {found.matched}\tattempted {found.attempted}\tback {found.same}"
            f"\trefused {found.refused}\tother {len(found.other)}\tshare {found.share:.4f}"
        )


if __name__ == "__main__":
    main()
