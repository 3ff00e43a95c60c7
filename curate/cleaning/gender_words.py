"""The gender words of sentences, by which near-duplicates are kept apart."""

from __future__ import annotations

from collections.abc import Sequence

from curate.language import normalize, without_marks
from curate.language.tokens import fold, token_pattern
from curate.lexicon import FormIndex, Lexicon

__all__ = ["GenderWords"]


class GenderWords:
    """Reads the forms of a lexicon's gender words off a text, whatever they mean there.

    Of a form of several words the longest word is looked for, as by `curate.swap`'s prefilter:
    what matters is that two sentences which differ in a gender word have different words here.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self._index = FormIndex(lexicon)
        self._marks = lexicon.config.marks
        self._cut = token_pattern(lexicon.config.tokens).findall
        self._spaced = lexicon.config.segmentation == "spaces"
        if self._spaced:
            self._words = {max(form, key=len) for form in self._index.words}
        else:
            from ahocorasick_rs import AhoCorasick, MatchKind

            forms = sorted({"".join(form) for form in self._index.words})
            self._automaton = AhoCorasick(forms, matchkind=MatchKind.LeftmostLongest)

    def of(self, texts: Sequence[str]) -> list[str]:
        """For each text its gender words in order, folded, between spaces; empty: it has none."""
        if not self._spaced:
            find = self._automaton.find_matches_as_strings
            return [" ".join(find(normalize(text).lower())) for text in texts]
        return [" ".join(self._in(normalize(text))) for text in texts]

    def _in(self, text: str) -> list[str]:
        if self._marks:
            text = without_marks(text, self._marks)
        written = self._cut(text)
        words = [fold(word) for word in written]
        if not self._index.has_open_words:
            return [word for word in words if word in self._words]
        return [
            word
            for word, own in zip(words, written, strict=True)
            if word in self._words or self._index.word(own)
        ]
