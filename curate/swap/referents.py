"""How many people a sentence's gender words name."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from curate.lexicon import Rule
from curate.swap.evidence import Evidence
from curate.swap.heads import Head
from curate.swap.matcher import match
from curate.swap.results import Refusal
from curate.swap.rules import NAME, candidates
from curate.swap.sentence import Sentence

__all__ = ["check_names", "check_one_gender", "check_one_referent", "check_refusals"]


def check_refusals(sentence: Sentence, heads: list[Head], waived: str = "") -> None:
    """Raise the refusal of the first `refuse` rule that matches around a gender word.

    `waived`: a code that does not count.
    """
    if len(heads) > 1:
        in_order = _in_order(sentence, "refuse", heads)
    else:
        in_order = [(rule, heads[0]) for _, rule, _ in candidates(sentence, "refuse", heads[0].at)]
    for rule, head in in_order:
        if rule.code != waived and match(sentence, rule.pattern, head.at):
            raise Refusal(rule.code, f"{sentence.units[head.at].text} ({rule.name})")


def _in_order(sentence: Sentence, kind: str, heads: Iterable[Head]) -> list[tuple[Rule, Head]]:
    """The rules that may match around any of the words, in the order of the file."""
    found = [
        (number, k, rule, head)
        for k, head in enumerate(heads)
        for number, rule, _ in candidates(sentence, kind, head.at)
    ]
    return [(rule, head) for _, _, rule, head in sorted(found, key=lambda item: item[:2])]


def check_names(sentence: Sentence, gender: str) -> None:
    """Raise Refusal(`gendered-name`) where a given name of the old gender may be the person's."""
    names = sentence.index.names[gender]
    for unit in sentence.units:
        if unit.meets & NAME and unit.text in names and not unit.words:
            raise Refusal("gendered-name", unit.text)


def check_one_gender(heads: list[Head]) -> None:
    """Raise Refusal(`two-referents`) where some words are masculine and some feminine."""
    if len({head.gender for head in heads}) > 1:
        raise Refusal("two-referents", "masculine and feminine words")


def check_one_referent(
    sentence: Sentence, heads: list[Head], evidence: Evidence | None = None
) -> None:
    """Raise Refusal(`two-referents`) unless all gender words may name one person (or group).

    Nouns are one person where they are the same word, or where a `same` rule links them; pronouns
    and possessives go with whatever agrees with them in number, unless the language wants them
    linked as well. Where the rules link two words of one number in no way, a parse may.
    """
    if len(heads) == 1:
        return
    check_one_gender(heads)
    linked = sentence.lexicon.grammar.linked_pronouns
    named = [head for head in heads if linked or not head.is_pronoun]
    persons = _Persons([head.at for head in named])
    waived: set[int] = set()
    for first, second in itertools.combinations(heads, 2):
        link = _link(sentence, first, second)
        if link:
            persons.join(first.at, second.at)
        if link == _ANY_NUMBER:
            waived |= {first.at, second.at}
    if persons.count > 1 and evidence is not None:
        for first, second in itertools.combinations(named, 2):
            open_question = not persons.same(first.at, second.at)
            if (
                open_question
                and first.numbers & second.numbers
                and evidence.one_person(first.at, second.at)
            ):
                persons.join(first.at, second.at)
    if persons.count > 1:
        raise Refusal("two-referents", ", ".join(sentence.units[h.at].text for h in named))
    counted = [head.numbers for head in heads if head.at not in waived and "" not in head.numbers]
    if counted and not set.intersection(*counted):
        raise Refusal("two-referents", "words of different number")


class _Persons:
    """Which of the named words are one person (a union-find over their places)."""

    def __init__(self, places: list[int]) -> None:
        self._parents = {at: at for at in places}

    def _root(self, at: int) -> int:
        while self._parents[at] != at:
            at = self._parents[at]
        return at

    def same(self, first: int, second: int) -> bool:
        return self._root(first) == self._root(second)

    def join(self, first: int, second: int) -> None:
        if first in self._parents and second in self._parents:
            self._parents[self._root(second)] = self._root(first)

    @property
    def count(self) -> int:
        return len({self._root(at) for at in self._parents})


_SAME_NUMBER, _ANY_NUMBER = "same number", "any number"


def _link(sentence: Sentence, first: Head, second: Head) -> str:
    """What makes two gender words one person, or an empty string."""
    if first.row.pair == second.row.pair and first.numbers & second.numbers:
        return _SAME_NUMBER
    for rule, anchor in _in_order(sentence, "same", (first, second)):
        found = match(sentence, rule.pattern, anchor.at)
        other = second if anchor is first else first
        if found and other.at in found.seconds:
            return _ANY_NUMBER if rule.any_number else _SAME_NUMBER
    return ""
