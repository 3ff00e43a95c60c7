"""Words that would have to agree with the person but that no rule tied to it."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from curate.lexicon import Rule
from curate.swap.agreement import Group, with_companion
from curate.swap.evidence import Evidence
from curate.swap.heads import Head
from curate.swap.matcher import atom_readings, match
from curate.swap.results import Refusal
from curate.swap.rules import candidates
from curate.swap.sentence import Sentence

__all__ = ["with_suspects"]


def with_suspects(
    sentence: Sentence, groups: list[Group], evidence: Evidence | None
) -> list[Group]:
    """The groups with the suspects that a parse ties to them; Refusal for what stays open."""
    by_head = {group.head.at: group for group in groups}
    settled = by_head.keys() | {c.at for group in groups for c in group.companions}
    for at, rule in _find_suspects(sentence, [group.head for group in groups], settled):
        refusal = Refusal(rule.code, f"{sentence.units[at].text} ({rule.name})")
        other = evidence.agrees_with(at) if evidence is not None else None
        if evidence is None or other is None:
            raise refusal
        if other not in by_head and not evidence.belongs_to_thing(at):
            raise refusal
        if other in by_head:
            larger = with_companion(sentence, by_head[other], at, "parser")
            if larger is None:
                raise refusal
            by_head[other] = larger
    return list(by_head.values())


def _find_suspects(
    sentence: Sentence, heads: list[Head], settled: Collection[int]
) -> Iterator[tuple[int, Rule]]:
    """The suspects that no `explained` rule accounts for, each with the rule that names it."""
    if not sentence.table.has("suspect"):
        return
    genders = {reading.gender for head in heads for reading in head.readings}
    numbers = {n for head in heads for n in head.numbers} - {""}
    for at, unit in enumerate(sentence.units):
        if at in settled or not unit.text[:1].isalpha():
            continue
        for _, rule, _ in candidates(sentence, "suspect", at):
            if (
                match(sentence, rule.pattern, at)
                and _could_agree(sentence, rule, at, genders, numbers)
                and not _explained(sentence, at)
            ):
                yield at, rule
                break


def _could_agree(
    sentence: Sentence, rule: Rule, at: int, genders: set[str], numbers: set[str]
) -> bool:
    """Whether a reading of the anchor has the old gender and number; unread words may."""
    readings = [r for atom in rule.pattern.anchor.atoms for r in atom_readings(sentence, atom, at)]
    if not any(atom.name and not atom.is_shape for atom in rule.pattern.anchor.atoms):
        return True
    return any(
        reading.gender in genders
        and (not numbers or reading.feats.get("Number") in {None, *numbers})
        for reading in readings
    )


def _explained(sentence: Sentence, at: int) -> bool:
    return any(
        match(sentence, rule.pattern, at) for _, rule, _ in candidates(sentence, "explained", at)
    )
