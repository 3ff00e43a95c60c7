"""What agrees with a gender word, and how the group reads in the other gender."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from curate.genders import GENDERS
from curate.lexicon import Reading
from curate.lexicon.patterns import Element
from curate.swap.heads import Head
from curate.swap.matcher import atom_readings, match
from curate.swap.results import Refusal
from curate.swap.rules import candidates
from curate.swap.sentence import Sentence

__all__ = ["Companion", "Group", "find_group", "settle", "spell_out", "with_companion"]


class Companion(NamedTuple):
    """A unit that agrees with a gender word, in the features `share`."""

    at: int
    readings: tuple[Reading, ...]
    share: frozenset[str]
    rule: str


class Group(NamedTuple):
    head: Head
    companions: tuple[Companion, ...]


def find_group(sentence: Sentence, head: Head) -> Group:
    """The head with everything that the `agree` rules tie to it (first rule wins per unit)."""
    companions: dict[int, Companion] = {}
    for _, rule, _ in candidates(sentence, "agree", head.at):
        share = rule.share

        def accept(at: int, element: Element, share: frozenset[str] = share) -> bool:
            return bool(_agreeing(sentence, head, at, element, share))

        found = match(sentence, rule.pattern, head.at, accept)
        if found is None:
            continue
        for at, element in found.agreeing:
            if at not in companions:
                readings = _agreeing(sentence, head, at, element, share)
                companions[at] = Companion(at, tuple(readings), share, rule.name)
    return Group(head, tuple(companions[at] for at in sorted(companions)))


def with_companion(sentence: Sentence, group: Group, at: int, why: str) -> Group | None:
    """The group with one unit more, of the head's gender and number; None where it cannot agree."""
    head, share = group.head, frozenset({"Number"})
    readings = [
        reading
        for reading in sentence.units[at].agreeing
        if reading.gender and any(_agree(reading, own, share) for own in head.readings)
    ]
    if not readings:
        return None
    found = (*group.companions, Companion(at, tuple(readings), share, why))
    return Group(head, tuple(sorted(found, key=lambda companion: companion.at)))


def _agreeing(
    sentence: Sentence, head: Head, at: int, element: Element, share: frozenset[str]
) -> list[Reading]:
    found: dict[int, Reading] = {}
    for atom in element.atoms:
        for reading in atom_readings(sentence, atom, at):
            if reading.row is None:
                found[id(reading)] = reading
    return [
        reading
        for reading in found.values()
        if any(_agree(reading, own, share) for own in head.readings)
    ]


def _agree(reading: Reading, head: Reading, share: frozenset[str]) -> bool:
    if reading.gender and reading.gender != head.gender:
        return False
    return _features_agree(reading, head.feats, share)


def _features_agree(reading: Reading, bundle: Mapping[str, str], share: frozenset[str]) -> bool:
    feats = reading.feats
    return all(name not in feats or bundle.get(name, feats[name]) == feats[name] for name in share)


def settle(sentence: Sentence, head: Head) -> bool:
    """Settle a word that need not be a gender word, or has one form for both genders.

    What agrees with it decides. False where it turns out to be no gender word here; raises
    Refusal(`ambiguous-word`) where it stays open.
    """
    doubtful = head.doubtful
    if doubtful:
        sure = len(head.readings) - len(doubtful)
        if sure:
            _keep_consistent(sentence, head)
        left = len(head.doubtful)
        if sure and left == len(head.readings):
            return False
        if left:
            raise Refusal("ambiguous-word", sentence.units[head.at].text)
    return len(head.genders) == 1 or _resolve_gender(sentence, head)


def _keep_consistent(sentence: Sentence, head: Head) -> None:
    """Drop the readings that what agrees with the word rules out."""
    companions = find_group(sentence, head).companions
    kept = [
        reading
        for reading in head.readings
        if any(_companion_forms(companions, 0, dict(reading.feats), reading, reading.gender))
    ]
    head.readings = kept or head.readings


def _resolve_gender(sentence: Sentence, head: Head) -> bool:
    """One form for both genders: the company it keeps shows which; False where nothing does.

    A companion that could be of either gender (*l'* élève) shows nothing.
    """
    company = {}
    for gender in GENDERS:
        readings = [reading for reading in head.readings if reading.referent == gender]
        group = find_group(sentence, Head(head.at, readings))
        company[gender] = {
            companion.at
            for companion in group.companions
            if all(r.gender for r in companion.readings)
        }
    either = set.intersection(*company.values())
    shown = [gender for gender in GENDERS if company[gender] - either]
    if len(shown) > 1:
        raise Refusal("ambiguous-word", sentence.units[head.at].text)
    head.readings = [reading for reading in head.readings if reading.referent in shown]
    return bool(shown)


def spell_out(group: Group, targets: Mapping[int, tuple[str, str]]) -> list[dict[int, str]]:
    """Every distinct way to write the group in the target gender: new form by unit.

    `targets` maps the index of each reading of the head to its (new form, grammatical gender).
    Raises Refusal(`agreement-unresolved`) where no combination of readings is consistent.
    """
    spelled: dict[tuple[tuple[int, str], ...], dict[int, str]] = {}
    for number, reading in enumerate(group.head.readings):
        if number not in targets:
            continue
        form, gender = targets[number]
        for forms in _companion_forms(group.companions, 0, dict(reading.feats), reading, gender):
            forms[group.head.at] = form
            spelled.setdefault(tuple(sorted(forms.items())), forms)
    if not spelled:
        raise Refusal("agreement-unresolved", "no consistent reading of the phrase")
    return list(spelled.values())


def _companion_forms(
    companions: tuple[Companion, ...],
    k: int,
    bundle: dict[str, str],
    head: Reading,
    gender: str,
) -> Iterator[dict[int, str]]:
    if k == len(companions):
        yield {}
        return
    companion = companions[k]
    for reading in companion.readings:
        if not _agree(reading, head, companion.share):
            continue
        if not _features_agree(reading, bundle, companion.share):
            continue
        new = reading.forms.get(gender, "") if reading.gender else reading.form
        if not new:
            continue
        shared = {name: v for name, v in reading.feats.items() if name in companion.share}
        for rest in _companion_forms(companions, k + 1, shared | bundle, head, gender):
            yield {companion.at: f"{reading.prefix} {new}".strip()} | rest
