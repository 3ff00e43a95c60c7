"""Which words of a text changed, for showing it."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from curate.language.scripts import script_of

__all__ = ["Piece", "marked_words"]

_UNSPACED = frozenset({"CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN"})
"""Scripts that are written without spaces between words: a piece of them is one letter."""

_MOST = 1_000_000
"""Comparisons of two words that a text may cost."""


@dataclass(frozen=True)
class Piece:
    """Consecutive characters of a text, changed or not."""

    text: str
    changed: bool


def marked_words(old: str, new: str) -> tuple[list[Piece], list[Piece]]:
    """Both texts in pieces; together the pieces of a text are the text."""
    before, now = _tokens(old), _tokens(new)
    left: list[tuple[str, bool]] = []
    right: list[tuple[str, bool]] = []
    for equal, i, j, k, m in _runs(before, now):
        left += [(token, not equal) for token in before[i:j]]
        right += [(token, not equal) for token in now[k:m]]
    return _joined(left), _joined(right)


def _runs(before: list[str], now: list[str]) -> list[tuple[bool, int, int, int, int]]:
    """(alike, from and to in `before`, from and to in `now`).

    Of texts of very many words only the two ends are compared.
    """
    if len(before) * len(now) <= _MOST:
        matcher = difflib.SequenceMatcher(None, before, now, autojunk=False)
        return [(tag == "equal", i, j, k, m) for tag, i, j, k, m in matcher.get_opcodes()]
    first = _common(before, now)
    last = _common(before[first:][::-1], now[first:][::-1])
    i, k = len(before) - last, len(now) - last
    return [
        (True, 0, first, 0, first),
        (False, first, i, first, k),
        (True, i, len(before), k, len(now)),
    ]


def _common(before: Sequence[str], now: Sequence[str]) -> int:
    """How many tokens both begin with."""
    pairs = enumerate(zip(before, now, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(before), len(now)))


def _joined(tokens: Sequence[tuple[str, bool]]) -> list[Piece]:
    """Neighbours of one sort as one piece; a space between two changed words changed with them."""
    flags = [changed for _, changed in tokens]
    for place in range(1, len(tokens) - 1):
        if tokens[place][0].isspace() and flags[place - 1] and flags[place + 1]:
            flags[place] = True
    texts = [token for token, _ in tokens]
    grouped = groupby(zip(texts, flags, strict=True), key=lambda item: item[1])
    return [Piece("".join(text for text, _ in group), changed) for changed, group in grouped]


def _tokens(text: str) -> list[str]:
    """Words, runs of spaces, and every other character alone, with the marks that follow it."""
    tokens: list[str] = []
    last = ""
    for character in text:
        sort = _sort(character)
        if tokens and (sort == "mark" or (sort == last and sort in {"word", "space"})):
            tokens[-1] += character
        else:
            tokens.append(character)
        if sort != "mark":
            last = sort
    return tokens


def _sort(character: str) -> str:
    category = unicodedata.category(character)
    if category[0] == "M" or category == "Cf":
        return "mark"
    if character.isspace():
        return "space"
    if category[0] in "LN":
        return "letter" if script_of(character) in _UNSPACED else "word"
    return "other"
