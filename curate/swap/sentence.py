"""A sentence as units (tokens, with multiword gender words joined) and their readings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from curate.language import Token, fold, shape
from curate.lexicon import FormIndex, Lexicon, Reading, Rule

__all__ = ["Sentence", "Unit", "read_sentence"]


@dataclass(slots=True)
class Unit:
    """One token or one multiword gender word; `words` are its readings as a gender word.

    `out`: it looks like a gender word, but its context says that it is none here.
    """

    start: int
    end: int
    text: str
    lower: str
    shape: str
    words: tuple[Reading, ...] = ()
    out: bool = False


@dataclass(slots=True)
class Sentence:
    text: str
    units: list[Unit]
    index: FormIndex
    lexicon: Lexicon
    # the lower-cased units
    lowers: frozenset[str]
    # what elements of patterns fit where; emptied whenever the words of a unit change
    fits: dict[tuple[int, int], bool] = field(default_factory=dict)
    _rules: dict[str, list[Rule]] = field(default_factory=dict)

    def agreeing(self, position: int) -> tuple[Reading, ...]:
        """The unit's readings as a word that agrees with another."""
        lower = self.units[position].lower
        readings = self.index.agreeing(lower)
        sounds = self.index.sounds
        if sounds.is_alternate(lower) and position + 1 < len(self.units):
            for base in sounds.bases(lower, self.units[position + 1].lower):
                readings += self.index.agreeing(base)
        return readings

    def readings(self, position: int) -> tuple[Reading, ...]:
        words = self.units[position].words
        agreeing = self.agreeing(position)
        return (*words, *agreeing) if words else agreeing

    def rules(self, kind: str) -> list[Rule]:
        """The rules of a kind whose words the sentence holds, in the order of the file."""
        if kind not in self._rules:
            self._rules[kind] = self.index.rules(kind, self.lowers)
        return self._rules[kind]

    def set_words(self, position: int, words: tuple[Reading, ...], *, out: bool = False) -> None:
        """Change a unit's readings as a gender word."""
        unit = self.units[position]
        unit.words, unit.out = words, out
        self.fits.clear()

    def is_initial(self, position: int) -> bool:
        """Whether no letter or digit stands before the unit."""
        return not any(unit.text[:1].isalnum() for unit in self.units[:position])

    def gap(self, position: int) -> str:
        """The characters between a unit and the one before it."""
        return self.text[self.units[position - 1].end : self.units[position].start]


def read_sentence(text: str, lexicon: Lexicon, index: FormIndex) -> Sentence:
    """Split an NFC text into units; the longest gender word wins at each token."""
    tokens = _split_compounds(lexicon.tokenizer(text), index)
    units: list[Unit] = []
    at = 0
    while at < len(tokens):
        start, end, written = tokens[at]
        lower = fold(written)
        width, words = 1, _single(written, index)
        for length in range(min(index.longest.get(lower, 1), len(tokens) - at), 1, -1):
            found = _multiword(text, tokens[at : at + length], index)
            if found:
                width, words, end = length, found, tokens[at + length - 1].end
                written = text[start:end]
                lower = fold(written)
                break
        units.append(Unit(start, end, written, lower, shape(written), words))
        at += width
    return Sentence(text, units, index, lexicon, frozenset([unit.lower for unit in units]))


def _single(written: str, index: FormIndex) -> tuple[Reading, ...]:
    readings = index.word(written)
    if not readings or (written[:1].isupper() and not index.has_case_flags):
        return readings
    return tuple(reading for reading in readings if _case_fits(written, reading))


def _multiword(text: str, tokens: Sequence[Token], index: FormIndex) -> tuple[Reading, ...]:
    readings = index.words.get(tuple(fold(token.text) for token in tokens))
    if not readings:
        return ()
    written = " ".join(text[tokens[0].start : tokens[-1].end].split())
    if fold(written) != fold(readings[0].form):
        return ()
    return tuple(reading for reading in readings if _case_fits(written, reading))


def _case_fits(written: str, reading: Reading) -> bool:
    """A form with a capital of its own wants one; a form flagged `case` wants its very letters."""
    if reading.row is not None and "case" in reading.row.flags:
        return written == reading.form
    return not reading.form[:1].isupper() or written[:1].isupper()


def _split_compounds(tokens: list[Token], index: FormIndex) -> list[Token]:
    """Cut segments that hold a listed gender word behind something else."""
    if not index.splits:
        return tokens
    cut: list[Token] = []
    for token in tokens:
        at = index.split_compound(token.text)
        if at:
            cut.append(Token(token.start, token.start + at, token.text[:at]))
            cut.append(Token(token.start + at, token.end, token.text[at:]))
        else:
            cut.append(token)
    return cut
