"""Whether two sides differ in one word, or in what the language makes that word take along."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from curate.checks.alignment import Alignment, Change
from curate.checks.codes import Finding, finding
from curate.checks.links import Licence
from curate.checks.pieces import Piece, quote

__all__ = ["check_minimality", "show"]

_CONTRAST = frozenset({"word", "name", "agreement"})


def show(alignment: Alignment, a: str, b: str, change: Change) -> str:
    """One change as it is written on both sides: ``“the king” | “the queen”``."""
    one = quote(a, alignment.a[change.a0 : change.a1])
    other = quote(b, alignment.b[change.b0 : change.b1])
    return f"{one} | {other}"


def check_minimality(
    alignment: Alignment, a: str, b: str, *, licence: Licence | None, runs: bool = False
) -> list[Finding]:
    """Findings about what differs between two NFC sides.

    Without a `licence` the one change that is allowed is a single word, the same wherever it is
    repeated; `runs`: the pieces are characters, so a word may be several in a row.
    """
    changes = {kind: [c for c in alignment.changes if c.kind == kind] for kind in _KINDS}
    found = _unlicensed(
        alignment,
        a,
        b,
        changes["words"],
        licensed=changes["licensed"],
        runs=runs,
        listed=licence is not None,
    )
    for kind, code in (("punctuation", "changed-punctuation"), ("case", "changed-case")):
        if changes[kind]:
            shown = "; ".join(show(alignment, a, b, change) for change in changes[kind])
            found.append(finding(code, shown))
    if licence is not None:
        found += _licensed(alignment, a, b, changes["licensed"], licence)
    return found + _white_space(alignment, a, b)


_KINDS = ("words", "licensed", "punctuation", "case")


def _unlicensed(
    alignment: Alignment,
    a: str,
    b: str,
    words: list[Change],
    *,
    licensed: list[Change],
    runs: bool,
    listed: bool,
) -> list[Finding]:
    if not words:
        return []
    words = _joined(words) if runs else words
    shown = "; ".join(show(alignment, a, b, change) for change in words)
    distinct = {(_keys(alignment.a[c.a0 : c.a1]), _keys(alignment.b[c.b0 : c.b1])) for c in words}
    contrast = any(c.link is not None and c.link.kind in _CONTRAST for c in licensed)
    one_word = len(distinct) == 1 and all(
        _is_one_word(a, alignment.a[c.a0 : c.a1]) and _is_one_word(b, alignment.b[c.b0 : c.b1])
        for c in words
    )
    if one_word and not contrast:
        return [finding("unknown-contrast", shown)] if listed else []
    return [finding("not-minimal", shown)]


def _is_one_word(text: str, cut: Sequence[Piece]) -> bool:
    """Whether the pieces are written without a space (*Afro-American*, *won't*)."""
    return bool(cut) and not any(char.isspace() for char in text[cut[0].start : cut[-1].end])


def _joined(words: list[Change]) -> list[Change]:
    """Changes of characters with at most one equal character between them are one word."""
    joined = words[:1]
    for change in words[1:]:
        last = joined[-1]
        if change.a0 - last.a1 <= 1 and change.b0 - last.b1 <= 1:
            joined[-1] = Change("words", last.a0, change.a1, last.b0, change.b1)
        else:
            joined.append(change)
    return joined


def _keys(cut: Sequence[Piece]) -> tuple[str, ...]:
    return tuple(piece.key for piece in cut)


def _licensed(
    alignment: Alignment, a: str, b: str, licensed: list[Change], licence: Licence
) -> list[Finding]:
    tests: tuple[tuple[str, Callable[[Change], bool]], ...] = (
        ("changed-features", lambda c: c.link is not None and not c.link.same_features),
        ("not-counterparts", lambda c: c.link is not None and not c.link.counterparts),
        ("changed-case", lambda c: _case_differs(alignment, c, licence)),
    )
    found = []
    for code, holds in tests:
        shown = [show(alignment, a, b, change) for change in licensed if holds(change)]
        if shown:
            found.append(finding(code, "; ".join(shown)))
    kinds = {change.link.kind for change in licensed if change.link is not None}
    if "agreement" in kinds and not kinds & {"word", "name"}:
        shown = [show(alignment, a, b, change) for change in licensed]
        found.append(finding("agreement-only", "; ".join(shown)))
    return found


def _case_differs(alignment: Alignment, change: Change, licence: Licence) -> bool:
    """Whether two forms without a capital of their own are written in different case."""
    one, other = alignment.a[change.a0 : change.a1], alignment.b[change.b0 : change.b1]
    if any(piece.part for piece in (*one, *other)):
        return False
    if not (licence.is_small(_keys(one)) and licence.is_small(_keys(other))):
        return False
    shapes = {piece[0].shape for piece in (one, other)}
    letter = any(len(piece[0].text) == 1 for piece in (one, other))
    return len(shapes) > 1 and not (letter and shapes == {"Upper", "Caps"})


def _white_space(alignment: Alignment, a: str, b: str) -> list[Finding]:
    """Gaps before pieces that stand against each other must be the same on both sides."""
    steps = [(i, i + 1, j, j + 1) for i, j in alignment.same]
    steps += [(c.a0, c.a1, c.b0, c.b1) for c in alignment.changes if c.kind in {"licensed", "case"}]
    steps.sort()
    ends = {(step[1], step[3]) for step in steps} | {(0, 0)}
    for i, _, j, _ in steps:
        if (i, j) not in ends or _elided(alignment, i, j):
            continue
        gap_a, gap_b = _gap(a, alignment.a, i), _gap(b, alignment.b, j)
        if gap_a != gap_b:
            place = quote(a, alignment.a[i : i + 1])
            return [finding("changed-whitespace", f"before {place}: {gap_a!r} | {gap_b!r}")]
    if (len(alignment.a), len(alignment.b)) in ends:
        gap_a, gap_b = (
            _gap(a, alignment.a, len(alignment.a)),
            _gap(b, alignment.b, len(alignment.b)),
        )
        if gap_a != gap_b:
            return [finding("changed-whitespace", f"at the end: {gap_a!r} | {gap_b!r}")]
    return []


def _elided(alignment: Alignment, i: int, j: int) -> bool:
    """Whether the pieces belong to a contraction, or follow an elision on one side."""
    for cut, at in ((alignment.a, i), (alignment.b, j)):
        if cut[at].part == 2 or (at > 0 and cut[at - 1].text[-1] in "'’"):
            return True
    return False


def _gap(text: str, cut: Sequence[Piece], at: int) -> str:
    start = cut[at - 1].end if at else 0
    end = cut[at].start if at < len(cut) else len(text)
    return text[start:end]
