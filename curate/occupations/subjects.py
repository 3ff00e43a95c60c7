"""Sentences whose subject is the language's "a man" or "a woman", on both sides of gender."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from curate.genders import other_gender
from curate.language import fold
from curate.lexicon.occupation_rules import OccupationRules
from curate.swap.swapper import Swapper

__all__ = ["MODIFIED", "Dropped", "Sides", "Subject", "both_sides", "find_subject"]

MODIFIED = "modified-subject"
_JOINED = "'’-"


class Dropped(Exception):
    """A sentence, or a form in it, that is left out; `code` is stable, `detail` is for people."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Subject:
    """How a sentence begins: the words for one person of a `gender`, then the `rest`."""

    gender: str
    opening: str
    rest: str


@dataclass(frozen=True, slots=True)
class Sides:
    """What stands behind the subject when it is a man, and when it is a woman."""

    masculine: str
    feminine: str
    original: str


def find_subject(text: str, rules: OccupationRules) -> Subject | None:
    """The subject that `text` begins with, or None.

    Raises Dropped (`not-the-subject`) where its words are part of a longer one: *A man's hat*.
    """
    for gender, openings in rules.subjects.items():
        for opening in sorted(openings, key=len, reverse=True):
            rest = text[len(opening) :]
            if not text.startswith(opening) or rest[:1].isalnum():
                continue
            if rest[:1] and rest[0] in _JOINED:
                raise Dropped("not-the-subject", text[: len(opening) + 2])
            if not any(character.isalnum() for character in rest):
                raise Dropped("no-predicate", text)
            return Subject(gender, opening, rest)
    return None


def both_sides(
    text: str,
    subject: Subject,
    swapper: Swapper,
    rules: OccupationRules,
    *,
    allow: Collection[str] = (),
) -> Sides:
    """The sentence as it is told of a man and of a woman, by the swap.

    Raises Dropped with `other-gender-word`, a code of the language's own rules that is not in
    `allow`, or a refusal of the swap.
    """
    result = swapper.swap(text, to=other_gender(subject.gender))
    others = swapper.gender_words(text)
    own = fold(subject.opening.split()[-1])
    if own in others:
        others.remove(own)
    if others and result.refused != "ambiguous-word":
        raise Dropped("other-gender-word", ", ".join(others))
    _apply(rules, subject.rest, allow)
    if result.refused or result.counterpart is None:
        raise Dropped(result.refused or "no-counterpart", result.detail)
    other = find_subject(result.counterpart, rules)
    if other is None or other.gender == subject.gender:
        raise Dropped("no-counterpart", result.counterpart)
    rests = {subject.gender: subject.rest, other.gender: other.rest}
    _apply(rules, rests["masculine"], allow)
    first = {rest.split()[0] for rest in rests.values()}
    if len(first) > 1 and MODIFIED not in allow:
        # no verb agrees in gender: what does, right behind the noun, belongs to the noun
        raise Dropped(MODIFIED, " | ".join(sorted(first)))
    return Sides(rests["masculine"], rests["feminine"], subject.gender)


def _apply(rules: OccupationRules, rest: str, allow: Collection[str]) -> None:
    for rule in rules.drops:
        if not rule.gender and rule.code not in allow and rule.matches(rest):
            raise Dropped(rule.code, " ".join(rest.split()[:3]))
