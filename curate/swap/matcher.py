"""Match a pattern around a unit of a sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from curate.lexicon import Reading
from curate.lexicon.index import NumberedRule
from curate.lexicon.model import NAME_CLASSES
from curate.lexicon.patterns import Atom, Element, Pattern
from curate.swap.sentence import Sentence, Unit

__all__ = ["Match", "atom_readings", "candidates", "match"]

Accept = Callable[[int, Element], bool]


@dataclass(frozen=True, slots=True)
class Match:
    """The units marked ``=`` (with their elements) and ``&`` of a matched pattern."""

    agreeing: tuple[tuple[int, Element], ...]
    seconds: tuple[int, ...]


def candidates(sentence: Sentence, kind: str, at: int) -> list[NumberedRule]:
    """The rules of a kind that may match around unit `at`, in the order of the file."""
    memo = sentence.units[at].memo
    found = memo.rules.get(kind)
    if found is None:
        found = memo.rules[kind] = [
            numbered
            for anchor, rules in sentence.index.rules(kind, sentence.units[at].lower)
            if _fits(sentence, anchor, at)
            for numbered in rules
        ]
        found.sort(key=lambda numbered: numbered.number)
    met = sentence.met
    return [numbered for numbered in found if numbered.needs & met == numbered.needs]


def match(
    sentence: Sentence, pattern: Pattern, anchor: int, accept: Accept | None = None
) -> Match | None:
    """The first match with `pattern`'s anchor at unit `anchor`; `accept` may veto ``=`` units.

    Elements that repeat take as many units as they can.
    """
    if not _may_match(sentence, pattern, anchor):
        return None
    found: list[_Marked] = []
    for elements, start, step in ((pattern.left, anchor - 1, -1), (pattern.right, anchor + 1, 1)):
        if elements and not _Walk(sentence, step, accept, found).go(elements, 0, start, None):
            return None
    if not found:
        return _UNMARKED
    found.sort(key=lambda item: item[0])
    return Match(
        tuple((at, element) for at, element in found if element.mark == "="),
        tuple(at for at, element in found if element.mark == "&"),
    )


_UNMARKED = Match((), ())
_Marked = tuple[int, Element]


class _Round(NamedTuple):
    """A round of a group in a sequence, the one after `rounds` others, from unit `start` on.

    `then` is the round of the group around that sequence, if it stands in one.
    """

    group: Element
    rounds: int
    start: int
    elements: Sequence[Element]
    k: int
    then: _Round | None


@dataclass(slots=True)
class _Walk:
    """A walk along a sequence of elements in one direction; `found` collects the marked units."""

    sentence: Sentence
    step: int
    accept: Accept | None
    found: list[_Marked]

    def go(self, elements: Sequence[Element], k: int, at: int, then: _Round | None) -> bool:
        """Whether the elements from `k` on, and what comes `then`, match from unit `at` on."""
        size = len(self.sentence.units)
        while k < len(elements):
            element = elements[k]
            if element.edge:
                if 0 <= at < size:
                    return False
            elif element.group:
                return self._repeat(_Round(element, 0, at, elements, k, then))
            elif element.least == element.most == 1:
                if not 0 <= at < size or not self._takes(element, at):
                    return False
                if element.mark:
                    self.found.append((at, element))
                at += self.step
            else:
                return self._run(element, at, elements, k, then)
            k += 1
        return then is None or self._resume(then, at)

    def _takes(self, element: Element, at: int) -> bool:
        if not _fits(self.sentence, element, at):
            return False
        return element.mark != "=" or self.accept is None or self.accept(at, element)

    def _run(
        self, element: Element, at: int, elements: Sequence[Element], k: int, then: _Round | None
    ) -> bool:
        """As many units in a row as the element takes, or fewer."""
        step, sentence = self.step, self.sentence
        run = self._longest(element, at)
        if run < element.least:
            return False
        before = len(self.found)
        rest = elements[k + 1 :]
        for taken in range(run, element.least - 1, -1):
            place = at + taken * step
            if not _nearest(sentence, rest, place):
                continue
            if element.mark:
                self.found += [(at + i * step, element) for i in range(taken)]
            if self.go(elements, k + 1, place, then):
                return True
            del self.found[before:]
        return False

    def _longest(self, element: Element, at: int) -> int:
        """How many units in a row, from `at` on, the element takes."""
        step, units = self.step, self.sentence.units
        most = min(element.most, len(units) - at if step > 0 else at + 1)
        if element.is_any:
            return max(most, 0)
        key, negated, closed = id(element.atoms), element.negated, element.closed
        veto = self.accept if element.mark == "=" else None
        for run in range(most):
            place = at + run * step
            unit = units[place]
            if closed is not None:
                fits = unit.lower in closed
            else:
                known = unit.memo.fits.get(key)
                fits = _fits_any(self.sentence, element, place) if known is None else known
            if fits == negated or (veto is not None and not veto(place, element)):
                return run
        return max(most, 0)

    def _repeat(self, this: _Round) -> bool:
        """A group once more, or on with what follows it."""
        before = len(self.found)
        if this.rounds < this.group.most:
            for choice in this.group.group:
                if self.go(choice, 0, this.start, this):
                    return True
                del self.found[before:]
        enough = this.rounds >= this.group.least
        return enough and self.go(this.elements, this.k + 1, this.start, this.then)

    def _resume(self, done: _Round, at: int) -> bool:
        """On from unit `at`, where a round has ended; one that took no unit is the last."""
        if at == done.start:
            return self.go(done.elements, done.k + 1, at, done.then)
        return self._repeat(done._replace(rounds=done.rounds + 1, start=at))


def _may_match(sentence: Sentence, pattern: Pattern, anchor: int) -> bool:
    """A first look at the anchor, its neighbours and the first unit: most patterns fail there."""
    return (
        _fits(sentence, pattern.anchor, anchor)
        and _nearest(sentence, pattern.left, anchor - 1)
        and _nearest(sentence, pattern.right, anchor + 1)
        and (pattern.opening is None or _fits(sentence, pattern.opening, 0))
    )


def _nearest(sentence: Sentence, elements: Sequence[Element], at: int) -> bool:
    """Whether the element beside the anchor can match."""
    if not elements or elements[0].least == 0 or elements[0].group:
        return True
    inside = 0 <= at < len(sentence.units)
    if elements[0].edge:
        return not inside
    return inside and _fits(sentence, elements[0], at)


def _fits(sentence: Sentence, element: Element, at: int) -> bool:
    unit = sentence.units[at]
    if element.closed is not None:
        return (unit.lower in element.closed) != element.negated
    known = unit.memo.fits.get(id(element.atoms))
    if known is None:
        known = _fits_any(sentence, element, at)
    return known != element.negated


def _fits_any(sentence: Sentence, element: Element, at: int) -> bool:
    """Whether a unit fits any of the atoms; remembered for its reading."""
    fits = False
    for atom in element.atoms:
        if _atom_fits(sentence, atom, at):
            fits = True
            break
    sentence.units[at].memo.fits[id(element.atoms)] = fits
    return fits


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
        if reading.feature(name) not in values:
            return False
    return True
