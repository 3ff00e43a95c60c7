"""A side cut into pieces: tokens, with contractions opened into their two words."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from curate.language import Token, Tokenizer, fold, shape

__all__ = ["Piece", "characters", "pieces", "quote"]


@dataclass(frozen=True, slots=True)
class Piece:
    """One comparable word of a side.

    `start` and `end` are the code points of the written token; `part` is 0 for a whole token, 1
    and 2 for the words of a contraction; `key` is the lower-cased word.
    """

    start: int
    end: int
    text: str
    key: str
    part: int = 0

    @property
    def shape(self) -> str:
        return shape(self.text)

    @property
    def is_punctuation(self) -> bool:
        return not any(char.isalnum() for char in self.key)


def pieces(
    text: str,
    tokenizer: Tokenizer,
    *,
    contractions: Mapping[str, tuple[str, str]] | None = None,
    keep: frozenset[tuple[str, ...]] = frozenset(),
) -> list[Piece]:
    """Cut an NFC text; a contraction becomes two pieces unless it is itself one of `keep`."""
    cut: list[Piece] = []
    for token in tokenizer(text):
        key = fold(token.text)
        parts = (contractions or {}).get(key)
        if parts is None or (key,) in keep:
            cut.append(Piece(token.start, token.end, token.text, key))
            continue
        for number, part in enumerate(parts, start=1):
            cut.append(Piece(token.start, token.end, token.text, part, number))
    return cut


def characters(text: str) -> list[Token]:
    """One token a character, with the marks that combine with it.

    For scripts without spaces, where two segmentations of nearly the same text may disagree.
    """
    tokens: list[Token] = []
    for i, char in enumerate(text):
        if tokens and tokens[-1].end == i and unicodedata.category(char).startswith("M"):
            tokens[-1] = Token(tokens[-1].start, i + 1, tokens[-1].text + char)
        elif not char.isspace():
            tokens.append(Token(i, i + 1, char))
    return tokens


def quote(text: str, cut: Sequence[Piece]) -> str:
    """The stretch of `text` that the pieces cover, in quotes; a lone mark where there is none."""
    return f"“{text[cut[0].start : cut[-1].end]}”" if cut else "∅"
