"""The masked contexts of one side of a pair, each asked for once however many metrics want it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from curate.models.masked import Body, MaskedTokens

__all__ = ["Asking"]


class Asking:
    """Adds the contexts of a side to `contexts`; its answers are numbers in that list."""

    def __init__(self, body: Body, mask: int, contexts: list[MaskedTokens]) -> None:
        self._body, self._mask, self._contexts = body, mask, contexts
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
        from curate.models.masked import MaskedTokens

        key = (*masked, -1, *read)
        if key not in self._asked:
            self._asked[key] = len(self._contexts)
            ids = list(self._body.ids)
            for place in masked:
                ids[place] = self._mask
            entries = tuple(self._body.ids[place] for place in read)
            self._contexts.append(MaskedTokens(tuple(ids), read, entries))
        return self._asked[key]
