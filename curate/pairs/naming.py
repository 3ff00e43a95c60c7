"""A name in the place of the pronoun that alone shows a person's gender.

Steinborn et al. (2022), section 3.1: many languages have no gendered pronouns, so a pair that
contrasts *he* and *she* alone is lost in translation; a common name of one gender is not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from curate.checks.alignment import Change
from curate.checks.pieces import Piece
from curate.language import shape
from curate.lexicon.contrast import Contrast
from curate.pairs.contrast import CrowsContrast, Cue
from curate.pairs.name_lists import NameList
from curate.swap.results import Refusal

__all__ = ["Named", "lone_pronoun", "put_names", "put_over", "rename", "shared_name"]

_APOSTROPHES = "'’"


@dataclass(frozen=True, slots=True)
class Named:
    """The sides with their names, in the order they came, and what a person should look at."""

    sides: tuple[str, str]
    notes: tuple[str, ...] = ()


def lone_pronoun(pair: CrowsContrast) -> Cue | None:
    """The first pronoun of a person whose gender pronouns alone show, or None.

    That person is the one of the first change; words that change the other way are somebody
    else's (*he asked his wife* | *she asked her husband*).
    """
    first = pair.cues[0]
    own = [cue for cue in pair.cues if cue.masculine in {first.masculine, None}]
    return first if first.masculine is not None and _only_pronouns(own) else None


def _only_pronouns(cues: Sequence[Cue]) -> bool:
    return all(cue.kind == "pronoun" for cue in cues)


def put_names(
    pair: CrowsContrast, cue: Cue, names: NameList, slot: int, contrast: Contrast
) -> Named:
    """The pair with the names of a slot in place of a pronoun; later pronouns stay.

    Refusal ``no-name-form`` where the pronoun is reflexive, or a possessive in a language whose
    contrast.toml has no form of a name for it.
    """
    assert cue.row is not None
    feats = cue.row.feats.split("|")
    if "Reflex=Yes" in feats:
        raise Refusal("no-name-form", f"{cue.row.masculine}/{cue.row.feminine} is reflexive")
    own = names.of(slot)
    if "Poss=Yes" in feats:
        forms = {gender: contrast.possessive_of(name) for gender, name in own.items()}
        if not all(forms.values()):
            raise Refusal("no-name-form", f"no possessive of {own['masculine']}")
        own = {gender: form or "" for gender, form in forms.items()}
    sides = _replaced(pair, [cue.change], own, cue.masculine)
    return Named(sides, tuple(_notes(pair, cue)))


def shared_name(pair: CrowsContrast, cue: Cue, is_name: Callable[[str], bool]) -> Piece | None:
    """The one given name before a pronoun that both sides share, if there is just one.

    It is read as the person's (*Sam lost his key* | *Sam lost her key*).
    """
    found = [
        pair.alignment.a[i]
        for i, _ in pair.alignment.same
        if i < cue.change.a0
        and shape(pair.alignment.a[i].text) == "Upper"
        and is_name(pair.alignment.a[i].key)
    ]
    return found[0] if len(found) == 1 else None


def put_over(pair: CrowsContrast, cue: Cue, name: Piece, names: NameList, slot: int) -> Named:
    """The pair with the names of a slot over a given name that both sides share."""
    own = names.of(slot)
    sides = []
    for side, text in enumerate(pair.sides):
        new = own["masculine" if side == cue.masculine else "feminine"]
        sides.append(text[: name.start] + new + text[name.end :])
    return Named((sides[0], sides[1]), (f"{name.text} stood on both sides: the same person?",))


def rename(pair: CrowsContrast, names: NameList, slot: int) -> Named | None:
    """The pair with the names of a slot for the given names that differ; None where none does."""
    cues = [cue for cue in pair.cues if cue.kind == "name"]
    ways = {cue.masculine for cue in cues} | {pair.masculine}
    ways.discard(None)
    if not cues or len(ways) != 1:
        return None
    sides = _replaced(pair, [cue.change for cue in cues], names.of(slot), next(iter(ways)))
    return Named(sides)


def _replaced(
    pair: CrowsContrast, changes: Sequence[Change], names: dict[str, str], masculine: int | None
) -> tuple[str, str]:
    sides = []
    for side, text in enumerate(pair.sides):
        name = names["masculine" if side == masculine else "feminine"]
        new = text
        for change in reversed(changes):  # from the end, so that offsets before it hold
            cut = _cut(pair, change, side)
            old = text[cut[0].start : cut[-1].end]
            written = name.upper() if shape(old) == "Caps" else name
            new = new[: cut[0].start] + written + new[cut[-1].end :]
        sides.append(new)
    return sides[0], sides[1]


def _cut(pair: CrowsContrast, change: Change, side: int) -> Sequence[Piece]:
    if side == 0:
        return pair.alignment.a[change.a0 : change.a1]
    return pair.alignment.b[change.b0 : change.b1]


def _notes(pair: CrowsContrast, cue: Cue) -> list[str]:
    notes = []
    before = pair.alignment.a[: cue.change.a0]
    after = pair.alignment.a[cue.change.a1 : cue.change.a1 + 1]
    if after and after[0].text in _APOSTROPHES:
        notes.append("contraction: the name stands before it")
    if any(piece.text[-1:] in ".!?" for piece in before):
        notes.append("not the first sentence: who was meant there?")
    elif len(before) > 1:
        notes.append("not at the beginning: does an earlier noun name the person?")
    return notes
