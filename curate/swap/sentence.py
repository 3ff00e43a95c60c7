"""A sentence as units: tokens, with gender words of several tokens joined."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from curate.lexicon import FormIndex, Lexicon, Reading

if TYPE_CHECKING:
    from curate.swap.fitting import Fitting
    from curate.swap.rules import Around, RuleTable

__all__ = ["Sentence", "Unit"]


@dataclass(slots=True, eq=False)
class Unit:
    """One token or one gender word of several, as it can be read wherever it stands so.

    Sentences share their units: none is ever changed, a narrower reading is another unit (one of
    `variants`). `words` are the readings as a gender word, `agreeing` those as a word that agrees
    with another. `out`: it looks like a gender word, but its context says that it is none here.
    `meets`: what it is good for, as bits (see `RuleTable`). What was worked out for it is kept for
    the next sentence: `fits`, the elements of patterns that it fits; `rules`, by kind those whose
    anchor it fits.
    """

    text: str
    lower: str
    shape: str
    words: tuple[Reading, ...]
    agreeing: tuple[Reading, ...]
    meets: int = 0
    out: bool = False
    readings: tuple[Reading, ...] = ()
    fits: dict[int, bool] = field(default_factory=dict)
    rules: dict[str, Around] = field(default_factory=dict)
    variants: dict[tuple[int, ...] | tuple[str, ...], Unit] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.readings = (*self.words, *self.agreeing)

    def narrowed(self, words: tuple[Reading, ...]) -> Unit:
        """The unit with fewer readings as a gender word; with none it is `out`."""
        key = tuple(map(id, words))
        unit = self.variants.get(key)
        if unit is None:
            # what it meets is only ever looked at as an upper bound, and narrowing adds nothing
            unit = self.variants[key] = Unit(
                self.text, self.lower, self.shape, words, self.agreeing, self.meets, not words
            )
        return unit


@dataclass(slots=True, eq=False)
class Sentence:
    """The units of `text`."""

    text: str
    units: list[Unit]
    index: FormIndex
    lexicon: Lexicon
    fitting: Fitting
    table: RuleTable
    # the units that look like gender words and are none here, with the rule that says so
    aside: dict[int, str] = field(default_factory=dict)
    _starts: list[int] = field(default_factory=list)
    _beside: dict[int, int] = field(default_factory=dict)

    def start(self, position: int) -> int:
        """Where a unit begins; looked for only where it is asked, which is at few units."""
        starts, units = self._starts, self.units
        end = starts[-1] + len(units[len(starts) - 1].text) if starts else 0
        for unit in units[len(starts) : position + 1]:
            # between units is nothing but space, so the first place is the right one
            starts.append(self.text.find(unit.text, end))
            end = starts[-1] + len(unit.text)
        return starts[position]

    def end(self, position: int) -> int:
        return self.start(position) + len(self.units[position].text)

    def readings(self, position: int) -> tuple[Reading, ...]:
        """The unit's readings as a gender word and as a word that agrees."""
        return self.units[position].readings

    def met_beside(self, position: int) -> int:
        """What units before and units behind this one meet, as `FiledRule.needs` counts."""
        found = self._beside.get(position)
        if found is None:
            left = right = 0
            for unit in self.units[:position]:
                left |= unit.meets
            for unit in self.units[position + 1 :]:
                right |= unit.meets
            found = self._beside[position] = left | right << self.table.width
        return found

    def set_aside(self, position: int, why: str) -> None:
        """Take a unit for no gender word."""
        self.aside[position] = why
        self.narrow(position, ())

    def narrow(self, position: int, words: tuple[Reading, ...]) -> None:
        """Leave a unit fewer readings as a gender word; with none it is `out`."""
        self.units[position] = self.units[position].narrowed(words)

    def is_initial(self, position: int) -> bool:
        """Whether no letter or digit stands before the unit."""
        return not any(unit.text[:1].isalnum() for unit in self.units[:position])

    def gap(self, position: int) -> str:
        """The characters between a unit and the one before it."""
        return self.text[self.end(position - 1) : self.start(position)]
