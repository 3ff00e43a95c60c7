"""Probabilities of whole words at a hole, words of several vocabulary entries among them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from curate.models.encoding import Context, Encoder, MaskedText
from curate.models.loading import Network
from curate.models.reading import Answer, Question, read_positions

__all__ = ["Filler", "Hole"]


@dataclass(slots=True)
class Hole:
    """What was read at one hole: best entries with probabilities, words with probabilities."""

    top: list[int] = field(default_factory=list)
    top_p: list[float] = field(default_factory=list)
    words: dict[str, float] = field(default_factory=dict)
    longer: list[str] = field(default_factory=list)
    refused: str | None = None


@dataclass(frozen=True, slots=True)
class _Plan:
    """Candidates by number of entries; `single` are those of one, with their ids."""

    single: tuple[str, ...]
    single_ids: NDArray[np.int64]
    longer: dict[int, tuple[tuple[str, tuple[int, ...]], ...]]
    first_ids: dict[int, NDArray[np.int64]]


@dataclass(frozen=True, slots=True)
class _Path:
    """A word on its way: `done` of its pieces are in place, with ln p so far."""

    hole: int
    word: str
    pieces: tuple[int, ...]
    done: int
    logp: float


class Filler:
    """Reads holes with one network, all words of all holes together."""

    def __init__(
        self,
        network: Network,
        encoder: Encoder,
        *,
        budget: int,
        on_done: Callable[[int], None] | None = None,
    ) -> None:
        self._network = network
        self._encoder = encoder
        self._budget = budget
        self._on_done = on_done
        self._plans: dict[tuple[str, tuple[str, ...]], _Plan] = {}

    def fill(
        self,
        texts: Sequence[MaskedText],
        candidates: Sequence[Sequence[str]],
        *,
        k: int,
        floors: Sequence[float],
        fewest_pieces: int = 1,
        most_pieces: int | None = None,
        beam: int | None = None,
    ) -> list[Hole]:
        """See `curate.models.masked.MaskedModel.fill`."""
        holes = [Hole() for _ in texts]
        contexts: dict[int, Context] = {}
        for place, context in enumerate(self._encoder.contexts(texts)):
            if isinstance(context, str):
                holes[place].refused = context
            else:
                contexts[place] = context
        plans = {
            p: self._plan(c.before, tuple(candidates[p]), most_pieces) for p, c in contexts.items()
        }
        if fewest_pieces <= 1:
            self._read_single(contexts, plans, holes, k=k)
        least = [math.log(floor) if floor > 0 else -math.inf for floor in floors]
        paths = self._first_pieces(contexts, plans, least, fewest=fewest_pieces, beam=beam)
        while paths:
            paths = self._next_pieces(contexts, paths, holes, least)
        return holes

    def _plan(self, before: str, words: tuple[str, ...], most: int | None) -> _Plan:
        key = (before, words)
        if key not in self._plans:
            pieces = {word: self._encoder.pieces(before, word) for word in words}
            single = [(word, own[0]) for word, own in pieces.items() if own and len(own) == 1]
            longer: dict[int, list[tuple[str, tuple[int, ...]]]] = {}
            for word, own in pieces.items():
                if own and 1 < len(own) <= (most or len(own)):
                    longer.setdefault(len(own), []).append((word, own))
            self._plans[key] = _Plan(
                tuple(word for word, _ in single),
                np.array([entry for _, entry in single], dtype=np.int64),
                {n: tuple(found) for n, found in sorted(longer.items())},
                {n: np.array([own[0] for _, own in found]) for n, found in longer.items()},
            )
        return self._plans[key]

    def _read(self, questions: list[Question], k: int = 1) -> list[Answer]:
        return read_positions(
            self._network, questions, k=k, budget=self._budget, on_done=self._on_done
        )

    def _read_single(
        self,
        contexts: dict[int, Context],
        plans: dict[int, _Plan],
        holes: list[Hole],
        *,
        k: int,
    ) -> None:
        questions = [Question(c.ids, c.at, plans[p].single_ids) for p, c in contexts.items()]
        for place, answer in zip(contexts, self._read(questions, k), strict=True):
            hole = holes[place]
            hole.top = answer.top.tolist()
            hole.top_p = np.exp(answer.top_logp).tolist()
            values = np.exp(answer.wanted_logp).tolist()
            hole.words = dict(zip(plans[place].single, values, strict=True))

    def _first_pieces(
        self,
        contexts: dict[int, Context],
        plans: dict[int, _Plan],
        least: Sequence[float],
        *,
        fewest: int,
        beam: int | None,
    ) -> list[_Path]:
        """Words of several pieces whose first piece alone keeps them over the floor."""
        room = self._network.max_length + 1
        asked = [
            (place, count)
            for place, context in contexts.items()
            for count in plans[place].longer
            if fewest <= count and len(context.ids) + count <= room
        ]
        questions = [
            Question(contexts[p].masks(n), contexts[p].at, plans[p].first_ids[n]) for p, n in asked
        ]
        paths = []
        answers = self._read(questions, beam or 1)
        for (place, count), answer in zip(asked, answers, strict=True):
            words = plans[place].longer[count]
            lowest = max(least[place], answer.top_logp[-1]) if beam else least[place]
            for i in np.flatnonzero(answer.wanted_logp >= lowest):
                word, pieces = words[i]
                paths.append(_Path(place, word, pieces, 1, float(answer.wanted_logp[i])))
        return paths

    def _next_pieces(
        self,
        contexts: dict[int, Context],
        paths: list[_Path],
        holes: list[Hole],
        least: Sequence[float],
    ) -> list[_Path]:
        questions = []
        for path in paths:
            context = contexts[path.hole]
            ids = context.filled(path.pieces[: path.done], len(path.pieces))
            wanted = np.array([path.pieces[path.done]])
            questions.append(Question(ids, context.at + path.done, wanted))
        going = []
        for path, answer in zip(paths, self._read(questions), strict=True):
            logp = path.logp + float(answer.wanted_logp[0])
            if logp < least[path.hole]:
                continue
            if path.done + 1 == len(path.pieces):
                holes[path.hole].words[path.word] = math.exp(logp)
                holes[path.hole].longer.append(path.word)
            else:
                going.append(_Path(path.hole, path.word, path.pieces, path.done + 1, logp))
        return going
