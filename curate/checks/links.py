"""What a lexicon licenses: which two words may stand in the same place of the two sides."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Literal

from curate.genders import other_gender
from curate.language import Tokenizer, compatible, expand_features, fold
from curate.language.tokens import JOINING
from curate.lexicon import FormIndex, Lexicon, PairRow

__all__ = ["FORWARD", "REVERSE", "Key", "Licence", "Link", "LinkKind", "Stretch"]

Key = tuple[str, ...]
LinkKind = Literal["word", "name", "agreement", "phonetic"]

FORWARD, REVERSE = 1, -1
"""Masculine on the first side and feminine on the second, and the other way round."""

_DIRECTIONS = {("Masc", "Fem"): {FORWARD}, ("Fem", "Masc"): {REVERSE}}
_BOTH = frozenset({FORWARD, REVERSE})


@dataclass(frozen=True, slots=True)
class Link:
    """Two forms that belong together.

    `directions` holds `FORWARD`, `REVERSE` or both (the change says nothing about direction);
    `counterparts` is false for two gender words of different entries; `same_features` is false
    where they differ in number, case and the like.
    """

    kind: LinkKind
    directions: frozenset[int]
    counterparts: bool = True
    same_features: bool = True


@dataclass(frozen=True, slots=True)
class Stretch:
    """A few pieces of a side: lower-cased words, how a single one is written, the word after."""

    key: Key
    written: str
    following: str


@dataclass(frozen=True, slots=True)
class _Form:
    row: PairRow
    gender: str


class Licence:
    """The licensed co-changes of one language, looked up by lower-cased words.

    `tokenizer` cuts the listed forms; it must be the one that cuts the sides.
    """

    def __init__(self, lexicon: Lexicon, *, tokenizer: Tokenizer | None = None) -> None:
        self.lexicon = lexicon
        self.tokenizer = tokenizer or lexicon.tokenizer
        self._index = FormIndex(lexicon)
        self._words = self._gender_words()
        self._names = self._monosex_names()
        self._phonetics = [
            (self._key(p.other), self._key(p.before_sound), p.sound)
            for p in lexicon.grammar.phonetics
        ]
        self.words = frozenset(self._words)
        self.longest = max((len(key) for key in self._words), default=1)
        self._lengths: dict[str, set[int]] = defaultdict(set)
        for key in (*self._words, *(key for p in self._phonetics for key in p[:2])):
            self._lengths[key[0]].add(len(key))
        self.link = lru_cache(maxsize=65536)(self._link)

    def _key(self, form: str) -> Key:
        if form[-1:] in JOINING:  # such a form is a token only before a word
            return tuple(fold(token.text) for token in self.tokenizer(f"{form}a"))[:-1]
        return tuple(fold(token.text) for token in self.tokenizer(form))

    def _gender_words(self) -> dict[Key, tuple[_Form, ...]]:
        found: dict[Key, list[_Form]] = defaultdict(list)
        for row in self.lexicon.pairs:
            if row.masculine.lower() == row.feminine.lower():
                continue
            for gender in ("masculine", "feminine"):
                if row.form(gender):
                    found[self._key(row.form(gender))].append(_Form(row, gender))
        return {key: tuple(forms) for key, forms in found.items()}

    def _monosex_names(self) -> dict[str, frozenset[str]]:
        found: dict[str, set[str]] = defaultdict(set)
        for name in self.lexicon.names:
            found[name.name.lower()].add(name.gender)
        return {name: frozenset(genders) for name, genders in found.items()}

    def lengths(self, first: str) -> set[int]:
        """In how many words a listed form may run that starts with `first`; always holds 1."""
        return self._lengths.get(first, set()) | {1}

    def name_genders(self, key: str) -> frozenset[str]:
        """The genders of a given name of names.tsv; empty for any other word."""
        return self._names.get(key, frozenset())

    def is_possessive(self, key: str) -> bool:
        """Whether a word says whose somebody is (*his*, *su*)."""
        kinds = {form.row.kind for form in self._words.get((key,), ())}
        return "possessive" in kinds or any(
            reading.feats.get("Poss") == "Yes" for reading in self._index.agreeing(key)
        )

    def is_small(self, key: Key) -> bool:
        """Whether a form has no capital of its own, so that its case is that of its place."""
        forms = (form.row.form(form.gender) for form in self._words.get(key, ()))
        return all(form == form.lower() for form in forms)

    def _link(self, one: Stretch, other: Stretch) -> Link | None:
        """The link between two stretches, or None."""
        word = self._word_link(one.key, other.key)
        if word is not None and word.same_features and word.counterparts:
            return word
        return (
            self._agreement_link(one, other)
            or self._open_link(one.written, other.written)
            or word
            or self._name_link(one, other)
        )

    def _word_link(self, a: Key, b: Key) -> Link | None:
        """The best reading: counterparts first, then words that share features, then any."""
        best: tuple[bool, bool] | None = None
        directions: set[int] = set()
        for one, other in product(self._words.get(a, ()), self._words.get(b, ())):
            if one.gender == other.gender:
                continue
            fits = one.row is other.row or _compatible(one.row.feats, other.row.feats)
            rank = (fits, one.row.pair == other.row.pair)
            if best is None or rank > best:
                best, directions = rank, set()
            if rank == best:
                directions.add(FORWARD if one.gender == "masculine" else REVERSE)
        if best is None:
            return None
        return Link("word", frozenset(directions), counterparts=best[1], same_features=best[0])

    def _name_link(self, one: Stretch, other: Stretch) -> Link | None:
        """Two given names of different gender; one of the two need not be listed."""
        if not (one.written[:1].isupper() and other.written[:1].isupper()):
            return None
        genders = [self.name_genders(stretch.key[0]) for stretch in (one, other)]
        for at, stretch in enumerate((one, other)):
            if not genders[at] and stretch.key not in self.words:
                genders[at] = frozenset(other_gender(gender) for gender in genders[1 - at])
        directions = _directions(product(genders[0], genders[1]))
        return Link("name", directions) if directions else None

    def _open_link(self, one: str, other: str) -> Link | None:
        """Compounds and open classes: a reading of either word whose counterpart is the other."""
        directions: set[int] = set()
        for first, second, way in ((one, other, FORWARD), (other, one, REVERSE)):
            for reading in self._index.word(first) if first and second else ():
                row = reading.row
                if row is not None and row.form(other_gender(reading.referent)) == second:
                    directions.add(way if reading.referent == "masculine" else -way)
        return Link("word", frozenset(directions)) if directions else None

    def _agreement_link(self, one: Stretch, other: Stretch) -> Link | None:
        directions: set[int] = set()
        phonetic = False
        for a, b in product(self._variants(one), self._variants(other)):
            if a == b:
                phonetic = True
            elif len(a) == len(b) == 1:
                directions |= self._agreeing(a[0], b[0])
        if phonetic:
            return Link("phonetic", _BOTH)
        return Link("agreement", frozenset(directions)) if directions else None

    def _variants(self, stretch: Stretch) -> Iterator[Key]:
        """The form, and what it stands for where it follows the next sound."""
        yield stretch.key
        for other, before_sound, sound in self._phonetics:
            if stretch.key == before_sound and sound.match(stretch.following):
                yield other

    def _agreeing(self, a: str, b: str) -> set[int]:
        directions: set[int] = set()
        for reading in self._index.agreeing(a):
            if reading.prefix:
                continue
            for gender, form in reading.forms.items():
                if fold(form) == b and gender != reading.gender:
                    directions |= _DIRECTIONS.get((reading.gender, gender), _BOTH)
        return directions

    def phonetic_mistake(self, key: str, following: str) -> str | None:
        """The form that `key` must have before `following`, where it has not; else None.

        A form that is also something else (Spanish *el*) is only judged before the sound.
        """
        own = self._index.agreeing(key) or (key,) in self._words
        wrong: Key | None = None
        for other, before_sound, sound in self._phonetics:
            if (key,) == other and sound.match(following):
                return " ".join(before_sound)
            if (key,) == before_sound:
                if own or sound.match(following):
                    return None
                wrong = other
        return " ".join(wrong) if wrong else None


def _directions(genders: Iterable[tuple[str, str]]) -> frozenset[int]:
    """The directions of pairs of genders that differ."""
    return frozenset(FORWARD if a == "masculine" else REVERSE for a, b in genders if a != b)


def _compatible(first: str, second: str) -> bool:
    """Whether two feature bundles share a reading."""
    return any(
        compatible(one, other)
        for one, other in product(expand_features(first), expand_features(second))
    )
