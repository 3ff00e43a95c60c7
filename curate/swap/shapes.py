"""Which of many expressions a word fits: asked of all of them at once."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["ShapeBits"]


class ShapeBits:
    """The bits of all expressions that a word fits as a whole.

    The expressions are put side by side in one, as looks ahead from the start of the word, each
    with an empty group behind it that tells whether it fitted: one call instead of dozens.
    """

    def __init__(self, expressions: Iterable[tuple[re.Pattern[str], int]]) -> None:
        together, self._bits = [], []
        self._others: list[tuple[re.Pattern[str], int]] = []
        for expression, bits in expressions:
            if expression.groups or expression.flags != re.UNICODE:
                self._others.append((expression, bits))
            else:
                together.append(rf"(?:(?=(?:{expression.pattern})\Z)())?")
                self._bits.append(bits)
        self._together = re.compile("".join(together))

    def of(self, word: str) -> int:
        met = 0
        fitted = self._together.match(word)
        if fitted is not None and fitted.lastindex is not None:
            for group, bits in zip(fitted.groups(), self._bits, strict=True):
                if group is not None:
                    met |= bits
        for expression, bits in self._others:
            if expression.fullmatch(word):
                met |= bits
        return met
