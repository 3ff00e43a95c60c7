"""occupations.toml: subjects, pronouns, articles, and what keeps a sentence out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from curate.genders import GENDERS
from curate.lexicon.grammar import read_toml
from curate.lexicon.model import Phonetic
from curate.lexicon.tables import Problems

__all__ = ["SECTIONS", "DropRule", "OccupationRules", "read_rules"]

SECTIONS = ("indefinite", "definite")
ANY = "any"
_KEYS = {"subjects", "pronouns", "articles", "drop", "phonetic", "sources"}
_GENDERS = {"Masc", "Fem", "Neut", "Com", ANY}
_CODE = re.compile(r"[a-z]+(-[a-z]+)*")


@dataclass(frozen=True, slots=True)
class DropRule:
    """A sentence that is left out: `after` is looked for right after the man's sentence's subject,
    `rest` anywhere behind it; with a `gender` only nouns of that gender are left out."""

    code: str
    gender: str
    after: re.Pattern[str] | None
    rest: re.Pattern[str] | None

    def matches(self, rest: str) -> bool:
        """Whether the rule speaks of a sentence with `rest` behind its subject."""
        if self.after is not None and self.after.match(rest):
            return True
        return self.rest is not None and self.rest.search(rest) is not None


@dataclass(frozen=True)
class OccupationRules:
    """What the file says. `subjects`: by gender, how sentences begin; `articles`: by definiteness
    and grammatical gender; `phonetics`: more of those of agreement.toml, for these nouns alone."""

    subjects: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    pronouns: Mapping[str, str] = field(default_factory=dict)
    articles: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    drops: tuple[DropRule, ...] = ()
    phonetics: tuple[Phonetic, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)

    def article(self, definiteness: str, gender: str) -> str | None:
        """The article of a noun, or None where the file has none for its gender."""
        articles = self.articles.get(definiteness, {})
        return articles.get(gender or ANY, articles.get(ANY))


def read_rules(path: Path, problems: Problems) -> OccupationRules:
    """Read occupations.toml; what is broken is noted in `problems` and left out."""
    data = read_toml(path, problems)
    if data is None:
        return OccupationRules()
    for section in sorted(set(data) - _KEYS):
        problems.add(path.name, 0, f"unknown section [{section}]")
    try:
        rules = OccupationRules(
            subjects={gender: _openings(data["subjects"][gender]) for gender in GENDERS},
            pronouns={gender: str(data["pronouns"][gender]) for gender in GENDERS},
            articles={name: dict(data["articles"].get(name, {})) for name in SECTIONS},
            drops=tuple(_drop(rule) for rule in data.get("drop", [])),
            phonetics=tuple(_phonetic(rule) for rule in data.get("phonetic", [])),
            sources=dict(data.get("sources", {})),
        )
    except KeyError as error:
        problems.add(path.name, 0, f"{error} is missing")
        return OccupationRules()
    except (AttributeError, TypeError, ValueError, re.error) as error:
        problems.add(path.name, 0, f"not in the form of lexicons/en/{path.name} ({error})")
        return OccupationRules()
    _check(rules, path.name, problems)
    return rules


def _openings(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(opening, str) for opening in value):
        raise TypeError("[subjects] holds lists of words in quotes")
    return tuple(value)


def _drop(rule: Mapping[str, Any]) -> DropRule:
    unknown = set(rule) - {"code", "gender", "after", "rest"}
    if unknown or not {"after", "rest"} & set(rule):
        raise ValueError("a [[drop]] has code, perhaps gender, and after or rest")
    if not _CODE.fullmatch(rule["code"]):
        raise ValueError(f"code {rule['code']!r} must be lower-case words with hyphens")
    after, rest = (
        re.compile(rule[name], re.IGNORECASE) if name in rule else None
        for name in ("after", "rest")
    )
    return DropRule(rule["code"], str(rule.get("gender", "")), after, rest)


def _phonetic(rule: Mapping[str, Any]) -> Phonetic:
    other, before_sound = rule["forms"]
    return Phonetic(str(other), str(before_sound), re.compile(rule["before"], re.IGNORECASE))


def _check(rules: OccupationRules, file: str, problems: Problems) -> None:
    seen: dict[str, str] = {}
    for gender, openings in rules.subjects.items():
        if not openings or not all(opening.strip() == opening != "" for opening in openings):
            problems.add(file, 0, f"[subjects] {gender} wants at least one beginning of a sentence")
        for opening in openings:
            if seen.setdefault(opening, gender) != gender:
                problems.add(file, 0, f"{opening!r} stands under both genders")
        if not rules.pronouns[gender].strip():
            problems.add(file, 0, f"[pronouns] {gender} is empty")
    for name, articles in rules.articles.items():
        for gender, article in articles.items():
            if gender not in _GENDERS or not str(article).strip():
                problems.add(file, 0, f"[articles.{name}] {gender} = {article!r}: no such article")
    for rule in rules.drops:
        if rule.gender and rule.gender not in _GENDERS:
            problems.add(file, 0, f"[[drop]] {rule.code}: gender {rule.gender!r}")
