"""The gender words of a sentence, with the readings that its context leaves."""

from __future__ import annotations

from dataclasses import dataclass

from curate.lexicon import Reading, Rule
from curate.lexicon.model import PairRow
from curate.swap.matcher import match
from curate.swap.results import Refusal
from curate.swap.rules import candidates
from curate.swap.sentence import Sentence

__all__ = ["Head", "find_heads"]

PRONOUN_LIKE = frozenset({"pronoun", "possessive"})


@dataclass(slots=True)
class Head:
    """A gender word at unit `at`; `why` names the rule that chose its reading."""

    at: int
    readings: list[Reading]
    chosen: bool = False
    why: str = ""

    @property
    def genders(self) -> set[str]:
        return {reading.referent for reading in self.readings}

    @property
    def gender(self) -> str:
        return self.readings[0].referent

    @property
    def row(self) -> PairRow:
        row = self.readings[0].row
        assert row is not None
        return row

    @property
    def doubtful(self) -> list[Reading]:
        """Readings that count only once a rule has chosen them."""
        if self.chosen:
            return []
        return [r for r in self.readings if r.row is not None and "ambiguous" in r.row.flags]

    @property
    def is_pronoun(self) -> bool:
        return all(r.row is not None and r.row.kind in PRONOUN_LIKE for r in self.readings)

    @property
    def numbers(self) -> set[str]:
        return {reading.feats.get("Number", "") for reading in self.readings}


def find_heads(sentence: Sentence) -> list[Head]:
    """All gender words after the `select` rules.

    Raises Refusal(`ambiguous-word`) where a rule says so.
    """
    heads = []
    for at, unit in enumerate(sentence.units):
        if unit.words:
            head = Head(at, list(unit.words))
            rule = _select(sentence, head)
            if rule is None:
                heads.append(head)
            else:
                sentence.set_aside(at, rule.name)
    return heads


def _select(sentence: Sentence, head: Head) -> Rule | None:
    """Filter the readings; the rule that says that this is no gender word, if one does."""
    unit = sentence.units[head.at]
    rules = candidates(sentence, "select", head.at)
    k = 0
    while k < len(rules):
        number, rule, _ = rules[k]
        k += 1
        if (rule.default and head.chosen) or not match(sentence, rule.pattern, head.at):
            continue
        if rule.keep == "none":
            return rule
        if rule.keep == "refuse":
            raise Refusal("ambiguous-word", f"{unit.text} ({rule.name})")
        kept = [reading for reading in head.readings if _kept(reading, rule)]
        if kept:
            head.chosen = True
            head.why = rule.name
            head.readings = kept
            if len(kept) < len(sentence.units[head.at].words):
                sentence.narrow(head.at, tuple(kept))
                rules = [r for r in candidates(sentence, "select", head.at) if r[0] > number]
                k = 0
    return None


def _kept(reading: Reading, rule: Rule) -> bool:
    for name, allowed in rule.kept.items():
        if name == "upos":
            value = reading.upos
        elif name == "Pair":
            value = reading.row.pair if reading.row is not None else ""
        elif name == "Referent":
            value = reading.referent
        else:
            value = reading.feats.get(name, allowed[0])
        if value not in allowed:
            return False
    return True
