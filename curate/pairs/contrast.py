"""Whether a pair contrasts binary gender and nothing else, and by which words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from curate.checks import Finding, PairChecker
from curate.checks.alignment import Alignment, Change
from curate.checks.gender import direction
from curate.checks.links import FORWARD, REVERSE
from curate.checks.minimality import show
from curate.checks.pieces import Piece, quote
from curate.language import compatible, expand_features, fold, normalize
from curate.lexicon import Lexicon, PairRow
from curate.lexicon.contrast import Contrast, Key
from curate.swap.results import Refusal

__all__ = ["GENDER", "CrowsContrast", "Cue", "Judge"]

GENDER = "gender"
"""The bias type that is kept."""

_PRONOUNS = frozenset({"pronoun", "possessive"})
_SIDE = {FORWARD: 0, REVERSE: 1}
_BROKEN = ("bad-text", "empty-side", "identical-sides")


@dataclass(frozen=True, slots=True)
class Cue:
    """A change that shows gender: a ``pronoun``, another ``word``, a ``name``.

    `masculine` is the index of the side with the masculine form, None where either may be; `row`
    is the pronoun's in the lexicon.
    """

    change: Change
    kind: str
    masculine: int | None
    row: PairRow | None = None


@dataclass(frozen=True)
class CrowsContrast:
    """A pair that contrasts gender: its sides in NFC, how they align, what shows gender in order.

    `masculine` is the index of the masculine side, None where two people exchange their genders;
    `findings` are those of the checks.
    """

    sides: tuple[str, str]
    alignment: Alignment
    masculine: int | None
    cues: tuple[Cue, ...]
    findings: tuple[Finding, ...]


class Judge:
    """Judges the pairs of one language."""

    def __init__(self, lexicon: Lexicon, contrast: Contrast) -> None:
        self.lexicon = lexicon
        self._contrast = contrast
        self._checker = PairChecker(lexicon, labelled=False)
        self._pronouns = [row for row in lexicon.pairs if row.kind in _PRONOUNS]
        self._longest = max(map(len, [*contrast.anywhere, *contrast.contrasted]), default=1)

    def judge(self, more: str, less: str, *, bias_type: str) -> CrowsContrast:
        """The contrast of a pair; Refusal with the code of what keeps it out.

        ``other-bias-type``; ``no-pair`` (not two texts); the reasons of contrast.toml;
        ``other-contrast`` (the words that differ are no gender words); ``not-minimal`` (more than
        gender differs); ``no-gender`` (nothing tells which side is which).
        """
        if bias_type.strip().lower() != GENDER:
            raise Refusal("other-bias-type", bias_type)
        findings = self._checker.check(more, less)
        evidence = {found.code: found.evidence for found in findings}
        for code in _BROKEN:
            if code in evidence:
                raise Refusal("no-pair", f"{code}: {evidence[code]}")
        a, b = normalize(more), normalize(less)
        alignment = self._checker.align(a, b)
        self._refuse_words(alignment, a, b)
        cues = tuple(self._cues(alignment))
        if not cues:
            words = [show(alignment, a, b, c) for c in alignment.changes if c.kind == "words"]
            raise Refusal("other-contrast" if words else "no-gender", "; ".join(words))
        if "not-minimal" in evidence:
            raise Refusal("not-minimal", evidence["not-minimal"])
        way = direction(alignment)
        if way is None and "double-switch" not in evidence:
            shown = "; ".join(show(alignment, a, b, cue.change) for cue in cues)
            raise Refusal("no-gender", shown)
        masculine = None if way is None else _SIDE[way]
        return CrowsContrast((a, b), alignment, masculine, cues, tuple(findings))

    def _refuse_words(self, alignment: Alignment, a: str, b: str) -> None:
        """Refuse for a word of contrast.toml, on either side."""
        changed = [
            (alignment.a[c.a0 : c.a1], alignment.b[c.b0 : c.b1])
            for c in alignment.changes
            if c.kind == "words"
        ]
        for text, side in ((a, 0), (b, 1)):
            whole = (alignment.a, alignment.b)[side]
            for words, stretches in (
                (self._contrast.anywhere, [whole]),
                (self._contrast.contrasted, [change[side] for change in changed]),
            ):
                for stretch in stretches:
                    for start, end in _spans(len(stretch), self._longest):
                        reason = words.get(_key(stretch[start:end]))
                        if reason is not None:
                            raise Refusal(reason, quote(text, stretch[start:end]))

    def _cues(self, alignment: Alignment) -> Iterator[Cue]:
        for change in alignment.changes:
            link = change.link
            if link is None or link.kind not in {"word", "name"}:
                continue
            ways = list(link.directions)
            masculine = _SIDE[ways[0]] if len(ways) == 1 else None
            row = self._pronoun(alignment, change) if link.kind == "word" else None
            yield Cue(change, "pronoun" if row is not None else link.kind, masculine, row)

    def _pronoun(self, alignment: Alignment, change: Change) -> PairRow | None:
        """The row of a third-person pronoun whose two forms stand against each other."""
        one = _key(alignment.a[change.a0 : change.a1])
        other = _key(alignment.b[change.b0 : change.b1])
        for row in self._pronouns:
            forms = {(fold(row.masculine),), (fold(row.feminine),)}
            if one != other and {one, other} == forms and _is_personal(row):
                return row
        return None


def _is_personal(row: PairRow) -> bool:
    return any(
        compatible(feats, personal)
        for feats in expand_features(row.feats)
        for personal in expand_features("Person=3|PronType=Prs")
    )


def _key(cut: Sequence[Piece]) -> Key:
    return tuple(piece.key for piece in cut)


def _spans(size: int, longest: int) -> Iterator[tuple[int, int]]:
    for start in range(size):
        for end in range(start + 1, min(size, start + longest) + 1):
            yield start, end
