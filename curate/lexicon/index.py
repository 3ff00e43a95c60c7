"""From a written form to its readings."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from curate.genders import GENDERS
from curate.language import Features, expand_features, fold
from curate.lexicon.collecting import collection_paused
from curate.lexicon.model import Lexicon, PairRow, Paradigm, Reading, Rule
from curate.lexicon.patterns import Element
from curate.lexicon.phonetics import Sounds

__all__ = ["FormIndex", "NumberedRule"]


# what an anchor asks of its token, and the rules whose anchors ask just that
_Anchor = tuple[int, bool]
_SameAnchor = tuple[Element, list["NumberedRule"]]
_ANY = re.compile(".*")


class NumberedRule(NamedTuple):
    """A rule with its number among those of its kind, and what a text must hold (bits)."""

    number: int
    rule: Rule
    needs: int


class FormIndex:
    """Looks up the readings of written forms of one lexicon (lower-cased keys)."""

    @collection_paused()
    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._grammar = lexicon.grammar
        self.words: dict[tuple[str, ...], tuple[Reading, ...]] = self._gender_words()
        self.longest: dict[str, int] = defaultdict(int)
        for key in self.words:
            self.longest[key[0]] = max(self.longest[key[0]], len(key))
        self._agreement = self._agreement_forms()
        self.sounds = Sounds(self._grammar.phonetics)
        self.inverse_contractions = {v: k for k, v in self._grammar.contractions.items()}
        self.names = {
            gender: frozenset(name.name for name in lexicon.names if name.gender == gender)
            for gender in GENDERS
        }
        self.has_case_flags = any("case" in row.flags for row in lexicon.pairs)
        self._meets: dict[str, int] = {}
        self._rules = self._file_rules()
        self.splits = self._grammar.compounds is not None and self._grammar.compounds.split
        self._open_nouns = [p for p in self._grammar.paradigms if p.kind]
        self._open_adjectives = [p for p in self._grammar.paradigms if not p.kind]
        self.has_open_words = bool(self._grammar.compounds or self._open_nouns)
        self._open_words = lru_cache(maxsize=65536)(self._open_word_readings)
        self.agreeing = lru_cache(maxsize=65536)(self._agreeing)

    def _gender_words(self) -> dict[tuple[str, ...], tuple[Reading, ...]]:
        found: dict[tuple[str, ...], list[Reading]] = defaultdict(list)
        tokenizer = self._lexicon.tokenizer
        for row in self._lexicon.pairs:
            bundles = expand_features(row.feats)
            for gender, flag in (("masculine", "opaque-m"), ("feminine", "opaque-f")):
                form = row.form(gender)
                if not form or flag in row.flags:
                    continue
                key = tuple(fold(token.text) for token in tokenizer(form))
                for feats in bundles:
                    found[key].append(
                        Reading(
                            upos=row.upos,
                            gender=row.grammatical(gender),
                            feats=feats,
                            form=form,
                            forms={},
                            referent=gender,
                            row=row,
                        )
                    )
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
                readings += _paradigm_words(paradigm, written)
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

    def rules(self, kind: str, word: str) -> Iterator[tuple[Element, list[NumberedRule]]]:
        """The rules of a kind that may have this word as their anchor, by what the anchor asks."""
        filed = self._rules[kind]
        for key in ("", word) if word else ("",):
            yield from filed.get(key, {}).values()

    def meets(self, word: str) -> int:
        """The needs of patterns that a word meets, as bits."""
        return self._meets.get(word, 0)

    def _file_rules(self) -> dict[str, dict[str, dict[_Anchor, _SameAnchor]]]:
        """By kind, the rules under each word that can be their anchor; "": any word."""
        bits: dict[frozenset[str], int] = {}
        filed: dict[str, dict[str, dict[_Anchor, _SameAnchor]]] = {}
        for kind, rules in self._grammar.rules.items():
            by_word: dict[str, dict[_Anchor, _SameAnchor]] = defaultdict(dict)
            for number, rule in enumerate(rules):
                needs = 0
                for words in rule.pattern.needs:
                    needs |= bits.setdefault(words, 1 << len(bits))
                anchor = rule.pattern.anchor
                closed = anchor.closed if not anchor.negated else None
                for word in rule.forms or closed or ("",):
                    key = (id(anchor.atoms), anchor.negated)
                    same = by_word[word].setdefault(key, (anchor, []))
                    same[1].append(NumberedRule(number, rule, needs))
            filed[kind] = dict(by_word)
        for words, bit in bits.items():
            for word in words:
                self._meets[word] = self._meets.get(word, 0) | bit
        return filed

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

    def _agreement_forms(self) -> dict[str, tuple[Reading, ...]]:
        found: dict[str, list[Reading]] = defaultdict(list)
        for row in self._lexicon.agreement:
            for feats in expand_features(row.feats):
                for reading in _by_gender(row.upos, row.forms, feats):
                    found[fold(reading.form)].append(reading)
        return {form: tuple(readings) for form, readings in found.items()}

    def _agreeing(self, form: str) -> tuple[Reading, ...]:
        """A token (lower-cased) as a word that agrees: listed, else by an open class."""
        listed = list(self._agreement.get(form, ()))
        parts = self._grammar.contractions.get(form)
        if parts:
            for reading in self._agreement.get(parts[1], ()):
                listed.append(
                    Reading(
                        upos=reading.upos,
                        gender=reading.gender,
                        feats=reading.feats,
                        form=reading.form,
                        forms=reading.forms,
                        prefix=parts[0],
                    )
                )
        return tuple(listed or self._open_class(form) or self._compound_agreeing(form))

    def _compound_agreeing(self, form: str) -> Iterator[Reading]:
        """A listed agreeing form behind a clitic."""
        compounds = self._grammar.compounds
        if compounds is None or not compounds.agreement or form in compounds.exceptions:
            return
        for cut in range(1, len(form)):
            first = form[:cut]
            for reading in self._agreement.get(form[cut:], ()):
                if compounds.first.fullmatch(first):
                    forms = {gender: first + other for gender, other in reading.forms.items()}
                    yield replace(reading, form=form, forms=forms)

    def open_readings(self) -> list[Reading]:
        """What the open classes of gender words can be, with suffixes for forms."""
        return [
            replace(reading, form=suffix)
            for paradigm in self._open_nouns
            for suffix in paradigm.endings
            for reading in _paradigm_words(replace(paradigm, stem=_ANY), suffix)
        ]

    def agreeing_readings(self) -> Iterator[Reading]:
        """What agreeing words can be: the listed, and the open classes with suffixes for forms."""
        for readings in self._agreement.values():
            yield from readings
        for paradigm in self._open_adjectives:
            for feats in paradigm.feats:
                yield from _by_gender(paradigm.upos, paradigm.suffixes, feats)

    def _open_class(self, form: str) -> list[Reading]:
        readings: list[Reading] = []
        for paradigm in self._open_adjectives:
            if not form.endswith(paradigm.endings) or form in paradigm.exceptions:
                continue
            for suffix in dict.fromkeys(paradigm.suffixes.values()):
                stem = form[: len(form) - len(suffix)]
                if not form.endswith(suffix) or not paradigm.stem.fullmatch(stem):
                    continue
                forms = {tag: stem + ending for tag, ending in paradigm.suffixes.items()}
                genders = [tag for tag, own in forms.items() if own == form]
                for feats in paradigm.feats:
                    readings += _by_gender(paradigm.upos, forms, feats, genders)
        return readings


def _by_gender(
    upos: str, forms: Mapping[str, str], feats: Features, genders: Iterable[str] | None = None
) -> list[Reading]:
    """One reading per gender; a single reading without gender where all forms are the same."""
    if len(set(forms.values())) == 1:
        form = next(iter(forms.values()))
        return [Reading(upos=upos, gender="", feats=feats, form=form, forms=forms)]
    return [
        Reading(upos=upos, gender=gender, feats=feats, form=forms[gender], forms=forms)
        for gender in (forms if genders is None else genders)
    ]


def _paradigm_words(paradigm: Paradigm, written: str) -> list[Reading]:
    """The gender-word readings that a paradigm with a kind gives a written token."""
    readings = []
    for tag, gender in (("Masc", "masculine"), ("Fem", "feminine")):
        suffix = paradigm.suffixes[tag]
        stem = written[: len(written) - len(suffix)]
        if f"opaque-{gender[0]}" in paradigm.flags or not written.endswith(suffix):
            continue
        if not paradigm.stem.fullmatch(stem):
            continue
        row = PairRow(
            pair=f"-{paradigm.suffixes['Masc']}/-{paradigm.suffixes['Fem']}",
            masculine=stem + paradigm.suffixes["Masc"],
            feminine=stem + paradigm.suffixes["Fem"],
            upos=paradigm.upos, feats="", gender_m="", gender_f="", kind=paradigm.kind,
            flags=paradigm.flags, source="", votes="", note="", line=0,
        )  # fmt: skip
        readings += [
            Reading(
                upos=row.upos, gender=tag, feats=feats, form=written, forms={}, referent=gender,
                row=row,
            )
            for feats in paradigm.feats
        ]  # fmt: skip
    return readings


def compounded(reading: Reading, first: str) -> Reading:
    """A listed word's reading with `first` before its forms, in the letter case of a compound."""
    row = reading.row
    assert row is not None

    def joined(form: str) -> str:
        if not form:
            return ""
        return first + (form if first.endswith("-") else form[:1].lower() + form[1:])

    longer = replace(row, masculine=joined(row.masculine), feminine=joined(row.feminine))
    return replace(reading, form=joined(reading.form), row=longer)
