"""In which direction the words of a pair change, and what stays that fits one gender only."""

from __future__ import annotations

from collections import defaultdict

from curate.checks.alignment import Alignment, Change
from curate.checks.codes import Finding, finding
from curate.checks.links import FORWARD, REVERSE, Licence
from curate.checks.minimality import show
from curate.checks.pieces import quote
from curate.language import Tokenizer
from curate.lexicon import Lexicon

__all__ = ["ContextWords", "check_direction", "direction"]


def _by_direction(alignment: Alignment) -> dict[int, list[Change]]:
    """The licensed changes that leave no doubt about their direction."""
    found: dict[int, list[Change]] = defaultdict(list)
    for change in alignment.changes:
        link = change.link
        if link is not None and link.kind != "phonetic" and len(link.directions) == 1:
            found[next(iter(link.directions))].append(change)
    return found


def direction(alignment: Alignment) -> int | None:
    """`FORWARD`, `REVERSE`, or None where the changes do not tell or contradict each other."""
    found = _by_direction(alignment)
    return next(iter(found)) if len(found) == 1 else None


def check_direction(alignment: Alignment, a: str, b: str, *, labelled: bool) -> list[Finding]:
    """double-switch; and wrong-side where the sides are `labelled` masculine and feminine."""
    found = _by_direction(alignment)
    if len(found) == 2:
        shown = [show(alignment, a, b, found[way][0]) for way in (FORWARD, REVERSE)]
        return [finding("double-switch", " but ".join(shown))]
    if labelled and REVERSE in found:
        return [finding("wrong-side", show(alignment, a, b, found[REVERSE][0]))]
    return []


class ContextWords:
    """Finds words of context.tsv and monosex names among the pieces that stay."""

    def __init__(self, lexicon: Lexicon, licence: Licence, *, tokenizer: Tokenizer) -> None:
        self._licence = licence
        self._context: dict[str, list[tuple[tuple[str, ...], str]]] = defaultdict(list)
        for word in lexicon.context:
            key = tuple(token.text.lower() for token in tokenizer(word.form))
            if key:
                self._context[key[0]].append((key, word.gender))

    def check(self, alignment: Alignment, a: str) -> list[Finding]:
        """gender-context and gendered-name, at most one finding of each."""
        kept = [i for i, _ in alignment.same]
        keys = [piece.key for piece in alignment.a]
        context, names = [], []
        stays = set(kept)
        for i in kept:
            for key, gender in self._context.get(keys[i], ()):
                width = len(key)
                if tuple(keys[i : i + width]) == key and stays.issuperset(range(i, i + width)):
                    context.append(f"{quote(a, alignment.a[i : i + width])} ({gender})")
            genders = self._licence.name_genders(keys[i])
            if len(genders) == 1 and alignment.a[i].text == alignment.a[i].text.title():
                names.append(f"{quote(a, alignment.a[i : i + 1])} ({next(iter(genders))})")
        found = [finding("gender-context", ", ".join(context))] if context else []
        return found + ([finding("gendered-name", ", ".join(names))] if names else [])
