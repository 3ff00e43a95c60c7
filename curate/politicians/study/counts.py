"""Which words stand beside which people, and how often beside each gender.

The paper's empirical distribution counts triples of word, gender and name (Stanczak et al. 2023,
equation 2). Here a lemma counts once a person and model, however many of its forms were given
beside the name; or it weighs as much as its probability.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curate.errors import InputError

__all__ = ["FEMALE", "MALE", "WordUse", "assemble", "gather"]

FEMALE = "female"
MALE = "male"

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class WordUse:
    """Words beside people: `weights` is a sparse (people, words) matrix, `gender_of` (people,).

    `words` are sorted; `gender_of` counts in `genders`. A weight is the number of models that put
    the word beside the person, or a sum of probabilities. `all_weight` is (people,): the weight of
    all words beside each person, also of those that this table left out.
    """

    words: tuple[str, ...]
    genders: tuple[str, ...]
    people: tuple[str, ...]
    gender_of: Ints
    weights: Any
    all_weight: Floats

    @cached_property
    def counts(self) -> Floats:
        """(words, genders) weights."""
        return np.asarray((self._members @ self.weights).T.todense(), dtype=np.float64)

    @cached_property
    def totals(self) -> Floats:
        """(genders,) weights of all words, also of those left out of `words`."""
        size = len(self.genders)
        totals = np.bincount(self.gender_of, weights=self.all_weight, minlength=size)
        return totals.astype(np.float64)

    @cached_property
    def people_counts(self) -> Ints:
        """(genders,) people."""
        return np.bincount(self.gender_of, minlength=len(self.genders)).astype(np.int64)

    @cached_property
    def holders(self) -> Ints:
        """(words, genders) people beside whom the word stands, however heavy."""
        there = self.weights.copy()
        there.data = np.ones_like(there.data)
        return np.asarray((self._members @ there).T.todense()).round().astype(np.int64)

    @property
    def same_everywhere(self) -> NDArray[np.bool_]:
        """(words,) whether the word has one weight beside everybody, and so no information."""
        columns = self.weights.tocsc()
        largest = np.asarray(columns.max(axis=0).todense()).ravel()
        smallest = np.asarray(columns.min(axis=0).todense()).ravel()
        same: NDArray[np.bool_] = (smallest == largest) & (largest > 0)
        return same

    @property
    def _members(self) -> Any:
        from scipy import sparse

        size = len(self.people)
        ones = np.ones(size, dtype=np.float64)
        shape = (len(self.genders), size)
        return sparse.csr_matrix((ones, (self.gender_of, np.arange(size))), shape=shape)

    def only_people(self, kept: NDArray[np.bool_]) -> WordUse:
        """The people of a (people,) mask; genders and words stay, some perhaps without anyone."""
        people = tuple(qid for qid, keep in zip(self.people, kept, strict=True) if keep)
        return WordUse(
            self.words, self.genders, people,
            self.gender_of[kept], self.weights[np.flatnonzero(kept)], self.all_weight[kept],
        )  # fmt: skip

    def only_words(self, kept: NDArray[np.bool_]) -> WordUse:
        """The words of a (words,) mask; the totals still count the others."""
        places = np.flatnonzero(kept)
        words = tuple(self.words[place] for place in places)
        return WordUse(
            words, self.genders, self.people, self.gender_of, self.weights[:, places],
            self.all_weight,
        )  # fmt: skip

    def only_genders(self, genders: Sequence[str]) -> WordUse:
        """The people of these genders, in this order; InputError where one has nobody."""
        held = dict(zip(self.genders, self.people_counts, strict=True))
        for gender in genders:
            if not held.get(gender):
                raise InputError(
                    f"nobody of the gender {gender!r} has a word here",
                    hint=f"genders here: {', '.join(g for g, n in held.items() if n) or 'none'}",
                )
        kept = self.only_people(np.isin(self.gender_of, [self.genders.index(g) for g in genders]))
        places = {self.genders.index(gender): at for at, gender in enumerate(genders)}
        own = np.array([places[int(code)] for code in kept.gender_of], dtype=np.int64)
        return WordUse(
            kept.words, tuple(genders), kept.people, own, kept.weights, kept.all_weight
        )  # fmt: skip

    def frequent(self, least: float) -> WordUse:
        """The words whose weight over all genders is at least so much."""
        return self.only_words(self.counts.sum(axis=1) >= least)


def gather(
    people: Sequence[str],
    genders: Sequence[str],
    words: Sequence[str],
    weights: Sequence[float] | None = None,
) -> WordUse:
    """A `WordUse` of parallel rows: a person, their gender, a word, and its weight (default 1).

    Rows of one person and word add up. InputError where a person has two genders.
    """
    qids, person = np.unique(np.asarray(people, dtype=object).astype(str), return_inverse=True)
    lemmas, word = np.unique(np.asarray(words, dtype=object).astype(str), return_inverse=True)
    names, gender = np.unique(np.asarray(genders, dtype=object).astype(str), return_inverse=True)
    gender_of = np.full(len(qids), -1, dtype=np.int64)
    gender_of[person] = gender
    torn = np.flatnonzero(gender_of[person] != gender)
    if len(torn):
        raise InputError("one person has two genders", where=str(people[int(torn[0])]))
    given = np.ones(len(person)) if weights is None else np.asarray(weights, dtype=np.float64)
    return assemble(
        tuple(qids), tuple(names), tuple(lemmas),
        gender_of=gender_of, person=person, word=word, weights=given,
    )  # fmt: skip


def assemble(
    people: tuple[str, ...],
    genders: tuple[str, ...],
    words: tuple[str, ...],
    *,
    gender_of: Ints,
    person: NDArray[Any],
    word: NDArray[Any],
    weights: NDArray[Any],
) -> WordUse:
    """A `WordUse` of codes: rows of (person, word, weight) that count in people and words."""
    from scipy import sparse

    shape = (len(people), len(words))
    matrix = sparse.csr_matrix((weights.astype(np.float32), (person, word)), shape=shape)
    matrix.sum_duplicates()
    all_weight: Floats = np.asarray(matrix.sum(axis=1), dtype=np.float64).ravel()
    return WordUse(tuple(map(str, words)), tuple(map(str, genders)), tuple(map(str, people)),
                   gender_of, matrix, all_weight)  # fmt: skip
