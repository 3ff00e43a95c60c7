"""A pattern's sides as walks: functions that call one another, made once for each pattern.

A walk goes from a unit next to the anchor outwards, takes units for one element after the other,
and comes back to try fewer where what follows does not match. Elements that repeat take as many
units as they can. As functions that know their element, walks are twice as fast as a loop that
looks at each element anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from curate.lexicon.patterns import Atom, Element
from curate.swap.sentence import Unit

__all__ = ["Walk", "Walker", "make_walker"]


@dataclass(slots=True)
class Walk:
    """A walk through `units`; `found`: the marked units on its way, with their elements.

    `learn` tells whether a unit fits some atoms, `accept` may veto the units marked ``=``.
    """

    units: Sequence[Unit]
    learn: Callable[[Unit, tuple[Atom, ...]], bool]
    accept: Callable[[int, Element], bool] | None
    found: list[tuple[int, Element]] = field(default_factory=list)


# what comes after a round of a group, from a unit on
_Then = Callable[[Walk, int], bool]
# whether a walk can go on from a unit on, and then as it must
Walker = Callable[[Walk, int, _Then | None], bool]


def _arrive(walk: Walk, at: int, then: _Then | None) -> bool:
    return then is None or then(walk, at)


def make_walker(elements: Sequence[Element], step: int, rest: Walker = _arrive) -> Walker:
    """The walk along `elements` (the nearest first), and then `rest`.

    `step`: -1 to the left, 1 to the right.
    """
    walker = rest
    for element in reversed(elements):
        if element.edge:
            walker = _edge(walker)
        elif element.group:
            walker = (_choice if element.most == 1 else _rounds)(element, step, walker)
        elif element.least == element.most == 1:
            walker = _one(element, step, walker)
        else:
            walker = _run(element, step, walker)
    return walker


def _edge(rest: Walker) -> Walker:
    """Before the first unit, or behind the last."""

    def edge(walk: Walk, at: int, then: _Then | None) -> bool:
        return not 0 <= at < len(walk.units) and rest(walk, at, then)

    return edge


def _one(element: Element, step: int, rest: Walker) -> Walker:
    """Exactly one unit."""
    takes = _test(element)

    def one(walk: Walk, at: int, then: _Then | None) -> bool:
        if at < 0 or at >= len(walk.units) or not takes(walk, at):
            return False
        return rest(walk, at + step, then)

    def one_marked(walk: Walk, at: int, then: _Then | None) -> bool:
        if at < 0 or at >= len(walk.units) or not takes(walk, at):
            return False
        walk.found.append((at, element))
        return rest(walk, at + step, then)

    return one_marked if element.mark else one


def _run(element: Element, step: int, rest: Walker) -> Walker:
    """As many units in a row as the element takes, or fewer."""
    takes, least, most, marked = _test(element), element.least, element.most, bool(element.mark)

    def run(walk: Walk, at: int, then: _Then | None) -> bool:
        limit = min(most, len(walk.units) - at if step > 0 else at + 1)
        taken = 0
        if element.is_any:
            taken = max(limit, 0)
        else:
            while taken < limit and takes(walk, at + taken * step):
                taken += 1
        found = walk.found
        before = len(found)
        while taken >= least:
            if marked:
                found += [(at + i * step, element) for i in range(taken)]
            if rest(walk, at + taken * step, then):
                return True
            del found[before:]
            taken -= 1
        return False

    return run


def _choice(element: Element, step: int, rest: Walker) -> Walker:
    """One of several sequences, or none where the group can be left out."""
    ways = [make_walker(choice, step, rest) for choice in element.group]
    if element.least == 0:
        ways.append(rest)

    def choice(walk: Walk, at: int, then: _Then | None) -> bool:
        before = len(walk.found)
        for way in ways:
            if way(walk, at, then):
                return True
            del walk.found[before:]
        return False

    return choice


def _rounds(element: Element, step: int, rest: Walker) -> Walker:
    """One of several sequences, as often as the group repeats."""
    choices = [make_walker(choice, step) for choice in element.group]
    least, most = element.least, element.most

    def rounds(walk: Walk, at: int, then: _Then | None, done: int) -> bool:
        """A round after `done` others, or on with what follows the group."""

        def after(walk: Walk, end: int) -> bool:
            if end == at:  # a round that took no unit is the last
                return rest(walk, end, then)
            return rounds(walk, end, then, done + 1)

        if done < most:
            before = len(walk.found)
            for choice in choices:
                if choice(walk, at, after):
                    return True
                del walk.found[before:]
        return done >= least and rest(walk, at, then)

    return lambda walk, at, then: rounds(walk, at, then, 0)


def _test(element: Element) -> Callable[[Walk, int], bool]:
    """Whether an element takes the unit at a place."""
    atoms, key, negated = element.atoms, id(element.atoms), element.negated
    closed = element.closed or frozenset()

    def is_one_of(walk: Walk, at: int) -> bool:
        return (walk.units[at].lower in closed) != negated

    def takes(walk: Walk, at: int) -> bool:
        unit = walk.units[at]
        known = unit.fits.get(key)
        return (walk.learn(unit, atoms) if known is None else known) != negated

    test = takes if element.closed is None else is_one_of

    def accepted(walk: Walk, at: int) -> bool:
        return test(walk, at) and (walk.accept is None or walk.accept(at, element))

    return accepted if element.mark == "=" else test
