"""Which words of several vocabulary entries are worth reading at a blank."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from curate.models.encoding import Context, Encoder
from curate.models.loading import Network
from curate.models.reading import Question, read_positions
from curate.politicians.word_ranking import Candidates, Ranked, floor_of

__all__ = ["LongerWords"]

Floats = NDArray[np.float64]


class _Words(NamedTuple):
    """Words of one number of entries, and these: [words, entries]."""

    words: tuple[str, ...]
    pieces: NDArray[np.int64]


@dataclass
class _Guess:
    """Of the words of one number of entries ln P(t_1), and the sum of ln P(t_i), at masks alone."""

    first: Floats
    whole: Floats


class LongerWords:
    """Chooses, for each blank, the longer words that promise most.

    The promise of a word is the product of the probabilities of its entries where all of them are
    masked: the same as what is read later, but for the entries that are then in place. Of each
    number of entries, from two on, the `beam` most promising words are read, and further ones as
    long as fewer lemmas are met than are wanted. As P(w) ≤ P(t_1), no word is read whose first
    entry is below the worst of as many words as are wanted, where these are known. With a beam as
    large as the vocabulary nothing is lost.
    """

    def __init__(
        self, network: Network, encoder: Encoder, *, beam: int, most_pieces: int, budget: int
    ) -> None:
        self._network, self._encoder = network, encoder
        self._beam, self._most, self._budget = beam, most_pieces, budget
        self._plans: dict[tuple[str, int], dict[int, _Words]] = {}

    def choose(
        self,
        contexts: Sequence[Context],
        candidates: Sequence[Candidates],
        best: Sequence[Sequence[Ranked]],
    ) -> list[tuple[str, ...]]:
        """For every blank the longer words to read, beside the `best` of one entry."""
        plans = [self._plan(c.before, own) for c, own in zip(contexts, candidates, strict=True)]
        return [
            self._chosen(plan, guesses, own, ranked)
            for plan, guesses, own, ranked in zip(
                plans, self._guesses(contexts, plans), candidates, best, strict=True
            )
        ]

    def _guesses(
        self, contexts: Sequence[Context], plans: Sequence[dict[int, _Words]]
    ) -> list[dict[int, _Guess]]:
        """What the masks say of every word of each blank, by number of entries."""
        room = self._network.max_length + 1
        asked = [
            (place, count, entry)
            for place, (context, plan) in enumerate(zip(contexts, plans, strict=True))
            for count in plan
            if len(context.ids) + count <= room
            for entry in range(self._read_entries(context, count))
        ]
        questions = []
        for place, count, entry in asked:
            context = contexts[place]
            wanted = plans[place][count].pieces[:, entry]
            questions.append(Question(context.masks(count), context.at + entry, wanted))
        found: list[dict[int, _Guess]] = [{} for _ in contexts]
        answers = read_positions(self._network, questions, k=1, budget=self._budget)
        for (place, count, entry), answer in zip(asked, answers, strict=True):
            if entry == 0:
                found[place][count] = _Guess(answer.wanted_logp, answer.wanted_logp)
            else:
                guess = found[place][count]
                guess.whole = guess.whole + answer.wanted_logp
        return found

    @staticmethod
    def _read_entries(context: Context, count: int) -> int:
        """How many entries can be guessed; what a causal model reads ends with the name."""
        return min(count, len(context.masks(count)) - context.at)

    def _plan(self, before: str, candidates: Candidates) -> dict[int, _Words]:
        key = (before, id(candidates))
        if key not in self._plans:
            found: dict[int, dict[str, tuple[int, ...]]] = defaultdict(dict)
            for word in candidates.words:
                pieces = self._encoder.pieces(before, word)
                if pieces and 1 < len(pieces) <= self._most:
                    found[len(pieces)][word] = pieces
            self._plans[key] = {
                count: _Words(tuple(own), np.array(list(own.values()), dtype=np.int64))
                for count, own in sorted(found.items())
            }
        return self._plans[key]

    def _chosen(
        self,
        plan: dict[int, _Words],
        guesses: dict[int, _Guess],
        candidates: Candidates,
        best: Sequence[Ranked],
    ) -> tuple[str, ...]:
        floor = floor_of(best, candidates)
        least = math.log(floor) if floor > 0 else -math.inf
        chosen: list[str] = []
        lemmas = {one.lemma for one in best}
        for count, guess in guesses.items():
            order = np.argsort(-guess.whole, kind="stable")
            for rank, at in enumerate(order[guess.first[order] >= least].tolist()):
                if rank >= self._beam and len(lemmas) >= candidates.top:
                    break
                word = plan[count].words[at]
                chosen.append(word)
                lemmas.add(candidates.lemmas[word])
        return tuple(chosen)
