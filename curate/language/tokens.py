"""Tokens with offsets: words, numbers and single punctuation marks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from curate.errors import MissingExtraError, UsageError

__all__ = [
    "JOINING",
    "NO_TEXT",
    "SEGMENTERS",
    "Token",
    "Tokenizer",
    "fold",
    "make_tokenizer",
    "normalize",
    "token_pattern",
    "tokenize",
]

# Combining marks of the scripts in use, which `\w` leaves out.
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u0900-\u0903\u093a-\u094f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u200c\u200d"
)
_WORD = rf"[\w{_MARKS}]+|[^\w\s]"


class Token(NamedTuple):
    """A stretch of text; `start` and `end` count code points."""

    start: int
    end: int
    text: str


Tokenizer = Callable[[str], list[Token]]


# Controls but tab and line ends, surrogates, U+FFFD (text lost in decoding), non-characters.
NO_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffd\ufffe\uffff]")


def normalize(text: str) -> str:
    """The text in NFC, the form in which all offsets count."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


JOINING = frozenset("'’-")
"""A token that ends so stands close to the next word."""


def fold(form: str) -> str:
    """A form as it is looked up: lower-cased, with the plain apostrophe."""
    form = form.lower()
    return form.replace("’", "'") if "’" in form else form


def token_pattern(extra: str = "") -> re.Pattern[str]:
    """What is a token where spaces stand between words; `extra`: an expression tried first."""
    return re.compile(rf"(?<!\w)(?i:{extra})|{_WORD}" if extra else _WORD)


def _spaces(words: Sequence[str], extra: str) -> Tokenizer:
    pattern = token_pattern(extra)

    def cut(text: str) -> list[Token]:
        return [Token(m.start(), m.end(), m.group()) for m in pattern.finditer(text)]

    return cut


def _jieba(words: Sequence[str], extra: str) -> Tokenizer:
    try:
        import rjieba
    except ImportError:
        raise MissingExtraError("rjieba", "zh") from None
    segmenter = rjieba.Jieba()
    for word in words:
        segmenter.add_word(word, None, None)
    return _by_pieces(lambda text: segmenter.cut(text, False))


def _pythainlp(words: Sequence[str], extra: str) -> Tokenizer:
    try:
        from pythainlp.corpus.common import thai_words
        from pythainlp.tokenize import Tokenizer as Segmenter
    except ImportError:
        raise MissingExtraError("pythainlp", "th") from None
    segmenter = Segmenter(custom_dict=thai_words() | set(words), engine="newmm")
    return _by_pieces(segmenter.word_tokenize)


def _sudachi(words: Sequence[str], extra: str) -> Tokenizer:
    try:
        from sudachipy import Dictionary, SplitMode
    except ImportError:
        raise MissingExtraError("sudachipy", "ja") from None
    segmenter = Dictionary(dict="small").tokenizer(mode=SplitMode.A)

    def pieces(text: str) -> list[str]:
        return [morpheme.surface() for morpheme in segmenter.tokenize(text)]

    return _joined(_by_pieces(pieces), frozenset(words))


def _by_pieces(pieces: Callable[[str], Iterable[str]]) -> Tokenizer:
    """Tokens from a library that returns strings, which together are the text."""

    def cut(text: str) -> list[Token]:
        tokens = []
        start = 0
        for piece in pieces(text):
            end = start + len(piece)
            if piece and not piece.isspace():
                tokens.append(Token(start, end, piece))
            start = end
        return tokens

    return cut


def _joined(tokenizer: Tokenizer, words: frozenset[str]) -> Tokenizer:
    """The same tokens, but those that together spell one of `words` are one (the longest)."""
    longest = max(map(len, words), default=0)

    def cut(text: str) -> list[Token]:
        short = tokenizer(text)
        tokens: list[Token] = []
        at = 0
        while at < len(short):
            start, last = short[at].start, at
            for end in range(at + 1, len(short)):
                if short[end].end - start > longest or short[end].start != short[end - 1].end:
                    break
                if text[start : short[end].end] in words:
                    last = end
            tokens.append(Token(start, short[last].end, text[start : short[last].end]))
            at = last + 1
        return tokens

    return cut


# by name: from the words that stay whole and the extra tokens to a tokenizer
SEGMENTERS: dict[str, Callable[[Sequence[str], str], Tokenizer]] = {
    "spaces": _spaces,
    "jieba": _jieba,
    "pythainlp": _pythainlp,
    "sudachi": _sudachi,
}


def make_tokenizer(segmentation: str, words: Sequence[str] = (), *, extra: str = "") -> Tokenizer:
    """The tokenizer that a language names.

    `words` are kept whole where no spaces stand between words; `extra` is a regular expression of
    tokens that are tried first where they do (French `l'`).
    """
    if segmentation not in SEGMENTERS:
        raise UsageError(
            f"unknown segmentation {segmentation!r}", hint=f"one of: {', '.join(SEGMENTERS)}"
        )
    return SEGMENTERS[segmentation](words, extra)


def tokenize(text: str, segmentation: str = "spaces") -> list[Token]:
    """Tokens of an NFC text."""
    return make_tokenizer(segmentation)(text)
