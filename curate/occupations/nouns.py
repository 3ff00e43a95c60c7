"""An occupation or a pronoun as the subject of a sentence: article, sound, capital, agreement."""

from __future__ import annotations

from dataclasses import dataclass

from curate.language import fold
from curate.language.tokens import JOINING
from curate.lexicon import Lexicon
from curate.lexicon.occupations import OccupationForm, Occupations
from curate.lexicon.phonetics import Sounds
from curate.occupations.subjects import Dropped, Sides

__all__ = ["Told", "Writer"]

_BY_GRAMMAR = {"Masc": "masculine", "Fem": "feminine"}


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence with its new `subject`; `start` and `end` are the noun or pronoun in `text`."""

    text: str
    subject: str
    start: int
    end: int


class Writer:
    """Puts subjects before what is said of them, in one language.

    `article` is ``indefinite`` or ``definite``.
    """

    def __init__(self, lexicon: Lexicon, occupations: Occupations, *, article: str) -> None:
        self._rules = occupations.rules
        self._sounds = Sounds((*lexicon.grammar.phonetics, *occupations.rules.phonetics))
        self._tokenizer = lexicon.tokenizer
        self._article = article

    def pronoun(self, gender: str, sides: Sides) -> Told:
        """The sentence told of he or she."""
        rest = sides.masculine if gender == "masculine" else sides.feminine
        return _told("", self._rules.pronouns[gender], rest)

    def occupation(self, form: OccupationForm, sides: Sides) -> Told:
        """The sentence told of an occupation.

        What agrees with the subject has the grammatical gender of the noun; Dropped where neither
        the man's nor the woman's sentence shows the form that it would have.
        """
        rest = _agreeing(form, sides)
        for rule in self._rules.drops:
            if rule.gender and rule.gender == form.gender and rule.matches(rest):
                raise Dropped(rule.code, form.noun)
        if self._article == "definite" and form.definite:
            return _told("", form.definite, rest)
        return _told(self._before(form), form.noun, rest)

    def _before(self, form: OccupationForm) -> str:
        """The article as it is written before the noun, with the space that follows it."""
        article = self._rules.article(self._article, form.gender)
        if article is None:
            raise Dropped("no-article", form.noun)
        following = fold(self._tokenizer(form.noun)[0].text)
        written = self._sounds.written(fold(article), following)
        return written if written[-1] in JOINING else f"{written} "


def _agreeing(form: OccupationForm, sides: Sides) -> str:
    side = _BY_GRAMMAR.get(form.gender, form.form)
    if side == "masculine":
        return sides.masculine
    if side == "feminine":
        return sides.feminine
    if sides.masculine != sides.feminine:
        raise Dropped("agreement-unresolved", f"{form.noun} ({form.gender or 'no gender'})")
    return sides.masculine


def _told(before: str, noun: str, rest: str) -> Told:
    subject = before + noun
    subject = subject[:1].upper() + subject[1:]
    if "’" in rest and "'" not in rest:
        subject = subject.replace("'", "’")
    return Told(subject + rest, subject, len(before), len(subject))
