"""Match a pattern around a unit of a sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from curate.lexicon import Reading
from curate.lexicon.patterns import Atom, Element, Pattern
from curate.swap.sentence import Sentence
from curate.swap.walks import Walk, make_walker

__all__ = ["Match", "atom_readings", "match"]

Accept = Callable[[int, Element], bool]


class Match(NamedTuple):
    """The units marked ``=`` (with their elements) and ``&`` of a matched pattern."""

    agreeing: tuple[tuple[int, Element], ...]
    seconds: tuple[int, ...]


_UNMARKED = Match((), ())


def match(
    sentence: Sentence, pattern: Pattern, anchor: int, accept: Accept | None = None
) -> Match | None:
    """The first match with `pattern`'s anchor at unit `anchor`; `accept` may veto ``=`` units.

    The anchor fits, or the pattern's rule would not be a candidate.
    """
    fits = sentence.fitting.fits
    if pattern.opening is not None and not fits(sentence.units[0], pattern.opening):
        return None
    left, right = pattern.left, pattern.right
    if left and right and not _nearest(sentence, right, anchor + 1):
        return None
    walks = sentence.table.walks
    known = walks.get(id(pattern))
    if known is None:
        known = walks[id(pattern)] = (make_walker(left, -1), make_walker(right, 1))
    walk = Walk(sentence.units, sentence.fitting.learn, accept)
    if (left and not known[0](walk, anchor - 1, None)) or (
        right and not known[1](walk, anchor + 1, None)
    ):
        return None
    found = walk.found
    if not found:
        return _UNMARKED
    found.sort(key=lambda item: item[0])
    return Match(
        tuple((at, element) for at, element in found if element.mark == "="),
        tuple(at for at, element in found if element.mark == "&"),
    )


def _nearest(sentence: Sentence, elements: Sequence[Element], at: int) -> bool:
    """Whether the element beside the anchor can match: most patterns fail there."""
    if elements[0].least == 0 or elements[0].group:
        return True
    inside = 0 <= at < len(sentence.units)
    if elements[0].edge:
        return not inside
    return inside and sentence.fitting.fits(sentence.units[at], elements[0])


def atom_readings(sentence: Sentence, atom: Atom, at: int) -> list[Reading]:
    """The unit's readings of the atom's UPOS that have its features."""
    return sentence.fitting.readings(sentence.units[at], atom)
