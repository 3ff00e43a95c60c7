"""Which sentences the rule of Katsarou et al. (2022, section 3.1.1) keeps, as it is written.

"Starting with *A man* or *A woman*", with no other word that shows gender: read without grammar, a
beginning is a string of letters, and a gender word any listed form that is always one, or that can
be a possessive (*his*, *her*).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from curate.language import fold
from curate.lexicon import FormIndex, Lexicon, Reading
from curate.lexicon.occupation_rules import OccupationRules

__all__ = ["PaperRule"]


@dataclass(frozen=True, slots=True)
class _Found:
    """A listed form in a text, and whether one of its readings is a possessive."""

    form: str
    possessive: bool


class PaperRule:
    """The rule for one language; `begins` and `words` tell why a sentence is out."""

    def __init__(self, lexicon: Lexicon, rules: OccupationRules) -> None:
        self._openings = [opening for group in rules.subjects.values() for opening in group]
        self._index = FormIndex(lexicon)
        self._tokenizer = lexicon.tokenizer

    def begins(self, text: str) -> bool:
        return text.startswith(tuple(self._openings))

    def words(self, text: str, *, possessives: bool = True) -> list[str]:
        """The listed gender words behind the beginning, lower-cased.

        Without `possessives`, forms that can be one (*his*, *her*) are let pass.
        """
        opening = max((o for o in self._openings if text.startswith(o)), key=len, default="")
        tokens = [fold(token.text) for token in self._tokenizer(text[len(opening) :])]
        found = self._listed(tokens)
        return [word.form for word in found if possessives or not word.possessive]

    def _listed(self, tokens: Sequence[str]) -> list[_Found]:
        found = []
        for at, token in enumerate(tokens):
            for length in range(self._index.longest.get(token, 0), 0, -1):
                key = tuple(tokens[at : at + length])
                readings = [r for r in self._index.words.get(key, ()) if _shows_gender(r)]
                possessive = any(r.feature("Kind") == "possessive" for r in readings)
                if possessive or any("ambiguous" not in _flags(r) for r in readings):
                    found.append(_Found(" ".join(key), possessive))
                    break
        return found


def _shows_gender(reading: Reading) -> bool:
    return reading.row is not None and "epicene" not in reading.row.flags


def _flags(reading: Reading) -> frozenset[str]:
    return reading.row.flags if reading.row is not None else frozenset()
