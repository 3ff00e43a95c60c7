"""What must change together: the swapper reads each side and says what it would take along."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from curate.checks.alignment import Alignment
from curate.checks.codes import Finding, finding
from curate.checks.links import Licence
from curate.checks.pieces import Piece, quote
from curate.swap import Mention, Swapper, SwapResult

__all__ = ["check_agreement", "check_phonetics"]


@dataclass(frozen=True, slots=True)
class _Side:
    """One side as cut: the pieces that `stays` on both sides, and the gender `words` that change."""

    text: str
    cut: Sequence[Piece]
    stays: frozenset[int]
    words: frozenset[int]

    def covered(self, start: int, end: int) -> list[int]:
        """The pieces that overlap the code points from `start` to `end`."""
        return [i for i, p in enumerate(self.cut) if p.start < end and p.end > start]

    def phrase(self, left_behind: set[int]) -> set[int]:
        """The pieces from a changed word on, both ways, through others that change or should.

        A contraction ends it: before its preposition another phrase stands.
        """
        reached = set(self.words)
        for step in (-1, 1):
            for word in self.words:
                at = word + step
                while at in left_behind or (self._changes(at) and not self.cut[at].part):
                    reached.add(at)
                    at += step
        return reached

    def _changes(self, at: int) -> bool:
        return 0 <= at < len(self.cut) and at not in self.stays


def check_agreement(
    swapper: Swapper, licence: Licence, alignment: Alignment, a: str, b: str
) -> list[Finding]:
    """agreement and mixed-gender, or other-person where another gender word stays.

    Where a swap of either side gives something else than the other side, a word that the swap
    takes along with a changed word, but that stays in the pair, is a finding; a swap that is
    refused says nothing. If one of the two swaps gives the other side exactly, the other swap is
    believed only next to the changed word.
    """
    one, other = _sides(alignment, a, b)
    results = [swapper.swap(a), swapper.swap(b)]
    exact = [results[0].counterpart == b, results[1].counterpart == a]
    if all(exact):
        return []
    for result, side in zip(results, (one, other), strict=True):
        others = _others(swapper, licence, side)
        found = _left_behind(result, side, others, near=any(exact))
        if found:
            return found
    if any(exact):
        return []
    shown = [f"“{mention.form}” ({mention.gender})" for mention in _staying(swapper, one)]
    return [finding("other-person", ", ".join(shown))] if shown else []


def _sides(alignment: Alignment, a: str, b: str) -> tuple[_Side, _Side]:
    words = [c for c in alignment.changes if c.link is not None and c.link.kind == "word"]
    return (
        _Side(
            a,
            alignment.a,
            frozenset(i for i, _ in alignment.same),
            frozenset(i for change in words for i in range(change.a0, change.a1)),
        ),
        _Side(
            b,
            alignment.b,
            frozenset(j for _, j in alignment.same),
            frozenset(j for change in words for j in range(change.b0, change.b1)),
        ),
    )


def _staying(swapper: Swapper, side: _Side) -> list[Mention]:
    return [
        mention
        for mention in swapper.mentions(side.text)
        if side.stays.issuperset(side.covered(mention.start, mention.end))
    ]


def _others(swapper: Swapper, licence: Licence, side: _Side) -> set[int]:
    """Where relatives start that a possessive attaches to somebody (*her mother*)."""
    staying = {mention.start: mention for mention in _staying(swapper, side)}
    starts = set()
    for start, mention in staying.items():
        at = side.covered(start, mention.end)[0]
        if mention.kind == "kinship" and any(
            licence.is_possessive(side.cut[i].key) and side.cut[i].start not in staying
            for i in range(max(0, at - 2), at)
        ):
            starts.add(start)
    return starts


def _left_behind(result: SwapResult, side: _Side, others: set[int], *, near: bool) -> list[Finding]:
    """The edits of a swap that the pair does not make, beside others that it does make."""
    places = {edit: set(side.covered(edit.start, edit.end)) for edit in result.edits}
    stay = {edit: at for edit, at in places.items() if side.stays.issuperset(at)}
    if len(stay) == len(places):
        return []
    phrase = side.phrase(set().union(*stay.values()))
    missing: dict[str, list[str]] = {"mixed-gender": [], "agreement": []}
    for edit, at in stay.items():
        if edit.rule == "phonetic" or edit.start in others or (near and not at <= phrase):
            continue
        code = "mixed-gender" if edit.rule.startswith("pair") else "agreement"
        missing[code].append(f"“{edit.old}” stays, “{edit.new}” expected")
    return [finding(code, "; ".join(shown)) for code, shown in missing.items() if shown]


def check_phonetics(licence: Licence, alignment: Alignment, a: str, b: str) -> list[Finding]:
    """phonetic: a form right before, or in, a change that does not fit the sound after it."""
    changed = (
        (a, alignment.a, {i for c in alignment.changes for i in range(c.a0, c.a1)}),
        (b, alignment.b, {i for c in alignment.changes for i in range(c.b0, c.b1)}),
    )
    shown = []
    for text, cut, at in changed:
        for i, piece in enumerate(cut[:-1]):
            if i in at or i + 1 in at:
                right = licence.phonetic_mistake(piece.key, cut[i + 1].key)
                if right is not None:
                    shown.append(f"{quote(text, cut[i : i + 2])}: “{right}” expected")
    return [finding("phonetic", "; ".join(shown))] if shown else []
