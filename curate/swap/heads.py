"""The gender words of a sentence, with the readings that its context leaves."""

from __future__ import annotations

from dataclasses import dataclass

from curate.language import compatible
from curate.lexicon import Reading, Rule
from curate.lexicon.model import PairRow
from curate.swap.matcher import match
from curate.swap.results import Refusal
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
            if _select(sentence, head, sentence.rules("select")):
                heads.append(head)
            else:
                sentence.set_words(at, (), out=True)
    return heads


def _select(sentence: Sentence, head: Head, rules: list[Rule]) -> bool:
    """Filter the readings; False where a rule says that this is no gender word."""
    unit = sentence.units[head.at]
    for rule in rules:
        if (rule.forms and unit.lower not in rule.forms) or (rule.default and head.chosen):
            continue
        if match(sentence, rule.pattern, head.at) is None:
            continue
        if rule.keep == "none":
            return False
        if rule.keep == "refuse":
            raise Refusal("ambiguous-word", unit.text)
        kept = [reading for reading in head.readings if _kept(reading, rule)]
        if kept:
            head.chosen = True
            head.why = rule.name
            head.readings = kept
            if len(kept) < len(unit.words):
                sentence.set_words(head.at, tuple(kept))
    return True


def _kept(reading: Reading, rule: Rule) -> bool:
    for part in rule.keep.split("|"):
        name, _, values = part.partition("=")
        allowed = values.split(",")
        if name == "upos":
            if reading.upos not in allowed:
                return False
        elif name == "Pair":
            if reading.row is None or reading.row.pair not in allowed:
                return False
        elif name == "Referent":
            if reading.referent not in allowed:
                return False
        elif not any(compatible({name: value}, reading.feats) for value in allowed):
            return False
    return True
