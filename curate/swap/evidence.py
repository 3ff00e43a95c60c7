"""What a dependency parse says where the local rules leave something open."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from curate.language import compatible
from curate.language.parsers import ParsedWord, Parser
from curate.lexicon import Reading
from curate.lexicon.model import Relations
from curate.swap.sentence import Sentence

__all__ = ["Evidence"]

# what tells the readings of one form apart, where a parser knows it
TELLING = ("Case", "Number", "Person")
MAX_STEPS = 8


class Evidence:
    """The parse of one sentence, made when it is first asked for; units stand for its words."""

    def __init__(self, parser: Parser, sentence: Sentence) -> None:
        self._parser = parser
        self.name = parser.name
        self.used = False
        self._sentence = sentence
        self._relations: Relations = sentence.lexicon.grammar.relations

    @cached_property
    def _words(self) -> list[ParsedWord]:
        return self._parser.parse([self._sentence.text])[0]

    @cached_property
    def _unit_words(self) -> list[int]:
        """For each unit the word that it is: the last inside it, -1 where none is."""
        found = [-1] * len(self._sentence.units)
        at = 0
        for number, word in enumerate(self._words):
            while at < len(found) and self._sentence.end(at) <= word.start:
                at += 1
            inside = at < len(found) and word.end > self._sentence.start(at)
            if inside and (found[at] < 0 or self._words[found[at]].upos in {"ADP", "DET", "PUNCT"}):
                found[at] = number
        return found

    @cached_property
    def _word_units(self) -> dict[int, int]:
        return {word: unit for unit, word in enumerate(self._unit_words) if word >= 0}

    def narrow(self, at: int, readings: Iterable[Reading]) -> list[Reading]:
        """The readings whose case, number and person are the parser's; all if none is."""
        readings = list(readings)
        word = self._unit_words[at]
        if word < 0:
            return readings
        feats = {name: v for name, v in self._words[word].feats.items() if name in TELLING}
        kept = [r for r in readings if compatible(r.feats, feats)] or readings
        self.used |= len(kept) < len(readings)
        return kept

    def agrees_with(self, at: int) -> int | None:
        """The unit that a unit agrees with in gender, by its relation; None where none shows."""
        found = self._agrees_with(self._unit_words[at])
        self.used |= found is not None
        return found

    def belongs_to_thing(self, at: int) -> bool:
        """Whether a unit is an attribute of a common noun; a name or pronoun may be the person."""
        word = self._words[self._unit_words[at]]
        governor = self._words[word.head] if word.head >= 0 else None
        attributive = self._is(word.relation, self._relations.attributive)
        return attributive and governor is not None and governor.upos == "NOUN"

    def _agrees_with(self, place: int) -> int | None:
        for _ in range(MAX_STEPS):
            if place < 0:
                return None
            word = self._words[place]
            if self._is(word.relation, self._relations.attributive):
                return self._word_units.get(word.head)
            subject = self._subject(place)
            if subject is not None:
                return self._word_units.get(subject)
            if not self._is(word.relation, self._relations.chained):
                return None
            if word.upos == "ADJ" and word.head >= 0:
                # said of the subject of the verb that it goes with (he came home tired)
                subject = self._dependent(word.head, self._relations.subject)
                if subject is not None:
                    return self._word_units.get(subject)
            place = word.head
        return None

    def _subject(self, place: int) -> int | None:
        """The subject of a passive or of a predicate with a copula: these agree in gender."""
        passive = self._dependent(place, self._relations.passive)
        if passive is not None:
            return passive
        if self._dependent(place, frozenset({"cop"})) is None:
            return None
        return self._dependent(place, self._relations.subject)

    def one_person(self, first: int, second: int) -> str:
        """The relation by which two units name one person (apposition, predicate), or ''."""
        a, b = self._unit_words[first], self._unit_words[second]
        if a < 0 or b < 0:
            return ""
        for governor, dependent in ((a, b), (b, a)):
            word = self._words[dependent]
            if word.head != governor:
                continue
            if self._is(word.relation, self._relations.identical):
                self.used = True
                return word.relation
            # the subject of a noun is what the noun is said of
            nominal = self._words[governor].upos in {"NOUN", "PROPN"}
            if nominal and self._is(word.relation, self._relations.subject):
                self.used = True
                return word.relation
        return ""

    def _dependent(self, place: int, relations: frozenset[str]) -> int | None:
        for number, word in enumerate(self._words):
            if word.head == place and self._is(word.relation, relations):
                return number
        return None

    @staticmethod
    def _is(relation: str, wanted: frozenset[str]) -> bool:
        return relation in wanted or relation.partition(":")[0] in wanted
