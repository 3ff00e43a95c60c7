"""Words of several vocabulary entries, read entry by entry as long as they may still count."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from curate.models.encoding import Context
from curate.models.loading import Network
from curate.models.reading import Question, read_positions
from curate.politicians.word_ranking import Candidates, Ranked, floor_of

__all__ = ["Bar", "Path", "follow"]

# ln p that was read and ln of a p that was kept differ in their last bits
_SLACK = 1e-9


@dataclass(frozen=True, slots=True)
class Path:
    """A word on its way at the blank `blank`: `done` of its entries are in place, with ln p."""

    blank: int
    word: str
    lemma: str
    pieces: tuple[int, ...]
    done: int
    logp: float


@dataclass(frozen=True)
class Bar:
    """What a word must reach at one blank to have a row.

    That is the worst of as many lemmas as are wanted, where these are known, and the best word of
    its own lemma that is known, for a lemma has one row. `floor` and `lemmas` are ln p.
    """

    floor: float
    lemmas: Mapping[str, float]

    @classmethod
    def of(cls, best: Sequence[Ranked], candidates: Candidates) -> Bar:
        """The bar beside the `best` words that are known."""
        return cls(
            _log(floor_of(best, candidates)),
            {one.lemma: _log(one.probability) for one in best},
        )

    def lets(self, path: Path) -> bool:
        """Whether the word may still have a row: every further entry makes it less probable."""
        return path.logp >= max(self.floor, self.lemmas.get(path.lemma, -math.inf)) - _SLACK


def _log(probability: float) -> float:
    return math.log(probability) if probability > 0 else -math.inf


def follow(
    network: Network,
    contexts: Sequence[Context],
    paths: Sequence[Path],
    bars: Mapping[int, Bar],
    *,
    budget: int,
) -> dict[int, dict[str, float]]:
    """The probabilities of the words that reach the bar, by blank; `bars` by blank.

    A word of n entries has P(w | C) = Π_i P(t_i | C, t_1 … t_(i-1), masks for the others), as
    `curate.models.masked.MaskedModel.fill` has it; a word is left as soon as it is under the bar.
    """
    found: dict[int, dict[str, float]] = {}
    going = [path for path in paths if bars[path.blank].lets(path)]
    while going:
        questions = [_question(contexts[path.blank], path) for path in going]
        answers = read_positions(network, questions, k=0, budget=budget)
        further = []
        for path, answer in zip(going, answers, strict=True):
            logp = path.logp + float(answer.wanted_logp[0])
            step = Path(path.blank, path.word, path.lemma, path.pieces, path.done + 1, logp)
            if not bars[path.blank].lets(step):
                continue
            if step.done == len(step.pieces):
                found.setdefault(step.blank, {})[step.word] = math.exp(logp)
            else:
                further.append(step)
        going = further
    return found


def _question(context: Context, path: Path) -> Question:
    ids = context.filled(path.pieces[: path.done], len(path.pieces))
    return Question(ids, context.at + path.done, np.array([path.pieces[path.done]]))
