"""The lexicon of one language, as plain data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from curate.language import Features, Tokenizer, make_tokenizer
from curate.lexicon.collecting import collection_paused
from curate.lexicon.patterns import Pattern

__all__ = [
    "AgreementRow",
    "Compounds",
    "Config",
    "ContextWord",
    "GoldenRow",
    "Grammar",
    "Lexicon",
    "Name",
    "PairRow",
    "Phonetic",
    "Reading",
    "Relations",
    "Rule",
    "voted_out",
]

# classes that names.tsv fills: given names, in exactly the written form
NAME_CLASSES = {"masculine-name": "masculine", "feminine-name": "feminine"}
SPACES = "spaces"
GRAMMATICAL = {"masculine": "Masc", "feminine": "Fem"}


class PairRow(NamedTuple):
    """One row of pairs.tsv: two forms that share every feature but gender."""

    pair: str
    masculine: str
    feminine: str
    upos: str
    feats: str
    gender_m: str
    gender_f: str
    kind: str
    flags: frozenset[str]
    source: str
    votes: str
    note: str
    line: int

    def form(self, gender: str) -> str:
        return self.masculine if gender == "masculine" else self.feminine

    def grammatical(self, gender: str) -> str:
        """The grammatical gender of a form: the referent's, unless the row says otherwise."""
        own = self.gender_m if gender == "masculine" else self.gender_f
        return own or GRAMMATICAL[gender]


def voted_out(votes: str) -> bool:
    """Whether votes (``for:against``) are a majority against."""
    good, _, bad = votes.partition(":")
    return bool(bad) and int(bad) > int(good)


class AgreementRow(NamedTuple):
    """One row of agreement.tsv, or of a paradigm once a stem is put in: forms by gender."""

    upos: str
    forms: Mapping[str, str]
    feats: str
    line: int


@dataclass(frozen=True, slots=True)
class Paradigm:
    """An open class: suffixes by gender, after a stem; with a `kind` it makes gender words.

    `endings`: all suffixes once, for a first look.
    """

    upos: str
    suffixes: Mapping[str, str]
    endings: tuple[str, ...]
    feats: tuple[Features, ...]
    stem: re.Pattern[str]
    exceptions: frozenset[str]
    kind: str = ""
    flags: frozenset[str] = frozenset()


_REFERENTS = {"masculine": "Masc", "feminine": "Fem"}


class Reading(NamedTuple):
    """One way to read a word form.

    `gender` is grammatical (``Masc``, ``Fem``, ``Neut``) or empty where the form shows none;
    `referent` is set for gender words only; `forms` gives the agreeing forms by gender;
    `prefix` is the first part of a contraction.
    """

    upos: str
    gender: str
    feats: Features
    form: str
    forms: Mapping[str, str]
    referent: str = ""
    row: PairRow | None = None
    prefix: str = ""

    def feature(self, name: str) -> str:
        """A feature, or one of ours: Gender, Referent, Kind, Pair; empty where it has none."""
        if name == "Gender":
            return self.gender
        if name in self.feats:
            return self.feats[name]
        if self.row is None:
            return ""
        if name == "Referent":
            return _REFERENTS[self.referent]
        if name == "Kind":
            return self.row.kind
        return self.row.pair if name == "Pair" else ""


@dataclass(frozen=True, slots=True)
class Phonetic:
    """Two forms that follow the sound of the next word: `other` before the rest."""

    other: str
    before_sound: str
    sound: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Compounds:
    """Words that end in a listed gender word; `split`: the first part is a token of its own;
    `agreement`: words that agree may end so too."""

    first: re.Pattern[str]
    kinds: frozenset[str]
    least: int
    exceptions: frozenset[str]
    split: bool
    agreement: bool


@dataclass(frozen=True, slots=True)
class Relations:
    """What relations of Universal Dependencies say about agreement and identity.

    `attributive`: the dependent agrees with its governor; `subject`: a predicate with a copula
    agrees with this dependent; `passive`: a participle does; `chained`: the dependent agrees with
    whatever its governor agrees with; `identical`: governor and dependent name one person.
    """

    attributive: frozenset[str] = frozenset({"det", "amod", "acl"})
    subject: frozenset[str] = frozenset({"nsubj", "csubj"})
    passive: frozenset[str] = frozenset({"nsubj:pass", "csubj:pass"})
    chained: frozenset[str] = frozenset({"conj", "xcomp", "advcl"})
    identical: frozenset[str] = frozenset({"appos", "flat"})


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of agreement.toml; `kept`: the values that a `select` rule leaves, by feature."""

    kind: str
    name: str
    pattern: Pattern
    forms: frozenset[str] = frozenset()
    keep: str = ""
    kept: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    code: str = ""
    share: frozenset[str] = frozenset()
    default: bool = False
    any_number: bool = False


@dataclass(frozen=True, slots=True)
class Grammar:
    """agreement.toml."""

    classes: Mapping[str, frozenset[str]] = field(default_factory=dict)
    shapes: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
    written: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
    contractions: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    fixed: frozenset[str] = frozenset()
    paradigms: tuple[Paradigm, ...] = ()
    compounds: Compounds | None = None
    linked_pronouns: bool = False
    refuse_names: bool = True
    phonetics: tuple[Phonetic, ...] = ()
    rules: Mapping[str, tuple[Rule, ...]] = field(default_factory=dict)
    relations: Relations = Relations()
    # the language's own features, with what they mean
    features: Mapping[str, str] = field(default_factory=dict)


class Name(NamedTuple):
    name: str
    gender: str
    share: float | None
    source: str


class ContextWord(NamedTuple):
    form: str
    gender: str
    note: str


class GoldenRow(NamedTuple):
    sentence: str
    direction: str
    expected: str
    note: str
    line: int


@dataclass(frozen=True, slots=True)
class Config:
    """language.toml."""

    tag: str
    name: str
    endonym: str
    script: str
    direction: str
    segmentation: str
    tokens: str
    marks: str
    gendered: bool
    order: Mapping[str, str]
    parsers: Mapping[str, str]
    coverage: Mapping[str, object]
    review: Mapping[str, object]


@dataclass(frozen=True)
class Lexicon:
    """Everything that is known about one language; `version` is a hash of its files."""

    config: Config
    version: str
    pairs: tuple[PairRow, ...]
    agreement: tuple[AgreementRow, ...]
    grammar: Grammar
    names: tuple[Name, ...]
    context: tuple[ContextWord, ...]
    golden: tuple[GoldenRow, ...]
    segments: tuple[str, ...] = ()
    # rows of pairs.tsv that a majority of reviewers has voted out: known, never used
    voted_out: tuple[PairRow, ...] = ()

    @property
    def lang(self) -> str:
        return self.config.tag

    def forms(self, gender: str) -> frozenset[str]:
        """All forms of one gender, as the lexicon writes them."""
        return frozenset(row.form(gender) for row in self.pairs if row.form(gender))

    @cached_property
    @collection_paused()
    def tokenizer(self) -> Tokenizer:
        config = self.config
        if config.segmentation == SPACES:
            return make_tokenizer(SPACES, extra=config.tokens)  # which keeps no words whole
        words = sorted(self.forms("masculine") | self.forms("feminine"))
        return make_tokenizer(config.segmentation, [*words, *self.segments], extra=config.tokens)
