"""From a text to its units."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable
from functools import lru_cache

from curate.language import fold, shape, without_marks
from curate.language.tokens import token_pattern
from curate.lexicon import FormIndex, Lexicon, Reading
from curate.swap.fitting import Fitting
from curate.swap.rules import LONGER, SOUNDING, RuleTable
from curate.swap.sentence import Sentence, Unit

__all__ = ["Reader"]

MAX_KNOWN = 65_536  # 4 KB each in German, with their readings; then what is known is learnt anew
MAX_PIECES = 65_536


class _Known(dict[str, Unit]):
    """Units by their letters; one that is not there is learnt. Bounded."""

    def __init__(self, learn: Callable[[str], Unit]) -> None:
        super().__init__()
        self._learn = learn

    def __missing__(self, written: str) -> Unit:
        if len(self) >= MAX_KNOWN:
            self.clear()
        unit = self[written] = self._learn(written)
        return unit


class Reader:
    """Splits texts into units; what it has read of a token is kept for the next text."""

    def __init__(self, lexicon: Lexicon, index: FormIndex) -> None:
        self._lexicon = lexicon
        self._index = index
        self._marks = lexicon.config.marks
        self._fitting = Fitting(lexicon, index)
        self._table = RuleTable(lexicon, index, self._fitting)
        self._cut = _cutter(lexicon, index)
        self._known = _Known(self._learn)
        self._seconds: dict[str, set[str]] = defaultdict(set)
        for key in index.words:
            if len(key) > 1:
                self._seconds[key[0]].add(key[1])
        # gender words of several tokens; their letters may be a single token elsewhere
        self._joined: dict[str, Unit] = {}

    def read(self, text: str) -> Sentence:
        """The units of an NFC text; the longest gender word wins at each token."""
        units = list(map(self._known.__getitem__, self._cut(text)))
        met = 0
        for unit in units:
            met |= unit.meets
        if met & LONGER and self._may_join(units):
            units = self._join(text, units)
        if met & SOUNDING:
            self._hear(units)
        return Sentence(text, units, self._index, self._lexicon, self._fitting, self._table)

    def _learn(self, written: str) -> Unit:
        """Read a token; one that is known in no way is read without its optional marks."""
        bare = without_marks(written, self._marks) if self._marks else written
        words = _single(written, self._index)
        if bare not in {written, ""} and not words and not self._is_known(fold(written)):
            return self._unit(written, fold(bare), _single(bare, self._index))
        return self._unit(written, fold(written), words)

    def _is_known(self, lower: str) -> bool:
        classes = self._lexicon.grammar.classes.values()
        return bool(self._index.agreeing(lower)) or any(lower in forms for forms in classes)

    def _unit(
        self, written: str, lower: str, words: tuple[Reading, ...], also: tuple[Reading, ...] = ()
    ) -> Unit:
        agreeing = self._index.agreeing(lower) + also
        unit = Unit(written, lower, shape(written), words, agreeing)
        unit.meets = self._table.meets(unit)
        return unit

    def _may_join(self, units: list[Unit]) -> bool:
        """Whether any two units stand as the first two of a gender word do."""
        for unit, following in itertools.pairwise(units):
            if unit.meets & LONGER and fold(following.text) in self._seconds[unit.lower]:
                return True
        return False

    def _join(self, text: str, units: list[Unit]) -> list[Unit]:
        """The units with those that are one gender word made one."""
        joined: list[Unit] = []
        at = end = 0
        while at < len(units):
            unit, width = units[at], 1
            start = text.find(unit.text, end)
            if unit.meets & LONGER:
                unit, width = self._widest(text, start, units, at)
            joined.append(unit)
            end = start + len(unit.text)
            at += width
        return joined

    def _widest(self, text: str, start: int, units: list[Unit], at: int) -> tuple[Unit, int]:
        """The longest gender word from unit `at` on, and how many units it is."""
        longest = self._index.longest[units[at].lower]
        for width in range(min(longest, len(units) - at), 1, -1):
            key = tuple(fold(unit.text) for unit in units[at : at + width])
            readings = self._index.words.get(key)
            if not readings:
                continue
            end = start
            for unit in units[at : at + width]:
                end = text.find(unit.text, end) + len(unit.text)
            written = text[start:end]
            found = _multiword(written, readings)
            if found:
                if written not in self._joined:
                    if len(self._joined) >= MAX_KNOWN:
                        self._joined.clear()
                    self._joined[written] = self._unit(written, fold(written), found)
                return self._joined[written], width
        return units[at], 1

    def _hear(self, units: list[Unit]) -> None:
        """Read what a form stands for before the sound of the next word: mon amie is ma amie."""
        sounds = self._index.sounds
        for at, (unit, following) in enumerate(itertools.pairwise(units)):
            bases = sounds.bases(unit.lower, following.lower) if unit.meets & SOUNDING else ()
            if not bases:
                continue
            heard = unit.variants.get(tuple(bases))
            if heard is None:
                also = tuple(r for base in bases for r in self._index.agreeing(base))
                heard = self._unit(unit.text, unit.lower, unit.words, also)
                unit.variants[tuple(bases)] = heard
            units[at] = heard


def _cutter(lexicon: Lexicon, index: FormIndex) -> Callable[[str], list[str]]:
    """From a text to its tokens; where they lie is told by the text itself."""
    if lexicon.config.segmentation == "spaces":
        words: Callable[[str], list[str]] = token_pattern(lexicon.config.tokens).findall
    else:
        tokenizer = lexicon.tokenizer

        def words(text: str) -> list[str]:
            return [token.text for token in tokenizer(text)]

    if not index.splits:
        return words

    @lru_cache(maxsize=MAX_PIECES)
    def pieces(word: str) -> tuple[str, ...]:
        """A segment that holds a listed gender word behind something else is cut in two."""
        at = index.split_compound(word)
        return (word[:at], word[at:]) if at else (word,)

    return lambda text: [piece for word in words(text) for piece in pieces(word)]


def _single(written: str, index: FormIndex) -> tuple[Reading, ...]:
    readings = index.word(written)
    if not readings or (written[:1].isupper() and not index.has_case_flags):
        return readings
    return tuple(reading for reading in readings if _case_fits(written, reading))


def _multiword(written: str, readings: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """Of the readings of these tokens those that are written so: spaces, hyphens, letter case."""
    written = " ".join(written.split())
    if fold(written) != fold(readings[0].form):
        return ()
    return tuple(reading for reading in readings if _case_fits(written, reading))


def _case_fits(written: str, reading: Reading) -> bool:
    """A form with a capital of its own wants one; a form flagged `case` wants its very letters."""
    if reading.row is not None and "case" in reading.row.flags:
        return written == reading.form
    return not reading.form[:1].isupper() or written[:1].isupper()
