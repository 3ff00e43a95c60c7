"""Try a lexicon on real text: swaps to read, and swaps that are swapped back."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from curate.swap.results import SwapResult
from curate.swap.swapper import Swapper

__all__ = ["VERDICTS", "Undone", "sample_swaps", "swap_twice", "wilson"]

VERDICTS = {
    "ok": "grammatical, natural, and nothing changed but the gender of that person",
    "grammar": "an ungrammatical counterpart",
    "half": "a mention of the same person, or a word that agrees with it, kept the old gender",
    "other": "something else changed too: another person, a thing, the meaning",
    "unnatural": "grammatical, but nobody would say so of such a person",
}
"""What a reader may say of a counterpart."""


@dataclass(frozen=True, slots=True)
class Undone:
    """Of `matched` texts with a gender word, `attempted` were swapped and swapped once more.

    `same`: the first text again; `refused`: a refusal; `other`: (text, counterpart, what came).
    """

    matched: int
    attempted: int
    same: int
    refused: int
    other: tuple[tuple[str, str, str], ...]

    @property
    def share(self) -> float:
        """Back or refused, of those attempted."""
        return (self.same + self.refused) / self.attempted if self.attempted else 1.0


def sample_swaps(
    swapper: Swapper, texts: Sequence[str], n: int, seed: int = 0
) -> tuple[list[SwapResult], Counter[str]]:
    """`n` texts in a seeded order that have a counterpart, and the refusals met on the way.

    Texts without any gender word are passed over.
    """
    found: list[SwapResult] = []
    refusals: Counter[str] = Counter()
    for text in _in_random_order(swapper, texts, seed):
        if len(found) == n:
            break
        result = swapper.swap(text)
        if result.counterpart is not None:
            found.append(result)
        else:
            refusals[result.refused or ""] += 1
    return found, refusals


def swap_twice(
    swapper: Swapper, texts: Sequence[str], n: int, *, seed: int = 0, same_letters: str = ""
) -> Undone:
    """Swap `n` texts that may hold a gender word, in a seeded order, and swap the counterparts.

    `same_letters` count as one, where nothing in the counterpart can show which its writer uses.
    """
    fold = str.maketrans(dict.fromkeys(same_letters, same_letters[-1:]))
    matched = attempted = same = refused = 0
    other = []
    for text in _in_random_order(swapper, texts, seed):
        if matched == n:
            break
        matched += 1
        first = swapper.swap(text)
        if first.counterpart is None:
            continue
        attempted += 1
        again = swapper.swap(first.counterpart).counterpart
        if again is None:
            refused += 1
        elif again.translate(fold) == first.text.translate(fold):
            same += 1
        else:
            other.append((first.text, first.counterpart, again))
    return Undone(matched, attempted, same, refused, tuple(other))


def _in_random_order(swapper: Swapper, texts: Sequence[str], seed: int) -> Iterable[str]:
    order = list(range(len(texts)))
    random.Random(seed).shuffle(order)  # noqa: S311
    return (texts[k] for k in order if swapper.scan([texts[k]])[0])


def wilson(good: int, n: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share; (0, 1) of nothing."""
    from scipy.stats import binomtest

    if not n:
        return (0.0, 1.0)
    found = binomtest(good, n).proportion_ci(method="wilson")
    return (float(found.low), float(found.high))
