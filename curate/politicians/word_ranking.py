"""The best words of a vocabulary at a blank: one row a lemma, ranked by its most probable form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

__all__ = ["Candidates", "Ranked", "add_words", "best_words", "floor_of"]


class Ranked(NamedTuple):
    """A word, its lemma and its probability at the blank."""

    word: str
    lemma: str
    probability: float


@dataclass(frozen=True, eq=False)
class Candidates:
    """The written words of one UPOS, each with its lemma, and how many lemmas are wanted.

    Of words with equal probability the earlier in `lemmas` is the better.
    """

    lemmas: Mapping[str, str]
    top: int

    @cached_property
    def words(self) -> tuple[str, ...]:
        return tuple(self.lemmas)

    @cached_property
    def places(self) -> dict[str, int]:
        return {word: place for place, word in enumerate(self.words)}

    def at_beginning(self) -> Candidates:
        """The same words, and each with a capital too: it may open a sentence."""
        capitals: dict[str, str] = {}
        for word, lemma in self.lemmas.items():
            written = word[:1].upper() + word[1:]
            if written not in self.lemmas:
                capitals.setdefault(written, lemma)
        return Candidates({**self.lemmas, **capitals}, self.top)


def best_words(probabilities: Mapping[str, float], candidates: Candidates) -> list[Ranked]:
    """The `top` lemmas by their most probable word, best first."""
    words = list(probabilities)
    values = np.fromiter(probabilities.values(), dtype=np.float64, count=len(words))
    places = np.fromiter((candidates.places[word] for word in words), np.int64, len(words))
    order = np.lexsort((places, -values))
    ranked = (
        Ranked(words[at], candidates.lemmas[words[at]], float(values[at])) for at in order.tolist()
    )
    found: dict[str, Ranked] = {}
    for one in ranked:
        if len(found) == candidates.top:
            break
        found.setdefault(one.lemma, one)
    return list(found.values())


def add_words(
    best: Sequence[Ranked], probabilities: Mapping[str, float], candidates: Candidates
) -> list[Ranked]:
    """The `top` lemmas among the `best` and further words."""
    if not probabilities:
        return list(best)
    together = {one.word: one.probability for one in best}
    together.update(probabilities)
    return best_words(together, candidates)


def floor_of(best: Sequence[Ranked], candidates: Candidates) -> float:
    """The probability that a further word must reach; 0 while fewer than `top` are known."""
    return best[-1].probability if best and len(best) == candidates.top else 0.0
