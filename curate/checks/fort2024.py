"""The non-minimality rule of Fort et al. 2024, for comparison with their revised CrowS-Pairs.

Lower-case, delete ASCII punctuation, apply the list of equivalents in order, split on white space;
a pair is flagged when more than two word types stand on one side only. Place and repetition do not
count, so double switches pass, and so do pairs with several small changes: this is a compatibility
mode, not a judgement. On the revised English file it flags the 275 rows that its authors list.
"""

from __future__ import annotations

import string
from collections.abc import Sequence
from pathlib import Path

from curate.checks.codes import Finding, finding
from curate.errors import InputError

__all__ = ["Equivalents", "differing_words", "fort2024", "read_equivalents"]

Equivalents = Sequence[tuple[str, str]]

MOST_DIFFERING_WORDS = 2
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


def read_equivalents(path: Path) -> list[tuple[str, str]]:
    """Read ``old,new`` lines; raises InputError with file and line for anything else."""
    try:
        raw = Path(path).read_bytes()
    except OSError as error:
        raise InputError("the list of equivalents cannot be read", where=path) from error
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise InputError("not UTF-8", where=f"{path}:{line}") from error
    pairs = []
    for number, line_text in enumerate(text.splitlines(), start=1):
        if not line_text.strip():
            continue
        cells = [cell.strip() for cell in line_text.split(",")]
        if len(cells) != 2 or not all(cells):
            raise InputError(
                "two words separated by a comma expected", where=f"{path}:{number}", hint="her,his"
            )
        pairs.append((cells[0], cells[1]))
    if not pairs:
        raise InputError("the list of equivalents is empty", where=path)
    return pairs


def _words(text: str, equivalents: Equivalents) -> set[str]:
    plain = f" {text.lower().translate(_NO_PUNCTUATION)} "
    for old, new in equivalents:
        plain = plain.replace(f" {old} ", f" {new} ")
    return set(plain.split())


def differing_words(a: str, b: str, equivalents: Equivalents) -> tuple[list[str], list[str]]:
    """The word types that stand on the first side only, and on the second side only (sorted)."""
    words_a, words_b = _words(a, equivalents), _words(b, equivalents)
    return sorted(words_a - words_b), sorted(words_b - words_a)


def fort2024(a: str, b: str, equivalents: Equivalents) -> list[Finding]:
    """One finding where the rule calls the pair non-minimal, else none; every row counts."""
    only_a, only_b = differing_words(a, b, equivalents)
    if len(only_a) + len(only_b) <= MOST_DIFFERING_WORDS:
        return []
    return [finding("fort2024", f"{' '.join(only_a)} | {' '.join(only_b)}")]
