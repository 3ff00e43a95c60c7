"""All checks of one pair, in one language."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from curate.checks.agreement import check_agreement, check_phonetics
from curate.checks.alignment import Alignment, align
from curate.checks.codes import Finding
from curate.checks.gender import ContextWords, check_direction
from curate.checks.links import Licence, Link, Stretch
from curate.checks.minimality import check_minimality
from curate.checks.pieces import Piece, characters, pieces
from curate.checks.text import check_text, is_checkable
from curate.genders import GENDERS
from curate.language import Tokenizer, normalize, tokenize
from curate.lexicon import Lexicon
from curate.swap import Swapper

__all__ = ["PairChecker"]

# Thai to Khmer, kana, Han: scripts that set no space between words.
_NO_SPACES = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_SPACES = "spaces"


@dataclass(frozen=True, slots=True)
class _Reading:
    """One way to cut the sides, with the licence whose forms are cut alike."""

    tokenizer: Tokenizer
    licence: Licence
    runs: bool


class PairChecker:
    """Checks pairs of one language; without a lexicon only what holds in every language.

    `labelled`: the first side is known to be the masculine one.
    """

    def __init__(self, lexicon: Lexicon | None, *, labelled: bool = True) -> None:
        self._labelled = labelled
        self._lexicon = lexicon
        self._readings: list[_Reading] = []
        if lexicon is None:
            return
        self._readings.append(_Reading(lexicon.tokenizer, Licence(lexicon), runs=False))
        if lexicon.config.segmentation != _SPACES:
            by_character = Licence(lexicon, tokenizer=characters)
            self._readings.append(_Reading(characters, by_character, runs=True))
        self._context = [
            ContextWords(lexicon, reading.licence, tokenizer=reading.tokenizer)
            for reading in self._readings
        ]
        self._swapper = Swapper(lexicon)

    def check(self, a: str, b: str, *, original: str | None = None) -> list[Finding]:
        """Every finding about the sides `a` and `b` (the masculine and the feminine one).

        `original` says which side was found in a corpus: ``masculine``, ``feminine``, or unknown.
        """
        found = check_text(a, b, names=("masculine", "feminine") if self._labelled else ("a", "b"))
        if not is_checkable(found):
            return found
        a, b = normalize(a), normalize(b)
        if self._lexicon is None:
            return found + self._neutral(a, b)
        known = GENDERS.index(original) if original in GENDERS else None
        return found + self._in_language(a, b, known)

    def align(self, a: str, b: str) -> Alignment:
        """How two NFC sides stand against each other; without a lexicon no change is licensed."""
        return self._best_alignment(a, b)[1] if self._readings else self._plain(a, b)[0]

    def _plain(self, a: str, b: str) -> tuple[Alignment, bool]:
        """The alignment that no lexicon helps, and whether it is one of characters."""
        runs = bool(_NO_SPACES.search(a) or _NO_SPACES.search(b))
        tokenizer = characters if runs else tokenize
        return align(pieces(a, tokenizer), pieces(b, tokenizer)), runs

    def _neutral(self, a: str, b: str) -> list[Finding]:
        alignment, runs = self._plain(a, b)
        return check_minimality(alignment, a, b, licence=None, runs=runs)

    def _in_language(self, a: str, b: str, original: int | None) -> list[Finding]:
        number, alignment = self._best_alignment(a, b)
        licence = self._readings[number].licence
        found = check_minimality(alignment, a, b, licence=licence, runs=self._readings[number].runs)
        found += check_direction(alignment, a, b, labelled=self._labelled)
        found += self._context[number].check(alignment, a)
        found += check_phonetics(licence, alignment, a, b)
        if any(change.link is not None for change in alignment.changes):
            found += check_agreement(self._swapper, licence, alignment, (a, b), original=original)
        return found

    def _best_alignment(self, a: str, b: str) -> tuple[int, Alignment]:
        """The first way to cut the sides under which every change is licensed, else the last."""
        for number, reading in enumerate(self._readings):
            alignment = _aligned(a, b, reading)
            if alignment.licensed() or number == len(self._readings) - 1:
                break
        return number, alignment


def _aligned(a: str, b: str, reading: _Reading) -> Alignment:
    licence = reading.licence
    contractions = licence.lexicon.grammar.contractions
    cut_a, cut_b = (
        pieces(text, reading.tokenizer, contractions=contractions, keep=licence.words)
        for text in (a, b)
    )

    def relate(
        one: Sequence[Piece], other: Sequence[Piece], next_one: str, next_other: str
    ) -> Link | None:
        return licence.link(_stretch(one, next_one), _stretch(other, next_other))

    return align(cut_a, cut_b, relate=relate, lengths=licence.lengths, longest=licence.longest)


def _stretch(cut: Sequence[Piece], following: str) -> Stretch:
    written = cut[0].text if len(cut) == 1 and not cut[0].part else ""
    return Stretch(tuple(piece.key for piece in cut), written, following)
