"""Words that would have to agree with the person but that no rule tied to it."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from curate.lexicon import Rule
from curate.swap.heads import Head
from curate.swap.matcher import atom_readings, candidates, match
from curate.swap.sentence import Sentence

__all__ = ["find_suspects"]


def find_suspects(
    sentence: Sentence, heads: list[Head], settled: Collection[int]
) -> Iterator[tuple[int, Rule]]:
    """The suspects that no `explained` rule accounts for, each with the rule that names it."""
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
