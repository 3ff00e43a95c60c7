"""Which units fit which elements of a pattern."""

from __future__ import annotations

import re
from collections.abc import Callable, Container

from curate.lexicon import FormIndex, Lexicon, Reading
from curate.lexicon.model import NAME_CLASSES
from curate.lexicon.patterns import Atom, Element
from curate.swap.sentence import Unit

__all__ = ["Fitting", "reading_fits"]


class Fitting:
    """The tests of one language's patterns; what fits a unit is remembered with the unit."""

    def __init__(self, lexicon: Lexicon, index: FormIndex) -> None:
        self._classes = lexicon.grammar.classes
        self._open = _open_classes(lexicon, index)
        # by id of the atoms of an element, of which a grammar has a few hundred
        self._split: dict[int, tuple[frozenset[str], list[Atom]]] = {}

    def fits(self, unit: Unit, element: Element) -> bool:
        if element.closed is not None:
            return (unit.lower in element.closed) != element.negated
        known = unit.fits.get(id(element.atoms))
        if known is None:
            known = self.learn(unit, element.atoms)
        return known != element.negated

    def learn(self, unit: Unit, atoms: tuple[Atom, ...]) -> bool:
        """Whether a unit fits any of the atoms; equal atoms are one object, so their id will do."""
        known = self._split.get(id(atoms))
        if known is None:
            known = self._split[id(atoms)] = self._words_and_rest(atoms)
        words, rest = known
        fits = unit.lower in words
        if not fits:
            for atom in rest:
                if self._fits_alone(unit, atom) and (
                    not atom.also or all(self._fits_alone(unit, other) for other in atom.also)
                ):
                    fits = True
                    break
        unit.fits[id(atoms)] = fits
        return fits

    def _words_and_rest(self, atoms: tuple[Atom, ...]) -> tuple[frozenset[str], list[Atom]]:
        """What lists of words alone tell of the atoms, as one list, and the atoms that ask more."""
        words: set[str] = set()
        rest = []
        for atom in atoms:
            bare = not (atom.feats or atom.shapes or atom.also)
            if bare and atom.word:
                words.add(atom.word)
            elif bare and atom.cls and self.open_test(atom) is None:
                words |= self._classes.get(atom.cls, frozenset())
            else:
                rest.append(atom)
        return frozenset(words), rest

    def readings(self, unit: Unit, atom: Atom) -> list[Reading]:
        """The unit's readings of the atom's UPOS that have its features."""
        if atom.shapes and unit.shape not in atom.shapes:
            return []
        if not all(self._fits_alone(unit, other) for other in atom.also):
            return []
        return [
            reading
            for reading in unit.readings
            if (not atom.name or reading.upos == atom.name) and reading_fits(reading, atom)
        ]

    def _fits_alone(self, unit: Unit, atom: Atom) -> bool:
        if atom.shapes and unit.shape not in atom.shapes:
            return False
        upos = "" if atom.is_shape else atom.name
        if not upos:
            fits = self._in_class(atom, unit)
            if not fits or not atom.feats:
                return fits
        for reading in unit.readings:
            if (not upos or reading.upos == upos) and reading_fits(reading, atom):
                return True
        return False

    def _in_class(self, atom: Atom, unit: Unit) -> bool:
        """Whether a unit is the word, in the class or of the shape that an atom names, if any."""
        if atom.word:
            return unit.lower == atom.word
        if atom.cls and unit.lower in self._classes.get(atom.cls, ()):
            return True
        test = self.open_test(atom)
        return test(unit) if test is not None else not atom.cls

    def open_test(self, atom: Atom) -> Callable[[Unit], bool] | None:
        """The test of a class or shape that no list of words tells; None where there is none."""
        return self._open.get(atom.cls) if atom.cls else _SHAPE_TESTS.get(atom.name)


def _open_classes(lexicon: Lexicon, index: FormIndex) -> dict[str, Callable[[Unit], bool]]:
    """The tests of classes that expressions or names.tsv tell; letter case counts in the latter."""
    tests = {name: _written_as(e) for name, e in lexicon.grammar.written.items()}
    for name, expression in lexicon.grammar.shapes.items():
        tests[name] = _shaped_as(expression)
    for name, gender in NAME_CLASSES.items():
        tests[name] = _one_of(index.names[gender])
    return tests


def _written_as(expression: re.Pattern[str]) -> Callable[[Unit], bool]:
    match = expression.fullmatch
    return lambda unit: match(unit.text) is not None


def _shaped_as(expression: re.Pattern[str]) -> Callable[[Unit], bool]:
    match = expression.fullmatch
    return lambda unit: match(unit.lower) is not None


def _one_of(names: Container[str]) -> Callable[[Unit], bool]:
    return lambda unit: unit.text in names


_SHAPE_TESTS: dict[str, Callable[[Unit], bool]] = {
    "Head": lambda unit: bool(unit.words),
    "Out": lambda unit: unit.out,
    "Word": lambda unit: unit.text[:1].isalpha(),
    "Num": lambda unit: unit.text[:1].isdigit(),
    "Punct": lambda unit: not unit.text[:1].isalnum(),
    "Lower": lambda unit: unit.text[:1].isalpha() and unit.shape == "Lower",
    "Upper": lambda unit: unit.shape != "Lower",
}


def reading_fits(reading: Reading, atom: Atom) -> bool:
    """Whether a reading has the atom's features."""
    for name, values in atom.feats:  # noqa: SIM110 (a loop is twice as fast as a generator)
        if reading.feature(name) not in values:
            return False
    return True
