"""The masked contexts of one side of a pair, each asked for once however many metrics want it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from curate.models.masked import Body, MaskedTokens

__all__ = ["Asking", "MaskedPlaces", "written_out"]


@dataclass(frozen=True, slots=True)
class MaskedPlaces:
    """A context that is not written out yet: a text, its positions to mask, and those to read."""

    body: Body
    masked: tuple[int, ...]
    read: tuple[int, ...]

    def written(self, mask: int) -> MaskedTokens:
        """The context as a model reads it."""
        from curate.models.masked import MaskedTokens

        ids = list(self.body.ids)
        for place in self.masked:
            ids[place] = mask
        return MaskedTokens(tuple(ids), self.read, tuple(self.body.ids[at] for at in self.read))


class Asking:
    """Adds the contexts of a side to `contexts`; its answers are numbers in that list."""

    def __init__(self, body: Body, contexts: list[MaskedPlaces]) -> None:
        self._body, self._contexts = body, contexts
        self._asked: dict[tuple[int, ...], int] = {}
        self._rest: dict[int, tuple[int, ...]] = {}
        if body.words:
            for _, places in groupby(body.own, dict(zip(body.own, body.words, strict=True)).get):
                own = tuple(places)
                self._rest |= {place: own[at:] for at, place in enumerate(own)}

    def one_by_one(self, places: Sequence[int]) -> list[int]:
        """The numbers of the contexts in which each of `places` is read behind its own mask."""
        return [self._ask(self._rest.get(place, (place,)), (place,)) for place in places]

    def at_once(self, places: tuple[int, ...]) -> int:
        """The number of the context in which all of `places` are masked and read."""
        return self._ask(places, places)

    def _ask(self, masked: tuple[int, ...], read: tuple[int, ...]) -> int:
        key = (*masked, -1, *read)
        if key not in self._asked:
            self._asked[key] = len(self._contexts)
            self._contexts.append(MaskedPlaces(self._body, masked, read))
        return self._asked[key]


def written_out(
    contexts: Iterable[MaskedPlaces], mask: int, *, most: int
) -> Iterator[list[MaskedTokens]]:
    """The contexts in order, in lists of at most `most` token ids (or one context).

    A text of n tokens has n contexts of n ids, so that those of a long text are many.
    """
    held: list[MaskedTokens] = []
    ids = 0
    for context in contexts:
        ids += len(context.body.ids)
        if held and ids > most:
            yield held
            held, ids = [], len(context.body.ids)
        held.append(context.written(mask))
    if held:
        yield held
