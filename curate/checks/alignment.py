"""Align the pieces of two sides: which stretches differ, and what licenses each difference."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from curate.checks.links import Link
from curate.checks.pieces import Piece

__all__ = ["Alignment", "Change", "Relate", "align"]

ChangeKind = Literal["same", "licensed", "case", "punctuation", "words"]
Lengths = Callable[[str], set[int]]
Relate = Callable[[Sequence[Piece], Sequence[Piece], str, str], Link | None]

# A cheapest path: equal pieces cost nothing, a licensed change little, anything else about 1 a
# piece. A mark costs a little less than a word, so that of two readings of a move the mark has
# moved; a word set against a mark costs more than leaving one out and putting one in.
_COST = {"word": 0.10, "name": 0.20, "agreement": 0.11, "phonetic": 0.12}
_STRANGERS, _CASE, _FEATURES, _MARK, _WORD, _NEVER = 0.3, 0.4, 0.9, 1.0, 1.001, 2.5
_CELLS = 250_000
_WORD_INTERNAL = frozenset("'’-‐‑")


@dataclass(frozen=True, slots=True)
class Change:
    """Pieces ``a0:a1`` of the first side stand against ``b0:b1`` of the second."""

    kind: ChangeKind
    a0: int
    a1: int
    b0: int
    b1: int
    link: Link | None = None


@dataclass(frozen=True)
class Alignment:
    """All differences in order; `same` are the pairs of indices of pieces that are equal."""

    a: Sequence[Piece]
    b: Sequence[Piece]
    changes: tuple[Change, ...]
    same: tuple[tuple[int, int], ...]

    def licensed(self) -> bool:
        """Whether every difference is licensed."""
        return all(change.kind == "licensed" for change in self.changes)


def align(
    a: Sequence[Piece],
    b: Sequence[Piece],
    *,
    relate: Relate | None = None,
    lengths: Lengths | None = None,
    longest: int = 1,
) -> Alignment:
    """The cheapest alignment of two sides.

    `relate(one, other, next_one, next_other)` gives the link between two stretches, given the
    words after them; `lengths(key)` in how many pieces a form that starts so may run, `longest`
    the most of all. Equal ends are cut off first; if what is left is too large to compare, it is
    one change of kind ``words``.
    """
    head = _common(a, b)
    tail = _common(a[head:][::-1], b[head:][::-1])
    end_a, end_b = len(a) - tail, len(b) - tail
    # A multiword form may begin or end with equal words: give them back on either side.
    back, ahead = min(head, longest - 1), min(tail, longest - 1)
    head, end_a, end_b = head - back, end_a + ahead, end_b + ahead
    if (end_a - head) * (end_b - head) > _CELLS:
        steps = [Change("words", head, end_a, head, end_b)]
    else:
        steps = _Table(a, b, relate, lengths).path(head, end_a, head, end_b)
    same = [(i, i) for i in range(head)]
    same += [(step.a0, step.b0) for step in steps if step.kind == "same"]
    same += [(end_a + i, end_b + i) for i in range(len(a) - end_a)]
    changes = _merged([step for step in steps if step.kind != "same"], a, b)
    return Alignment(a, b, tuple(changes), tuple(same))


def _common(a: Sequence[Piece], b: Sequence[Piece]) -> int:
    count = 0
    for one, other in zip(a, b, strict=False):
        if one.text != other.text or one.key != other.key:
            break
        count += 1
    return count


def _merged(steps: list[Change], a: Sequence[Piece], b: Sequence[Piece]) -> list[Change]:
    """Neighbouring changes of words, or of punctuation, become one.

    An apostrophe or hyphen next to a changed word belongs to that word (*girl* | *girl's*).
    """
    merged: list[Change] = []
    for step in steps:
        last = merged[-1] if merged else None
        if last is None or (last.a1, last.b1) != (step.a0, step.b0):
            merged.append(step)
        elif last.kind == step.kind in {"words", "punctuation"}:
            merged[-1] = Change(step.kind, last.a0, step.a1, last.b0, step.b1)
        elif {last.kind, step.kind} == {"words", "punctuation"} and _joins(
            last if last.kind == "punctuation" else step, a, b
        ):
            merged[-1] = Change("words", last.a0, step.a1, last.b0, step.b1)
        else:
            merged.append(step)
    return merged


def _joins(change: Change, a: Sequence[Piece], b: Sequence[Piece]) -> bool:
    marks = (*a[change.a0 : change.a1], *b[change.b0 : change.b1])
    return all(piece.key in _WORD_INTERNAL for piece in marks)


_Cell = tuple[float, Change | None]


class _Table:
    """The dynamic programme over two stretches of pieces."""

    def __init__(
        self, a: Sequence[Piece], b: Sequence[Piece], relate: Relate | None, lengths: Lengths | None
    ) -> None:
        self._a, self._b = a, b
        self._relate = relate
        self._lengths = lengths or (lambda key: {1})

    def path(self, a0: int, a1: int, b0: int, b1: int) -> list[Change]:
        """The steps of the cheapest path, in order."""
        best: dict[tuple[int, int], _Cell] = {(a0, b0): (0.0, None)}
        for i in range(a0, a1 + 1):
            for j in range(b0, b1 + 1):
                if (i, j) not in best:
                    continue
                cost, _ = best[i, j]
                for extra, step in self._steps(i, j, a1, b1):
                    place = (step.a1, step.b1)
                    if place not in best or cost + extra < best[place][0] - 1e-9:
                        best[place] = (cost + extra, step)
        steps: list[Change] = []
        at = (a1, b1)
        while (last := best[at][1]) is not None:
            steps.append(last)
            at = (last.a0, last.b0)
        return steps[::-1]

    def _steps(self, i: int, j: int, a1: int, b1: int) -> Iterator[tuple[float, Change]]:
        if i < a1 and j < b1:
            one, other = self._a[i], self._b[j]
            if one.key == other.key and (one.part or other.part or one.text == other.text):
                yield 0.0, Change("same", i, i + 1, j, j + 1)
                if max(self._lengths(one.key)) > 1:
                    yield from self._linked(i, j, a1, b1)
                return
            yield from self._linked(i, j, a1, b1)
            if one.key == other.key:
                yield _CASE, Change("case", i, i + 1, j, j + 1)
            elif one.is_punctuation == other.is_punctuation:
                yield _loss(one), Change(_kind(one), i, i + 1, j, j + 1)
            else:
                yield _NEVER, Change("words", i, i + 1, j, j + 1)
        if i < a1:
            yield _loss(self._a[i]), Change(_kind(self._a[i]), i, i + 1, j, j)
        if j < b1:
            yield _loss(self._b[j]), Change(_kind(self._b[j]), i, i, j, j + 1)

    def _linked(self, i: int, j: int, a1: int, b1: int) -> Iterator[tuple[float, Change]]:
        if self._relate is None:
            return
        for p in self._lengths(self._a[i].key):
            for q in self._lengths(self._b[j].key):
                if i + p > a1 or j + q > b1:
                    continue
                link = self._relate(
                    self._a[i : i + p],
                    self._b[j : j + q],
                    _key(self._a, i + p),
                    _key(self._b, j + q),
                )
                if link is not None:
                    yield _cost(link) * max(p, q), Change("licensed", i, i + p, j, j + q, link)


def _cost(link: Link) -> float:
    if not link.same_features:
        return _FEATURES
    return _COST[link.kind] if link.counterparts else _STRANGERS


def _loss(piece: Piece) -> float:
    return _MARK if piece.is_punctuation else _WORD


def _kind(piece: Piece) -> ChangeKind:
    return "punctuation" if piece.is_punctuation else "words"


def _key(cut: Sequence[Piece], at: int) -> str:
    return cut[at].key if at < len(cut) else ""
