"""Tell at corpus speed which texts cannot hold a gender word."""

from __future__ import annotations

import string
from collections.abc import Sequence

from curate.language import normalize, without_marks
from curate.language.tokens import fold, token_pattern
from curate.lexicon import FormIndex, Lexicon

__all__ = ["Prefilter"]

_PUNCTUATION = str.maketrans(dict.fromkeys(string.punctuation, " "))


class Prefilter:
    """Looks for the longest token of every gender word, and for nouns of fixed gender.

    Where words stand between spaces, a set of them is enough; otherwise an Aho-Corasick automaton
    looks for the forms anywhere in the text.
    """

    def __init__(self, lexicon: Lexicon, index: FormIndex) -> None:
        self._tokens = lexicon.grammar.fixed | {max(key, key=len) for key in index.words}
        self._index = index
        self._open = index.has_open_words
        self._extra = bool(lexicon.config.tokens)
        self._marks = lexicon.config.marks
        self._split = token_pattern(lexicon.config.tokens).findall
        self._spaced = lexicon.config.segmentation == "spaces"
        self._automaton = None
        if not self._spaced:
            from ahocorasick_rs import AhoCorasick

            self._automaton = AhoCorasick(
                sorted(lexicon.grammar.fixed | {"".join(key) for key in index.words})
            )

    def scan(self, texts: Sequence[str]) -> list[bool]:
        """For each text whether it could hold a gender word; False is certain."""
        if self._automaton is not None:
            find = self._automaton.find_matches_as_indexes
            return [bool(find(normalize(text).lower())) for text in texts]
        return [self._could(text) for text in texts]

    def _could(self, text: str) -> bool:
        if text.isascii() and not self._open and not self._extra:
            return not self._tokens.isdisjoint(text.lower().translate(_PUNCTUATION).split())
        text = normalize(text)
        if self._holds(text):
            return True
        bare = without_marks(text, self._marks) if self._marks else text
        return bare != text and self._holds(bare)

    def _holds(self, text: str) -> bool:
        words = self._split(text)
        if not self._tokens.isdisjoint([fold(word) for word in words]):
            return True
        return self._open and any(self._index.word(word) for word in words)
