"""Match a pattern around a unit of a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from curate.lexicon import Reading
from curate.lexicon.model import NAME_CLASSES
from curate.lexicon.patterns import Atom, Element, Pattern
from curate.swap.sentence import Sentence, Unit

__all__ = ["Match", "atom_readings", "match"]

Accept = Callable[[int, Element], bool]


@dataclass(frozen=True, slots=True)
class Match:
    """The units marked ``=`` (with their elements) and ``&`` of a matched pattern."""

    agreeing: tuple[tuple[int, Element], ...]
    seconds: tuple[int, ...]


def match(
    sentence: Sentence, pattern: Pattern, anchor: int, accept: Accept | None = None
) -> Match | None:
    """The first match with `pattern`'s anchor at unit `anchor`; `accept` may veto ``=`` units."""
    if not _fits(sentence, pattern.anchor, anchor):
        return None
    if not _nearest(sentence, pattern.left, anchor - 1):
        return None
    if not _nearest(sentence, pattern.right, anchor + 1):
        return None
    found: list[tuple[int, Element]] = []
    for elements, start, step in ((pattern.left, anchor - 1, -1), (pattern.right, anchor + 1, 1)):
        if not elements:
            continue
        walk = _Walk(sentence, step, accept)
        way = next(walk.sequence(elements, 0, start), None)
        if way is None:
            return None
        found += way[1]
    found.sort(key=lambda item: item[0])
    return Match(
        tuple((at, element) for at, element in found if element.mark == "="),
        tuple(at for at, element in found if element.mark == "&"),
    )


# where a walk stands next, and the marked units it has passed
_Way = tuple[int, list[tuple[int, Element]]]


@dataclass(slots=True)
class _Walk:
    """All ways to walk a sequence of elements in one direction, longest first."""

    sentence: Sentence
    step: int
    accept: Accept | None

    def sequence(self, elements: Sequence[Element], k: int, at: int) -> Iterator[_Way]:
        if k == len(elements):
            yield at, []
            return
        for place, marked in self._repeat(elements[k], 0, at):
            for end, rest in self.sequence(elements, k + 1, place):
                yield end, marked + rest

    def _repeat(self, element: Element, count: int, at: int) -> Iterator[_Way]:
        if element.edge:
            if not 0 <= at < len(self.sentence.units):
                yield at, []
        elif element.group:
            yield from self._repeat_group(element, count, at)
        else:
            run = self._run(element, at)
            for taken in range(run, element.least - 1, -1):
                marked = (
                    [(at + i * self.step, element) for i in range(taken)] if element.mark else []
                )
                yield at + taken * self.step, marked

    def _run(self, element: Element, at: int) -> int:
        """How many units in a row, from `at` on, the element fits."""
        units, run, place = len(self.sentence.units), 0, at
        while run < element.most and 0 <= place < units and _fits(self.sentence, element, place):
            if element.mark == "=" and self.accept is not None and not self.accept(place, element):
                break
            run += 1
            place += self.step
        return run

    def _repeat_group(self, element: Element, count: int, at: int) -> Iterator[_Way]:
        if count < element.most:
            for choice in element.group:
                for place, marked in self.sequence(choice, 0, at):
                    if place == at:  # a group of edges only
                        yield at, marked
                    else:
                        for end, rest in self._repeat_group(element, count + 1, place):
                            yield end, marked + rest
        if count >= element.least:
            yield at, []


def _nearest(sentence: Sentence, elements: Sequence[Element], at: int) -> bool:
    """Whether the element beside the anchor can match: most patterns fail right there."""
    if not elements or elements[0].least == 0 or elements[0].group:
        return True
    inside = 0 <= at < len(sentence.units)
    if elements[0].edge:
        return not inside
    return inside and _fits(sentence, elements[0], at)


def _fits(sentence: Sentence, element: Element, at: int) -> bool:
    if element.closed is not None:
        return (sentence.units[at].lower in element.closed) != element.negated
    key = (id(element.atoms), at)
    known = sentence.fits.get(key)
    if known is None:
        known = False
        for atom in element.atoms:
            if _atom_fits(sentence, atom, at):
                known = True
                break
        sentence.fits[key] = known
    return known != element.negated


def _atom_fits(sentence: Sentence, atom: Atom, at: int) -> bool:
    if not _fits_alone(sentence, atom, at):
        return False
    return not atom.also or all(_fits_alone(sentence, other, at) for other in atom.also)


def _fits_alone(sentence: Sentence, atom: Atom, at: int) -> bool:
    unit = sentence.units[at]
    if atom.shapes and unit.shape not in atom.shapes:
        return False
    fits = True
    if atom.word:
        fits = unit.lower == atom.word
    elif atom.cls:
        fits = _in_class(sentence, atom.cls, unit)
    elif atom.name in _SHAPE_TESTS:
        fits = _SHAPE_TESTS[atom.name](unit)
    elif atom.name:
        for reading in sentence.readings(at):
            if reading.upos == atom.name and _has_features(reading, atom):
                return True
        return False
    if not fits or not atom.feats:
        return fits
    return any(_has_features(r, atom) for r in sentence.readings(at))


def _in_class(sentence: Sentence, name: str, unit: Unit) -> bool:
    if name in NAME_CLASSES:
        return unit.text in sentence.index.names[NAME_CLASSES[name]]
    grammar = sentence.lexicon.grammar
    lower = unit.lower
    if lower in grammar.classes.get(name, ()):
        return True
    expression = grammar.shapes.get(name)
    if expression is not None:
        return expression.fullmatch(lower) is not None
    expression = grammar.written.get(name)
    return expression is not None and expression.fullmatch(unit.text) is not None


_SHAPE_TESTS: dict[str, Callable[[Unit], bool]] = {
    "Head": lambda unit: bool(unit.words),
    "Out": lambda unit: unit.out,
    "Word": lambda unit: unit.text[:1].isalpha(),
    "Num": lambda unit: unit.text[:1].isdigit(),
    "Punct": lambda unit: not unit.text[:1].isalnum(),
    "Lower": lambda unit: unit.text[:1].isalpha() and unit.shape == "Lower",
    "Upper": lambda unit: unit.shape != "Lower",
}


def atom_readings(sentence: Sentence, atom: Atom, at: int) -> list[Reading]:
    """The unit's readings of the atom's UPOS that have its features."""
    if atom.shapes and sentence.units[at].shape not in atom.shapes:
        return []
    if not all(_fits_alone(sentence, other, at) for other in atom.also):
        return []
    return [
        reading
        for reading in sentence.readings(at)
        if (not atom.name or reading.upos == atom.name) and _has_features(reading, atom)
    ]


def _has_features(reading: Reading, atom: Atom) -> bool:
    for name, values in atom.feats:  # noqa: SIM110 (a loop is twice as fast as a generator)
        if _feature(reading, name) not in values:
            return False
    return True


def _feature(reading: Reading, name: str) -> str:
    """A feature of a reading, or one of ours: Gender, Referent, Kind, Pair, Region."""
    if name == "Gender":
        return reading.gender
    if name in reading.feats:
        return reading.feats[name]
    if reading.row is None:
        return ""
    if name == "Referent":
        return {"masculine": "Masc", "feminine": "Fem"}[reading.referent]
    if name == "Kind":
        return reading.row.kind
    return reading.row.pair if name == "Pair" else ""
