"""Words of several vocabulary entries at a blank: which are worth reading, and their place."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from curate.models.encoding import Context, Encoder
from curate.models.loading import Network
from curate.models.reading import Question, read_positions
from curate.politicians.word_following import Bar, Path, follow
from curate.politicians.word_ranking import Candidates, Ranked, add_words, floor_of

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
    masked: the same as what is read later, but for the entries that are then in place. The `beam`
    most promising words are read, of whatever number of entries, and further ones as long as fewer
    lemmas are met than are wanted: most words that count have two entries, so that as many of each
    length would be spent on long ones in vain. As P(w) ≤ P(t_1), no word is read whose first entry
    is below the worst of as many words as are wanted, where these are known. With a beam as large
    as the vocabulary nothing is lost.
    """

    def __init__(
        self, network: Network, encoder: Encoder, *, beam: int, most_pieces: int, budget: int
    ) -> None:
        self._network, self._encoder = network, encoder
        self._beam, self._most, self._budget = beam, most_pieces, budget
        self._plans: dict[tuple[str, int], dict[int, _Words]] = {}

    def read(
        self,
        contexts: Sequence[Context],
        candidates: Sequence[Candidates],
        best: Sequence[Sequence[Ranked]],
    ) -> list[list[Ranked]]:
        """For every blank its best words, where the `best` of one entry are known.

        Short words first: what they reach the longer ones must reach too.
        """
        plans = [self._plan(c.before, own) for c, own in zip(contexts, candidates, strict=True)]
        guesses = self._guesses(contexts, plans)
        chosen: dict[int, list[Path]] = defaultdict(list)
        for place, ranked in enumerate(best):
            for path in self._chosen(
                place, plans[place], guesses[place], candidates[place], ranked
            ):
                chosen[len(path.pieces)].append(path)
        found = [list(ranked) for ranked in best]
        for _, paths in sorted(chosen.items()):
            bars = {
                place: Bar.of(found[place], candidates[place])
                for place in {path.blank for path in paths}
            }
            words = follow(self._network, contexts, paths, bars, budget=self._budget)
            for place, own in words.items():
                found[place] = add_words(found[place], own, candidates[place])
        return found

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
        answers = read_positions(self._network, questions, k=0, budget=self._budget)
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
        place: int,
        plan: dict[int, _Words],
        guesses: dict[int, _Guess],
        candidates: Candidates,
        best: Sequence[Ranked],
    ) -> Iterator[Path]:
        """The words to follow at one blank, their first entries in place."""
        floor = floor_of(best, candidates)
        least = math.log(floor) if floor > 0 else -math.inf
        lemmas = {one.lemma for one in best}
        promised = [
            (-float(guess.whole[at]), count, at)
            for count, guess in guesses.items()
            for at in np.flatnonzero(guess.first >= least).tolist()
        ]
        for rank, (_, count, at) in enumerate(sorted(promised)):
            if rank >= self._beam and len(lemmas) >= candidates.top:
                break
            word = plan[count].words[at]
            lemma = candidates.lemmas[word]
            pieces = tuple(plan[count].pieces[at].tolist())
            lemmas.add(lemma)
            yield Path(place, word, lemma, pieces, 1, float(guesses[count].first[at]))
