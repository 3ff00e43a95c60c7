"""What must change together: the swapper reads each side and says what it would take along."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from curate.checks.alignment import Alignment
from curate.checks.codes import Finding, finding
from curate.checks.links import Licence
from curate.checks.pieces import Piece, quote
from curate.genders import other_gender
from curate.swap import Mention, Swapper, SwapResult

__all__ = ["check_agreement", "check_phonetics"]


@dataclass(frozen=True, slots=True)
class _Side:
    """One side as cut; `stays` are the pieces that the other side has too.

    `agreeing` are those that change because they agree with another word.
    """

    text: str
    cut: Sequence[Piece]
    stays: frozenset[int]
    agreeing: frozenset[int]

    def covered(self, start: int, end: int) -> list[int]:
        """The pieces that overlap the code points from `start` to `end`."""
        return [i for i, p in enumerate(self.cut) if p.start < end and p.end > start]


def check_agreement(
    swapper: Swapper,
    licence: Licence,
    alignment: Alignment,
    texts: tuple[str, str],
    *,
    original: int | None = None,
) -> list[Finding]:
    """agreement and mixed-gender, or other-person where another gender word stays.

    Where a swap of a side gives something else than the other side, a word that the swap takes
    along with a changed word, but that stays in the pair, is a finding; a swap that is refused
    says nothing. Both sides are swapped, or the `original` one alone (0 or 1) where it is known:
    that a program cannot find the way back from its own text does not make the text wrong. Where
    the two gender words are no counterparts, the other side's own word is put in.
    """
    sides = _sides(alignment, texts)
    asked = (0, 1) if original is None else (original,)
    exact = True
    for at in asked:
        result = _expected(swapper, alignment, texts, at)
        if result.counterpart == texts[1 - at]:
            continue
        exact = False
        found = _left_behind(result, sides[at], _others(swapper, licence, sides[at]))
        if found:
            return found
    if exact:
        return []
    shown = [f"“{mention.form}” ({mention.gender})" for mention in _staying(swapper, sides[0])]
    return [finding("other-person", ", ".join(shown))] if shown else []


def _expected(
    swapper: Swapper, alignment: Alignment, texts: tuple[str, str], at: int
) -> SwapResult:
    """What the swapper makes of one side, with the gender word that the other side has."""
    other = [c for c in alignment.changes if c.link is not None and not c.link.counterparts]
    if not other:
        return swapper.swap(texts[at])
    spans = (
        (alignment.a, other[0].a0, other[0].a1),
        (alignment.b, other[0].b0, other[0].b1),
    )
    places = [(cut[first].start, cut[last - 1].end) for cut, first, last in spans]
    start, end = places[1 - at]
    for mention in swapper.mentions(texts[at]):
        if mention.start == places[at][0] and len(other) == 1:
            word, gender = texts[1 - at][start:end], other_gender(mention.gender)
            return swapper.fill(texts[at], mention, word, gender)
    return SwapResult(texts[at], None, None, refused="ambiguous-word")


def _sides(alignment: Alignment, texts: tuple[str, str]) -> tuple[_Side, _Side]:
    agreeing = [c for c in alignment.changes if c.link is not None and c.link.kind == "agreement"]
    return (
        _Side(
            texts[0],
            alignment.a,
            frozenset(i for i, _ in alignment.same),
            frozenset(i for change in agreeing for i in range(change.a0, change.a1)),
        ),
        _Side(
            texts[1],
            alignment.b,
            frozenset(j for _, j in alignment.same),
            frozenset(j for change in agreeing for j in range(change.b0, change.b1)),
        ),
    )


def _staying(swapper: Swapper, side: _Side) -> list[Mention]:
    return [
        mention
        for mention in swapper.mentions(side.text)
        if side.stays.issuperset(side.covered(mention.start, mention.end))
    ]


def _others(swapper: Swapper, licence: Licence, side: _Side) -> set[int]:
    """Where relatives start whom a possessive gives to somebody else (*her mother*).

    A possessive that agrees with the relative (*meu pai*) says nothing of that kind.
    """
    staying = {mention.start: mention for mention in _staying(swapper, side)}
    starts = set()
    for start, mention in staying.items():
        at = side.covered(start, mention.end)[0]
        if mention.kind == "kinship" and any(
            licence.is_possessive(side.cut[i].key)
            and side.cut[i].start not in staying
            and i not in side.agreeing
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
            if piece.part == 0 and (i in at or i + 1 in at):
                right = licence.phonetic_mistake(piece.key, cut[i + 1].key)
                if right is not None:
                    shown.append(f"{quote(text, cut[i : i + 2])}: “{right}” expected")
    return [finding("phonetic", "; ".join(shown))] if shown else []
