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
    """One side as cut; `stays` are the pieces that the other side has too."""

    text: str
    cut: Sequence[Piece]
    stays: frozenset[int]

    def covered(self, start: int, end: int) -> list[int]:
        """The pieces that overlap the code points from `start` to `end`."""
        return [i for i, p in enumerate(self.cut) if p.start < end and p.end > start]


def check_agreement(
    swapper: Swapper, licence: Licence, alignment: Alignment, a: str, b: str
) -> list[Finding]:
    """agreement and mixed-gender, or other-person where another gender word stays.

    Where a swap of either side gives the other one, all is well. Where it gives something else, a
    word that the swap takes along with a changed word, but that stays in the pair, is a finding;
    a swap that is refused says nothing.
    """
    one = _Side(a, alignment.a, frozenset(i for i, _ in alignment.same))
    other = _Side(b, alignment.b, frozenset(j for _, j in alignment.same))
    results = [swapper.swap(a), swapper.swap(b)]
    if results[0].counterpart == b or results[1].counterpart == a:
        return []
    for result, side in zip(results, (one, other), strict=True):
        found = _left_behind(result, side, _others(swapper, licence, side))
        if found:
            return found
    shown = [f"“{mention.form}” ({mention.gender})" for mention in _staying(swapper, one)]
    return [finding("other-person", ", ".join(shown))] if shown else []


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


def _left_behind(result: SwapResult, side: _Side, others: set[int]) -> list[Finding]:
    """The edits of a swap that the pair does not make, beside others that it does make."""
    missing: dict[str, list[str]] = {"mixed-gender": [], "agreement": []}
    made = False
    for edit in result.edits:
        if not side.stays.issuperset(side.covered(edit.start, edit.end)):
            made = True
        elif edit.rule != "phonetic" and edit.start not in others:
            code = "mixed-gender" if edit.rule.startswith("pair") else "agreement"
            missing[code].append(f"“{edit.old}” stays, “{edit.new}” expected")
    if not made:
        return []
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
