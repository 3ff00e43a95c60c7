"""Whether a text holds a given name, in whatever form the language puts it."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from curate.language import normalize, tokenize
from curate.language.scripts import ALPHABETS, script_of

__all__ = ["has_name"]

# The share of a name that inflection leaves: Finnish Pekka, Pekan keeps three letters of five.
_STEM = 0.6
_SHORTEST_STEM = 3
# Letters that may stand before a name in its word (Arabic and, to, by) and behind it.
_BEFORE, _BEHIND = 3, 7
# Combining classes from here on are accents and points; below are parts of Indic letters.
_OPTIONAL = 10
_NO_SPACES = frozenset().union(
    *(ALPHABETS[code] for code in ("Jpan", "Thai", "Laoo", "Khmr", "Mymr", "Tibt"))
)


def has_name(text: str, names: Sequence[str]) -> bool:
    """Whether one of the names stands in the text, whole or inflected.

    A word is a form of a name if it begins with the same letters, at least three in five and
    three at all, and is not much longer, or if the name stands in it behind at most three letters.
    A name with a capital wants a word with one. In scripts that set no space between words the
    name is looked for anywhere.
    """
    text = normalize(text)
    words = _words(text)
    return any(_has(text, words, normalize(name).strip()) for name in names)


def _words(text: str) -> list[str]:
    return [token.text for token in tokenize(text) if token.text[0].isalnum()]


def _has(text: str, words: Sequence[str], name: str) -> bool:
    if not name:
        return False
    if any(script_of(letter) in _NO_SPACES for letter in name):
        return name in text
    parts = _words(name)
    return bool(parts) and all(any(_is_form(word, part) for word in words) for part in parts)


@lru_cache(maxsize=65536)
def _is_form(word: str, name: str) -> bool:
    before = word.find(name)
    if 0 <= before <= (_BEFORE if len(name) >= _SHORTEST_STEM else 0):
        return len(word) - before - len(name) <= _BEHIND
    if name[0].isupper() and not word[0].isupper():
        return False
    one, other = _folded(word), _folded(name)
    stem = max(math.ceil(_STEM * len(other)), min(_SHORTEST_STEM, len(other)))
    return one[:stem] == other[:stem] and len(one) <= len(other) + _BEHIND


def _folded(word: str) -> str:
    """Lower case, without accents and optional vowel points, which writers may leave out."""
    apart = unicodedata.normalize("NFD", word.casefold())
    return "".join(c for c in apart if unicodedata.combining(c) < _OPTIONAL)
