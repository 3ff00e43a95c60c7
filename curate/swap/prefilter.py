"""Tell at corpus speed which texts cannot hold a gender word."""

from __future__ import annotations

import string
from collections.abc import Sequence

from curate.language import normalize, without_marks
from curate.language.tokens import fold, token_pattern
from curate.lexicon import FormIndex, Lexicon

__all__ = ["Prefilter"]

MAX_CHUNKS = 131_072  # some 15 MB; then what is known is learnt anew
MAX_BYTES = 100  # of a chunk that is kept: a longer one hardly comes again

# signs inside a token, or that tie two which are read together (l'amie); others part chunks,
# unless the lexicon has them within a word (sig.ra)
_TYING = "'-_"
# the one mark that NFC makes one with a punctuation sign (< = >)
_OVERLAY = "\u0338"


class Prefilter:
    """Looks for the longest token of every gender word, and for nouns of fixed gender.

    Where words stand between spaces, texts are cut at spaces and punctuation into chunks, many
    texts at once and as bytes, which is several times as fast as to find tokens. Whether a chunk
    holds such a token is worked out once, so nearly all texts are answered by two looks into sets.
    Otherwise an Aho-Corasick automaton looks for the forms anywhere in the text.
    """

    def __init__(self, lexicon: Lexicon, index: FormIndex) -> None:
        self._tokens = lexicon.grammar.fixed | {max(key, key=len) for key in index.words}
        self._index = index
        self._open = index.has_open_words
        self._marks = lexicon.config.marks
        self._split = token_pattern(lexicon.config.tokens).findall
        inside = _TYING + "".join(self._tokens)
        apart = "".join(sign for sign in string.punctuation if sign not in inside)
        # letter case counts for open classes alone
        capitals = "" if self._open else string.ascii_uppercase
        self._cut = bytes.maketrans(
            (apart + capitals).encode(), b" " * len(apart) + capitals.lower().encode()
        )
        self._holding: set[bytes] = set()
        self._idle: set[bytes] = set()
        self._automaton = None
        if lexicon.config.segmentation != "spaces":
            from ahocorasick_rs import AhoCorasick

            self._automaton = AhoCorasick(
                sorted(lexicon.grammar.fixed | {"".join(key) for key in index.words})
            )

    def scan(self, texts: Sequence[str]) -> list[bool]:
        """For each text whether it could hold a gender word; False is certain."""
        if self._automaton is not None:
            find = self._automaton.find_matches_as_indexes
            return [bool(find(normalize(text).lower())) for text in texts]
        if not texts:
            return []
        joined = "\n".join(texts)
        if joined.count("\n") != len(texts) - 1:
            joined = "\n".join(text.replace("\n", " ") for text in texts)
        lines = joined.encode("utf-8", "surrogatepass").translate(self._cut).split(b"\n")
        found = []
        holding, idle = self._holding, self._idle
        for line in lines:
            chunks = line.split()
            if idle.issuperset(chunks):
                found.append(False)
            else:
                found.append(not holding.isdisjoint(chunks) or self._learn(chunks))
        return found

    def _learn(self, chunks: Sequence[bytes]) -> bool:
        """Whether any of the chunks holds a token that is looked for; the answers are kept."""
        if len(self._idle) + len(self._holding) > MAX_CHUNKS:
            self._idle.clear()
            self._holding.clear()
        found = False
        for chunk in chunks:
            if chunk not in self._idle:
                holds = self._holds(chunk.decode("utf-8", "surrogatepass"))
                if len(chunk) <= MAX_BYTES:
                    (self._holding if holds else self._idle).add(chunk)
                found |= holds
        return found

    def _holds(self, chunk: str) -> bool:
        if chunk.startswith(_OVERLAY):
            return True  # with the sign before it, it may be one: then the rest is another word
        chunk = normalize(chunk)
        return self._holds_token(chunk) or (
            bool(self._marks) and self._holds_token(without_marks(chunk, self._marks))
        )

    def _holds_token(self, chunk: str) -> bool:
        words = self._split(chunk)
        if not self._tokens.isdisjoint([fold(word) for word in words]):
            return True
        return self._open and any(self._index.word(word) for word in words)
