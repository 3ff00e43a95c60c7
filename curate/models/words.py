"""Which tokens are pieces of one word, by the characters that they cover."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

__all__ = ["Span", "character_kinds", "word_numbers"]

# first and end of the characters of a text that a token covers, in code points; None: unknown
Span = tuple[int, int] | None

# scripts that put no space between words: Thai, Lao, Myanmar, Khmer, Hiragana, Katakana, Han
_UNSPACED = (
    (0x0E00, 0x0E7F), (0x0E80, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x19E0, 0x19FF),
    (0x2E80, 0x2FDF), (0x3005, 0x3007), (0x3021, 0x3029), (0x3031, 0x3035), (0x3038, 0x303C),
    (0x3041, 0x30FF), (0x31F0, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xA9E0, 0xA9FF),
    (0xAA60, 0xAA7F), (0xF900, 0xFAFF), (0xFF66, 0xFF9F), (0x1AFF0, 0x1B16F), (0x20000, 0x3FFFF),
)  # fmt: skip
_JOINERS = "'’-"
_INVISIBLE = "\u00ad\u200c\u200d"  # soft hyphen and the zero-width (non-)joiner, inside words
_RUN = re.compile("L[LM]*(?:J[L][LM]*)*")


class _Kinds(dict[int, str]):
    """The kinds of code points, worked out when first met."""

    def __missing__(self, code: int) -> str:
        self[code] = kind = _kind(code)
        return kind


def _kind(code: int) -> str:
    character = chr(code)
    if any(first <= code <= last for first, last in _UNSPACED):
        return "O"
    if character in _JOINERS or character in _INVISIBLE:
        return "J"
    if character.isspace():
        return " "
    return {"L": "L", "N": "L", "M": "M"}.get(unicodedata.category(character)[0], "O")


_KINDS = _Kinds()


def character_kinds(text: str) -> str:
    """A letter a character: L(etter or digit of a spaced script), M(ark), J(oiner), space, O."""
    return text.translate(_KINDS)


def word_numbers(text: str, tokens: Sequence[str], spans: Sequence[Span]) -> tuple[int, ...]:
    """For each token the number of its word, counted from 0.

    A word is a run of letters, marks and digits, with single inner ' ’ - and zero-width joiners;
    in scripts without spaces between words, and for all other characters, every token is a word.
    Tokens that share a character (the bytes of one emoji) are one word. A token that is nothing
    but the space before a word belongs to it: a tokenizer has split it off.
    """
    kinds = character_kinds(text)
    owner = [-1] * (len(text) + 1)
    for number, run in enumerate(_RUN.finditer(kinds)):
        owner[run.start() : run.end()] = [number] * (run.end() - run.start())
    numbers: list[int] = []
    word, end = -1, 0  # of the token before
    number = -1
    for token, span in zip(tokens, spans, strict=True):
        start, stop = _without_space(kinds, token, span) if span else (-1, -1)
        own = _owner(text, owner, start, stop)
        shares = start < end and start < stop
        if not (numbers and (shares or (own == word and own >= 0))):
            number += 1
        numbers.append(number)
        word, end = own, max(end, stop)
    return tuple(numbers)


def _without_space(kinds: str, token: str, span: tuple[int, int]) -> tuple[int, int]:
    start, stop = span
    if not token.strip("▁"):
        # the mark of a space that no character stands for is laid on the first character
        stop = start if kinds[start : start + 1] != " " else stop
    while start < stop and kinds[start] == " ":
        start += 1
    while start < stop and kinds[stop - 1] == " ":
        stop -= 1
    return start, stop


def _owner(text: str, owner: list[int], start: int, stop: int) -> int:
    """The word that the characters from `start` to `stop` touch first, or -1."""
    if start < 0:
        return -1
    if start == stop:
        return owner[start] if start == 0 or text[start - 1] == " " else -1
    return next((word for word in owner[start:stop] if word >= 0), -1)
