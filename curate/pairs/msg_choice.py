"""From a model's reading of a mask to the best masculine and the best feminine word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from curate.genders import GENDERS
from curate.models.masked import Fill
from curate.pairs.msg_words import Choices

__all__ = ["FIGURE_3_K", "Ranked", "rank_words", "top_ranked"]

FIGURE_3_K = 15


@dataclass(frozen=True, slots=True)
class Ranked:
    """A gender word over the threshold: as written, its probability, its rank from 1."""

    written: str
    gender: str
    p: float
    rank: int


def rank_words(fills: Mapping[str, Fill], choices: Choices, *, threshold: float) -> list[Ranked]:
    """The gender words with p ≥ `threshold`, best first; each gender by the Fill of its context.

    A word's rank is its place among all vocabulary entries at the mask and the lexicon words of
    several entries, by probability. Ranks are exact up to `FIGURE_3_K`; a rank above that only
    says so.
    """
    ranked = []
    for gender in GENDERS:
        fill = fills[gender]
        entries = [prediction.p for prediction in fill.top]
        # a word is more than its entries where it is at none of them by itself
        longer = [p for word, p in fill.words.items() if word in fill.longer]
        for written, p in fill.words.items():
            if p >= threshold and choices.words[written].gender == gender:
                rank = 1 + sum(other > p for other in entries) + sum(other > p for other in longer)
                ranked.append(Ranked(written, gender, p, rank))
    return sorted(ranked, key=lambda word: (-word.p, word.written))


def top_ranked(ranked: list[Ranked], *, k: int) -> dict[str, list[Ranked]]:
    """The words among the top `k`, best first, by gender."""
    return {
        gender: [word for word in ranked if word.gender == gender and word.rank <= k]
        for gender in GENDERS
    }
