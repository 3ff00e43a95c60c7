"""The rules of a language, filed by what they ask of a sentence: most are never tried.

A rule is tried around a unit only if the unit fits its anchor, and only if something before it and
something behind it could be what the rule's pattern cannot do without (its needs). What a unit is
good for is worked out once, as bits, and a sentence's bits are those of its units together. The
bits are an upper bound: a unit that meets a need may still not fit, one that does not never fits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from curate.lexicon import FormIndex, Lexicon, Reading, Rule
from curate.lexicon.filing import NumberedRule
from curate.lexicon.model import NAME_CLASSES
from curate.lexicon.patterns import Atom, Element
from curate.swap.fitting import Fitting, reading_fits
from curate.swap.sentence import Sentence, Unit
from curate.swap.shapes import ShapeBits
from curate.swap.walks import Walker

__all__ = ["LONGER", "NAME", "SOUNDING", "FiledRule", "RuleTable", "candidates"]

# the first bits: the unit may begin a gender word of several tokens; may stand for another form
# before some sound; is a given name
LONGER, SOUNDING, NAME = 1, 2, 4
_FIRST_NEED = 8

MAX_FEATURES = 8192  # bundles of features that are known by identity
MAX_CHOICES = 256  # combinations of needs met that are kept for a kind of rules and a unit

# names of atoms that nearly every sentence fits, or that a unit may come to fit in its context
_COMMON = frozenset({"Out", "Word", "Punct", "Lower", "Upper"})

# a need: elements of which a unit must fit one
_Need = tuple[Element, ...]


class FiledRule(NamedTuple):
    """A rule with its number among those of its kind, and what must stand beside its anchor.

    `needs`: bits for what must stand before it and, shifted by the table's width, behind it.
    """

    number: int
    rule: Rule
    needs: int


class Around:
    """The rules of a kind around a unit, in the order of the file.

    `needs`: all that any of them needs; `choices`: the rules that may match, by what of it is met.
    """

    __slots__ = ("choices", "needs", "rules")

    def __init__(self, rules: list[FiledRule]) -> None:
        self.rules = rules
        self.needs = 0
        for rule in rules:
            self.needs |= rule.needs
        self.choices: dict[int, list[FiledRule]] = {}


class RuleTable:
    """The rules of one language, with what each needs, and what units are good for."""

    def __init__(self, lexicon: Lexicon, index: FormIndex, fitting: Fitting) -> None:
        self._index = index
        self._grammar = lexicon.grammar
        self._fitting = fitting
        self._names = frozenset().union(*index.names.values())
        self._bits: dict[tuple[object, ...], int] = {}
        self._by_word: dict[str, int] = defaultdict(int)
        # needs that no list of words tells, with their bits: open classes and shapes (by class and
        # name, as a class may be called like a shape), and atoms that ask for a reading
        self._tested: dict[tuple[str, str], tuple[Callable[[Unit], bool], int]] = {}
        self._read: list[tuple[Atom, int]] = []
        self._by_reading: dict[tuple[object, ...], int] = {}
        self._by_feats: dict[tuple[str, str, int], tuple[int, Reading]] = {}
        # the expressions of shapes, by class; by id of the index's lists, their rules with needs
        self._shaped: dict[str, int] = {}
        self._filed: dict[int, list[FiledRule]] = {}
        needed = [
            (rule, self._needed(rule.pattern.left), self._needed(rule.pattern.right))
            for rules in self._grammar.rules.values()
            for rule in rules
        ]
        self._anchors = {
            id(rule.pattern.anchor.atoms): self._needed([rule.pattern.anchor])
            for rule, _, _ in needed
            if not rule.pattern.anchor.negated
        }
        self.width = len(self._bits) + _FIRST_NEED.bit_length()
        self._needs = {id(rule): left | right << self.width for rule, left, right in needed}
        shapes = self._grammar.shapes
        self._shapes = ShapeBits((shapes[cls], bits) for cls, bits in self._shaped.items())
        # by id of a pattern, made when the pattern is first tried: left and right
        self.walks: dict[int, tuple[Walker, Walker]] = {}

    def has(self, kind: str) -> bool:
        """Whether there is any rule of a kind."""
        return bool(self._grammar.rules.get(kind))

    def around(self, kind: str, unit: Unit) -> Around:
        """The rules of a kind whose anchor the unit fits."""
        found = []
        for anchor, rules in self._index.rules(kind, unit.lower):
            needs = 0 if anchor.negated else self._anchors[id(anchor.atoms)]
            if needs & unit.meets == needs and self._fitting.fits(unit, anchor):
                found += self._filed.get(id(rules)) or self._file(rules)
        found.sort(key=lambda rule: rule.number)
        return Around(found)

    def _file(self, rules: list[NumberedRule]) -> list[FiledRule]:
        filed = [FiledRule(number, rule, self._needs[id(rule)]) for number, rule in rules]
        self._filed[id(rules)] = filed
        return filed

    def meets(self, unit: Unit) -> int:
        """What a unit is good for, as bits."""
        met = self._by_word.get(unit.lower, 0) | self._shapes.of(unit.lower)
        if self._index.longest.get(unit.lower, 1) > 1:
            met |= LONGER
        if self._index.sounds.bases(unit.lower):
            met |= SOUNDING
        if unit.text in self._names:
            met |= NAME
        for test, bits in self._tested.values():
            if test(unit):
                met |= bits
        for reading in unit.readings:
            met |= self._met_alike(reading)
        return met

    def _met_alike(self, reading: Reading) -> int:
        """The needs that a unit meets by a reading: worked out once for all that say the same.

        Words that only agree share their features, so that these are known by identity; the reading
        that stands beside keeps them alive.
        """
        shared = reading.upos, reading.gender, id(reading.feats)
        if reading.row is None and (found := self._by_feats.get(shared)):
            return found[0]
        row = reading.row
        key = (
            reading.upos, reading.gender, *reading.feats.items(), reading.referent,
            row and row.kind, row and row.pair,
        )  # fmt: skip
        met = self._by_reading.get(key)
        if met is None:
            met = self._by_reading[key] = self._met_by(reading)
        if row is None:
            if len(self._by_feats) >= MAX_FEATURES:
                self._by_feats.clear()
            self._by_feats[shared] = met, reading
        return met

    def _met_by(self, reading: Reading) -> int:
        """The needs that a unit meets by a reading."""
        met = 0
        for atom, bit in self._read:
            if atom.name in {"", reading.upos} and reading_fits(reading, atom):
                met |= bit
        return met

    def _needed(self, elements: Sequence[Element]) -> int:
        """The bits of what a side of a pattern cannot do without."""
        needs = 0
        for need in filter(None, map(_need, elements)):
            needs |= self._bit(need)
        return needs

    def _bit(self, need: _Need) -> int:
        key = tuple(element.words or id(element.atoms) for element in need)
        if key not in self._bits:
            bit = self._bits[key] = _FIRST_NEED << len(self._bits)
            for word in frozenset().union(*(element.words or () for element in need)):
                self._by_word[word] |= bit
            for atom in (a for element in need if element.words is None for a in element.atoms):
                self._offer(atom, bit)
        return self._bits[key]

    def _offer(self, atom: Atom, bit: int) -> None:
        """Note that a unit which fits the atom meets a need."""
        if atom.word:
            self._by_word[atom.word] |= bit
        for word in self._grammar.classes.get(atom.cls, ()):
            self._by_word[word] |= bit
        test = self._fitting.open_test(atom)
        if atom.cls in self._grammar.shapes and atom.cls not in NAME_CLASSES:
            self._shaped[atom.cls] = bit | self._shaped.get(atom.cls, 0)
        elif test is not None:
            key = (atom.cls, atom.name)
            self._tested[key] = (test, bit | self._tested.get(key, (test, 0))[1])
        elif not atom.word and not atom.cls:
            self._read.append((atom, bit))


def candidates(sentence: Sentence, kind: str, at: int) -> list[FiledRule]:
    """The rules of a kind that may match around unit `at`, in the order of the file."""
    unit = sentence.units[at]
    around = unit.rules.get(kind)
    if around is None:
        around = unit.rules[kind] = sentence.table.around(kind, unit)
    if not around.needs:
        return around.rules
    met = sentence.met_beside(at) & around.needs
    found = around.choices.get(met)
    if found is None:
        if len(around.choices) >= MAX_CHOICES:
            around.choices.clear()
        found = [rule for rule in around.rules if rule.needs & met == rule.needs]
        around.choices[met] = found
    return found


def _need(element: Element) -> _Need | None:
    """The elements of which one must fit a unit, or None where the pattern can do without."""
    if element.negated or element.edge or element.least == 0:
        return None
    if not element.group:
        telling = element.words is not None or all(map(_is_telling, element.atoms))
        return (element,) if telling and element.atoms else None
    either: list[Element] = []
    for choice in element.group:
        need = _first(map(_need, choice))
        if need is None:
            return None
        either += need
    return tuple(either)


def _first(needs: Iterable[_Need | None]) -> _Need | None:
    return next((need for need in needs if need), None)


def _is_telling(atom: Atom) -> bool:
    """Whether few units fit an atom, and none comes to fit it by what its context takes away."""
    if "Out" in {atom.name, *(other.name for other in atom.also)}:
        return False
    return bool(atom.feats or atom.cls or atom.word or (atom.name and atom.name not in _COMMON))
