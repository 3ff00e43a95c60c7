"""Checks that need no language: what a side is made of."""

from __future__ import annotations

from curate.checks.codes import Finding, finding
from curate.language import NO_TEXT, normalize

__all__ = ["LONGEST_SIDE", "check_text", "is_checkable"]

LONGEST_SIDE = 1_000_000
"""Bytes of UTF-8 above which a side is refused unread."""

_STOP = frozenset({"bad-text", "empty-side", "identical-sides"})


def _bad_text(side: str, name: str) -> list[Finding]:
    size = len(side) if side.isascii() else len(side.encode("utf-8", "surrogatepass"))
    if size > LONGEST_SIDE:
        return [finding("bad-text", f"{name}: {size} bytes, at most {LONGEST_SIDE}")]
    bad = NO_TEXT.search(side)
    if bad:
        return [finding("bad-text", f"{name}: U+{ord(bad.group()):04X} at {bad.start()}")]
    return []


def check_text(
    a: str, b: str, *, names: tuple[str, str] = ("masculine", "feminine")
) -> list[Finding]:
    """bad-text, empty-side, identical-sides and not-nfc for the two sides of a row."""
    found: list[Finding] = []
    for side, name in ((a, names[0]), (b, names[1])):
        found += _bad_text(side, name)
        if not side.strip():
            found.append(finding("empty-side", name))
    if any(item.code == "bad-text" for item in found):
        return found
    for side, name in ((a, names[0]), (b, names[1])):
        if normalize(side) != side:
            found.append(finding("not-nfc", name))
    if a.strip() and normalize(a) == normalize(b):
        found.append(finding("identical-sides", a))
    return found


def is_checkable(found: list[Finding]) -> bool:
    """Whether the sides are two different texts, so that they can be compared."""
    return not any(item.code in _STOP for item in found)
