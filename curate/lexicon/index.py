"""From a written form to its readings."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from curate.genders import GENDERS
from curate.language import expand_features, fold
from curate.lexicon.collecting import collection_paused
from curate.lexicon.filing import FiledRules, NumberedRule
from curate.lexicon.model import SPACES, AgreementRow, Lexicon, Reading
from curate.lexicon.phonetics import Sounds
from curate.lexicon.readings import NO_FORMS, OpenClasses, agreeing_words, compounded, open_words

__all__ = ["FormIndex", "NumberedRule"]


_ANY = re.compile(".*")
# the flag of a row whose form of a gender is not looked up
_OPAQUE = {"masculine": "opaque-m", "feminine": "opaque-f"}


class FormIndex:
    """Looks up the readings of written forms of one lexicon (lower-cased keys)."""

    @collection_paused()
    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._grammar = lexicon.grammar
        self.words: dict[tuple[str, ...], tuple[Reading, ...]] = self._gender_words()
        self.longest = _longest(self.words)
        self._agreement = self._agreement_rows()
        self.sounds = Sounds(self._grammar.phonetics)
        self.inverse_contractions = {v: k for k, v in self._grammar.contractions.items()}
        self.names = {
            gender: frozenset(name.name for name in lexicon.names if name.gender == gender)
            for gender in GENDERS
        }
        self.has_case_flags = any("case" in flags for flags in {row.flags for row in lexicon.pairs})
        self.rules = FiledRules(self._grammar.rules).rules
        self.splits = self._grammar.compounds is not None and self._grammar.compounds.split
        self._open_nouns = [p for p in self._grammar.paradigms if p.kind]
        self._open_adjectives = [p for p in self._grammar.paradigms if not p.kind]
        self._open_class = OpenClasses(self._open_adjectives).read
        self.has_open_words = bool(self._grammar.compounds or self._open_nouns)
        self._open_words = lru_cache(maxsize=65536)(self._open_word_readings)
        self.agreeing = lru_cache(maxsize=65536)(self._agreeing)

    def _gender_words(self) -> dict[tuple[str, ...], tuple[Reading, ...]]:
        found: dict[tuple[str, ...], list[Reading]] = defaultdict(list)
        key_of = _keys(self._lexicon)
        expanded = lru_cache(maxsize=None)(expand_features)
        for row in self._lexicon.pairs:
            for gender, form in (("masculine", row.masculine), ("feminine", row.feminine)):
                if not form or _OPAQUE[gender] in row.flags:
                    continue
                readings = found[key_of(form)]
                own = row.grammatical(gender)
                for feats in expanded(row.feats):
                    readings.append(Reading(row.upos, own, feats, form, NO_FORMS, gender, row))
        return {key: tuple(readings) for key, readings in found.items()}

    def word(self, written: str) -> tuple[Reading, ...]:
        """Readings of a single token as a gender word: listed, by paradigm, or as a compound."""
        listed = self.words.get((fold(written),))
        if listed is not None or not self.has_open_words:
            return listed or ()
        return self._open_words(written)

    def _open_word_readings(self, written: str) -> tuple[Reading, ...]:
        readings: list[Reading] = []
        for paradigm in self._open_nouns:
            if written.endswith(paradigm.endings) and written.lower() not in paradigm.exceptions:
                readings += open_words(paradigm, written)
        return tuple(readings) or self._compound(written)

    def _compound(self, written: str) -> tuple[Reading, ...]:
        compounds = self._grammar.compounds
        lower = written.lower()
        if compounds is None or lower in compounds.exceptions or compounds.split:
            return ()
        for cut in range(1, len(lower) - compounds.least + 1):
            found = self.words.get((lower[cut:],), ())
            first = written[:cut]
            if found and compounds.first.fullmatch(first.lower()):
                return tuple(
                    compounded(reading, first)
                    for reading in found
                    if reading.row is not None
                    and reading.row.kind in compounds.kinds
                    and (written[:1].isupper() or not reading.form[:1].isupper())
                )
        return ()

    def split_compound(self, written: str) -> int:
        """Where a segment ends before a listed gender word that it holds, or 0."""
        compounds = self._grammar.compounds
        if compounds is None or not compounds.split or written in compounds.exceptions:
            return 0
        if (written.lower(),) in self.words:
            return 0
        for cut in range(1, len(written) - compounds.least + 1):
            found = self.words.get((written[cut:].lower(),), ())
            kinds = {reading.row.kind for reading in found if reading.row is not None}
            if kinds & compounds.kinds and compounds.first.fullmatch(written[:cut].lower()):
                return cut
        return 0

    def _agreement_rows(self) -> dict[str, list[AgreementRow]]:
        """The rows that a form stands in; a text needs the readings of few."""
        found: dict[str, list[AgreementRow]] = defaultdict(list)
        for row in self._lexicon.agreement:
            for form in dict.fromkeys(map(fold, row.forms.values())):
                found[form].append(row)
        return dict(found)

    def _listed(self, form: str) -> list[Reading]:
        """The readings of a form of agreement.tsv."""
        return [
            reading
            for row in self._agreement.get(form, ())
            for feats in expand_features(row.feats)
            for reading in agreeing_words(row.upos, row.forms, feats)
            if fold(reading.form) == form
        ]

    def _agreeing(self, form: str) -> tuple[Reading, ...]:
        """A token (lower-cased) as a word that agrees: listed, else by an open class."""
        listed = self._listed(form)
        parts = self._grammar.contractions.get(form)
        if parts:
            listed += [reading._replace(prefix=parts[0]) for reading in self._listed(parts[1])]
        return tuple(listed or self._open_class(form) or self._compound_agreeing(form))

    def _compound_agreeing(self, form: str) -> Iterator[Reading]:
        """A listed agreeing form behind a clitic."""
        compounds = self._grammar.compounds
        if compounds is None or not compounds.agreement or form in compounds.exceptions:
            return
        for cut in range(1, len(form)):
            first = form[:cut]
            if form[cut:] in self._agreement and compounds.first.fullmatch(first):
                for reading in self._listed(form[cut:]):
                    forms = {gender: first + other for gender, other in reading.forms.items()}
                    yield reading._replace(form=form, forms=forms)

    def open_readings(self) -> list[Reading]:
        """What the open classes of gender words can be, with suffixes for forms."""
        return [
            reading._replace(form=suffix)
            for paradigm in self._open_nouns
            for suffix in paradigm.endings
            for reading in open_words(replace(paradigm, stem=_ANY), suffix)
        ]

    def agreeing_readings(self) -> Iterator[Reading]:
        """What agreeing words can be: the listed, and the open classes with suffixes for forms."""
        for form in self._agreement:
            yield from self._listed(form)
        for paradigm in self._open_adjectives:
            for feats in paradigm.feats:
                yield from agreeing_words(paradigm.upos, paradigm.suffixes, feats)


def _longest(words: Iterable[tuple[str, ...]]) -> dict[str, int]:
    """By first token, how many tokens the longest gender word has."""
    longest: dict[str, int] = {}
    for key in words:
        if len(key) > longest.get(key[0], 0):
            longest[key[0]] = len(key)
    return longest


def _keys(lexicon: Lexicon) -> Callable[[str], tuple[str, ...]]:
    """What turns a form into the key under which it is looked up: its folded tokens."""
    tokenizer = lexicon.tokenizer
    config = lexicon.config

    def tokens(form: str) -> tuple[str, ...]:
        return tuple(fold(token.text) for token in tokenizer(form))

    def key(form: str) -> tuple[str, ...]:
        return (form.lower(),) if form.isalnum() else tokens(form)

    # between spaces, letters alone are one token: most forms need not be cut
    return key if config.segmentation == SPACES and not config.tokens else tokens
