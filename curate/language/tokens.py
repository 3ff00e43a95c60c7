"""Tokens with offsets: words, numbers and single punctuation marks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import NamedTuple

from curate.errors import MissingExtraError, UsageError

__all__ = ["SEGMENTERS", "Token", "Tokenizer", "make_tokenizer", "normalize", "tokenize"]

# Combining marks of the scripts in use, which `\w` leaves out.
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u0900-\u0903\u093a-\u094f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u200c\u200d"
)
_TOKEN = re.compile(rf"[\w{_MARKS}]+|[^\w\s]")


class Token(NamedTuple):
    """A stretch of text; `start` and `end` count code points."""

    start: int
    end: int
    text: str


Tokenizer = Callable[[str], list[Token]]


def normalize(text: str) -> str:
    """The text in NFC, the form in which all offsets count."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def split_words(text: str) -> list[str]:
    """The tokens of `split_on_spaces` without their offsets."""
    return _TOKEN.findall(text)


def split_on_spaces(text: str) -> list[Token]:
    return [Token(m.start(), m.end(), m.group()) for m in _TOKEN.finditer(text)]


def _spaces(words: Sequence[str]) -> Tokenizer:
    return split_on_spaces


def _jieba(words: Sequence[str]) -> Tokenizer:
    try:
        import rjieba
    except ImportError:
        raise MissingExtraError("rjieba", "zh") from None
    segmenter = rjieba.Jieba()
    for word in words:
        segmenter.add_word(word, None, None)

    def cut(text: str) -> list[Token]:
        tokens = []
        start = 0
        for piece in segmenter.cut(text, False):
            end = start + len(piece)
            if not piece.isspace():
                tokens.append(Token(start, end, piece))
            start = end
        return tokens

    return cut


SEGMENTERS: dict[str, Callable[[Sequence[str]], Tokenizer]] = {"spaces": _spaces, "jieba": _jieba}


def make_tokenizer(segmentation: str, words: Sequence[str] = ()) -> Tokenizer:
    """The tokenizer that a language names; `words` are kept whole where it knows how."""
    if segmentation not in SEGMENTERS:
        raise UsageError(
            f"unknown segmentation {segmentation!r}", hint=f"one of: {', '.join(SEGMENTERS)}"
        )
    return SEGMENTERS[segmentation](words)


def tokenize(text: str, segmentation: str = "spaces") -> list[Token]:
    """Tokens of an NFC text."""
    return make_tokenizer(segmentation)(text)
