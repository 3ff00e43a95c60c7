"""Every text that the groups of a sentence can become in the other gender."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import NamedTuple

from curate.swap.agreement import Group, spell_out
from curate.swap.evidence import Evidence
from curate.swap.heads import Head
from curate.swap.results import Edit, Refusal
from curate.swap.sentence import Sentence
from curate.swap.surface import Replacement, apply_edits, write_edits

__all__ = ["Spelling", "Targets", "counterparts", "narrow_targets", "spellings"]

MAX_CANDIDATES = 32

# for each head, by index of its readings: (new form, its grammatical gender)
Targets = dict[int, dict[int, tuple[str, str]]]


class Spelling(NamedTuple):
    """The edits that write a counterpart, and the same read from its side."""

    edits: tuple[Edit, ...]
    mirrored: tuple[Edit, ...]


def spellings(sentence: Sentence, groups: list[Group], targets: Targets) -> dict[str, Spelling]:
    """Every distinct text that the groups can become, with its edits."""
    candidates = _join([spell_out(group, targets[group.head.at]) for group in groups])
    if not candidates:
        raise Refusal("agreement-unresolved", "one word would agree with two")
    rules = _rules(groups)
    found: dict[str, Spelling] = {}
    for candidate in candidates:
        edits = write_edits(sentence, _replacements(candidate, rules))
        text, mirrored = apply_edits(sentence.text, edits)
        found.setdefault(text, Spelling(tuple(edits), mirrored))
    return found


def narrow_targets(group: Group, targets: Targets, evidence: Evidence) -> Targets:
    """The head's targets for the readings that a parse allows."""
    own = group.head.readings
    kept = evidence.narrow(group.head.at, own)
    at = group.head.at
    found = {n: form for n, form in targets[at].items() if any(own[n] is r for r in kept)}
    return {at: found or targets[at]}


def counterparts(head: Head, gender: str) -> dict[int, tuple[str, str]]:
    """By reading of the head its form of a gender; Refusal(`no-counterpart`) where none has one."""
    found = {}
    for number, reading in enumerate(head.readings):
        row = reading.row
        if row is not None and row.form(gender):
            found[number] = (row.form(gender), row.grammatical(gender))
    if not found:
        raise Refusal("no-counterpart", head.row.pair)
    return found


def _join(spellings: list[list[dict[int, str]]]) -> list[dict[int, str]]:
    """Every way to write all groups together in which no unit is written twice differently."""
    joined = []
    for choice in itertools.islice(itertools.product(*spellings), MAX_CANDIDATES):
        merged: dict[int, str] = {}
        for part in choice:
            if any(merged.get(at, form) != form for at, form in part.items()):
                break
            merged |= part
        else:
            joined.append(merged)
    return joined


def _rules(groups: list[Group]) -> dict[int, tuple[str, str, str, str]]:
    """By unit: (old form as the lexicon writes it, UPOS, rule, entry)."""
    rules: dict[int, tuple[str, str, str, str]] = {}
    for group in groups:
        entry = group.head.row.pair
        for companion in group.companions:
            old = companion.readings[0]
            rules[companion.at] = (old.form, old.upos, companion.rule, entry)
    for group in groups:
        own = group.head.readings[0]
        why = f"pair ({group.head.why})" if group.head.why else "pair"
        rules[group.head.at] = (own.form, own.upos, why, group.head.row.pair)
    return rules


def _replacements(
    forms: Mapping[int, str], rules: Mapping[int, tuple[str, str, str, str]]
) -> dict[int, Replacement]:
    replacements = {}
    for at, form in forms.items():
        old_form, upos, rule, entry = rules[at]
        if form.lower() != old_form.lower() or " " in form:
            replacements[at] = Replacement(form, old_form, upos, rule, entry)
    return replacements
