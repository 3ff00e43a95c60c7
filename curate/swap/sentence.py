"""A sentence as units (tokens, with multiword gender words joined) and their readings."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

from curate.language import Token, fold, shape, without_marks
from curate.lexicon import FormIndex, Lexicon, Reading
from curate.lexicon.index import NumberedRule

__all__ = ["Reader", "Sentence", "Unit"]


MAX_KNOWN = 32_768  # some 80 MB; then what is known is learnt anew


@dataclass(slots=True)
class Memo:
    """What was worked out for one reading of a token, for all sentences in which it stands.

    `fits`: which elements of patterns it fits; `rules`: by kind, those whose anchor it fits;
    `variants`: the same for fewer of its readings as a gender word, and for the forms that it may
    stand for before the next word.
    """

    fits: dict[int, bool] = field(default_factory=dict)
    rules: dict[str, list[NumberedRule]] = field(default_factory=dict)
    variants: dict[tuple[int, ...] | tuple[str, ...], Memo] = field(default_factory=dict)


@dataclass(slots=True)
class Known:
    """What a written token is in any sentence."""

    lower: str
    shape: str
    words: tuple[Reading, ...]
    agreeing: tuple[Reading, ...]
    meets: int
    memo: Memo = field(default_factory=Memo)


@dataclass(slots=True)
class Unit:
    """One token or one multiword gender word; `words` are its readings as a gender word.

    `agreeing` are its readings as a word that agrees with another. `out`: it looks like a gender
    word, but its context says that it is none here.
    """

    start: int
    end: int
    text: str
    lower: str
    shape: str
    words: tuple[Reading, ...]
    agreeing: tuple[Reading, ...]
    meets: int
    memo: Memo
    out: bool = False


@dataclass(slots=True)
class Sentence:
    text: str
    units: list[Unit]
    index: FormIndex
    lexicon: Lexicon
    # which needs of patterns the words of the text meet, as bits
    met: int
    # the units that look like gender words and are none here, with the rule that says so
    aside: dict[int, str] = field(default_factory=dict)

    def readings(self, position: int) -> tuple[Reading, ...]:
        """The unit's readings as a gender word and as a word that agrees."""
        unit = self.units[position]
        return (*unit.words, *unit.agreeing) if unit.words else unit.agreeing

    def set_aside(self, position: int, why: str) -> None:
        """Take a unit for no gender word."""
        self.aside[position] = why
        self.narrow(position, ())

    def narrow(self, position: int, words: tuple[Reading, ...]) -> None:
        """Leave a unit fewer readings as a gender word; with none it is `out`."""
        unit = self.units[position]
        unit.words, unit.out = words, not words
        unit.memo = unit.memo.variants.setdefault(tuple(map(id, words)), Memo())

    def is_initial(self, position: int) -> bool:
        """Whether no letter or digit stands before the unit."""
        return not any(unit.text[:1].isalnum() for unit in self.units[:position])

    def gap(self, position: int) -> str:
        """The characters between a unit and the one before it."""
        return self.text[self.units[position - 1].end : self.units[position].start]


class Reader:
    """Splits texts into units; what it has read of a token is kept for the next text."""

    def __init__(self, lexicon: Lexicon, index: FormIndex) -> None:
        self._lexicon = lexicon
        self._index = index
        self._marks = lexicon.config.marks
        self._known: dict[str, Known] = {}
        # gender words of several tokens; their letters may be a single token elsewhere
        self._joined: dict[str, Known] = {}

    def read(self, text: str) -> Sentence:
        """The units of an NFC text; the longest gender word wins at each token."""
        index = self._index
        tokens = _split_compounds(self._lexicon.tokenizer(text), index)
        units: list[Unit] = []
        at = 0
        while at < len(tokens):
            start, end, written = tokens[at]
            known = self._known.get(written) or self._learn(written)
            longest = index.longest.get(known.lower, 1)
            width = self._width(text, tokens, at, longest) if longest > 1 else 1
            if width > 1:
                end = tokens[at + width - 1].end
                written = text[start:end]
                known = self._joined[written]
                at += width - 1
            units.append(
                Unit(
                    start, end, written, known.lower, known.shape, known.words, known.agreeing,
                    known.meets, known.memo,
                )
            )  # fmt: skip
            at += 1
        if index.sounds:
            self._hear(units)
        met = 0
        for unit in units:
            met |= unit.meets
        return Sentence(text, units, index, self._lexicon, met)

    def _learn(self, written: str) -> Known:
        """Read a token; one that is known in no way is read without its optional marks."""
        bare = without_marks(written, self._marks) if self._marks else written
        words = _single(written, self._index)
        if bare not in {written, ""} and not words and not self._is_known(fold(written)):
            return self._keep(self._known, written, _single(bare, self._index), fold(bare))
        return self._keep(self._known, written, words, fold(written))

    def _is_known(self, lower: str) -> bool:
        classes = self._lexicon.grammar.classes.values()
        return bool(self._index.agreeing(lower)) or any(lower in forms for forms in classes)

    def _keep(
        self, kept: dict[str, Known], written: str, words: tuple[Reading, ...], lower: str
    ) -> Known:
        if len(kept) >= MAX_KNOWN:
            kept.clear()
        index = self._index
        known = Known(lower, shape(written), words, index.agreeing(lower), index.meets(lower))
        kept[written] = known
        return known

    def _width(self, text: str, tokens: Sequence[Token], at: int, longest: int) -> int:
        """How many tokens from `at` on are one gender word; 1 where none begins there."""
        for length in range(min(longest, len(tokens) - at), 1, -1):
            found = _multiword(text, tokens[at : at + length], self._index)
            if found:
                written = text[tokens[at].start : tokens[at + length - 1].end]
                if written not in self._joined:
                    self._keep(self._joined, written, found, fold(written))
                return length
        return 1

    def _hear(self, units: Sequence[Unit]) -> None:
        """Read what a form stands for before the sound of the next word: mon amie is ma amie."""
        sounds = self._index.sounds
        for unit, following in itertools.pairwise(units):
            bases = sounds.bases(unit.lower, following.lower)
            if bases:
                for base in bases:
                    unit.agreeing += self._index.agreeing(base)
                unit.memo = unit.memo.variants.setdefault(tuple(bases), Memo())


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
