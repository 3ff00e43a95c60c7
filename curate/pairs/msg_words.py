"""Which words of a lexicon may stand in the place of a gender word, and how they are written."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from curate.genders import GENDERS
from curate.language import Features, compatible, expand_features, shape, transfer_case
from curate.lexicon import Lexicon, PairRow
from curate.swap import Mention

__all__ = ["Choices", "FittingWords", "Word"]


@dataclass(frozen=True)
class Word:
    """A lexicon form of one gender, and the rows that give its counterparts."""

    form: str
    gender: str
    rows: tuple[PairRow, ...]


@dataclass(frozen=True)
class Choices:
    """All words that fit a place, by the letters in which they would stand there."""

    words: dict[str, Word]

    @cached_property
    def of(self) -> dict[str, tuple[str, ...]]:
        """The written words of each gender."""
        return {
            gender: tuple(written for written, word in self.words.items() if word.gender == gender)
            for gender in GENDERS
        }

    @cached_property
    def all(self) -> tuple[str, ...]:
        return tuple(self.words)


_Key = tuple[str, frozenset[tuple[str, str]], bool]


class FittingWords:
    """Words with the UPOS of a mention and features that do not contradict its own.

    People stay people, and animals animals.

    Left out are forms that say nothing about gender: those of rows whose two forms are the same,
    those that stand for both genders in that place, those flagged opaque.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self._rows: dict[str, list[PairRow]] = defaultdict(list)
        self._written: dict[tuple[str, str, str], str] = {}
        for row in lexicon.pairs:
            self._rows[row.upos].append(row)
            for gender in GENDERS:
                form = row.form(gender)
                self._written.setdefault((row.pair, gender, form.lower()), form)
        self._fitting: dict[_Key, tuple[Word, ...]] = {}
        self._choices: dict[tuple[_Key, str, str, bool, bool], Choices] = {}

    def choices(self, text: str, mention: Mention) -> Choices:
        """What may stand in the place of `mention`, in its letter case."""
        key = (mention.upos, frozenset(mention.feats.items()), mention.kind == "animal")
        old = self._written.get((mention.entry, mention.gender, mention.form.lower()), mention.form)
        initial = not any(character.isalnum() for character in text[: mention.start])
        whole = (key, shape(mention.form), shape(old), old.isupper(), initial)
        if whole not in self._choices:
            words: dict[str, Word] = {}
            for word in self._words(key, mention):
                written = transfer_case(mention.form, old, word.form, initial=initial)
                words.setdefault(written, word)
            self._choices[whole] = Choices(words)
        return self._choices[whole]

    def _words(self, key: _Key, mention: Mention) -> tuple[Word, ...]:
        if key not in self._fitting:
            found: dict[tuple[str, str], list[PairRow]] = defaultdict(list)
            fitting: dict[str, bool] = {}  # rows are many, their bundles of features few
            for row in self._rows[mention.upos]:
                if row.feats not in fitting:
                    bundles = expand_features(row.feats)
                    fitting[row.feats] = any(_fits(feats, mention.feats) for feats in bundles)
                if not fitting[row.feats] or row.masculine == row.feminine:
                    continue
                if (row.kind == "animal") != key[-1]:
                    continue
                for gender in GENDERS:
                    if row.form(gender) and f"opaque-{gender[0]}" not in row.flags:
                        found[row.form(gender), gender].append(row)
            self._fitting[key] = tuple(
                Word(form, gender, tuple(rows))
                for (form, gender), rows in found.items()
                if (form, GENDERS[gender == GENDERS[0]]) not in found
            )
        return self._fitting[key]


def _fits(feats: Features, own: Features) -> bool:
    """No contradiction; a feature that is only ever ``Yes`` (Reflex, Poss) is a no where absent."""
    flags = [{name for name, value in bundle.items() if value == "Yes"} for bundle in (feats, own)]
    return flags[0] == flags[1] and compatible(feats, own)
