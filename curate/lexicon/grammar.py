"""Read agreement.toml."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from curate.language import expand_features, parse_features
from curate.lexicon.model import (
    NAME_CLASSES,
    Compounds,
    Grammar,
    PairRow,
    Paradigm,
    Phonetic,
    Relations,
    Rule,
)
from curate.lexicon.patterns import PatternReader
from curate.lexicon.tables import Problems, read_text
from curate.lexicon.word_classes import read_classes

__all__ = ["GENDER_COLUMNS", "REFUSALS", "RULE_KINDS", "read_grammar", "read_toml"]

RULE_KINDS = ("select", "agree", "same", "refuse", "suspect", "explained")
GENDER_COLUMNS = {"masculine": "Masc", "feminine": "Fem", "neuter": "Neut"}
REFUSALS = frozenset(
    {
        "no-gender-word",
        "several-gender-words",
        "two-referents",
        "no-counterpart",
        "ambiguous-word",
        "ambiguous-form",
        "agreement-unresolved",
        "fixed-gender-noun",
        "already-target",
        "gendered-name",
        "bad-text",
    }
)
_SECTIONS = {
    "classes",
    "shapes",
    "written",
    "contractions",
    "fixed",
    "paradigm",
    "phonetic",
    "compounds",
    "options",
    "relations",
    "features",
    *RULE_KINDS,
}
_KEYS = {
    "select": {"name", "forms", "pattern", "keep", "default"},
    "agree": {"name", "pattern", "share"},
    "same": {"name", "pattern", "number"},
    "refuse": {"name", "forms", "pattern", "code"},
    "suspect": {"name", "forms", "pattern", "code"},
    "explained": {"name", "forms", "pattern"},
}


def read_toml(path: Path, problems: Problems) -> dict[str, Any] | None:
    text = read_text(path, problems)
    if text is None:
        return None
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        problems.add(path.name, int(line[1]) if line else 0, f"not TOML: {error}")
        return None


def read_grammar(path: Path, problems: Problems, pairs: Sequence[PairRow] = ()) -> Grammar:
    """The grammar, with whatever is broken noted in `problems` and left out.

    `pairs`: the rows that classes may draw on (`<kind=role>`).
    """
    data = read_toml(path, problems)
    if data is None:
        return Grammar()
    reader = _Reader(path, problems)
    for unknown in sorted(set(data) - _SECTIONS):
        problems.add(path.name, reader.line(f"[{unknown}]"), f"unknown section [{unknown}]")
    reader.class_forms = read_classes(data.get("classes", {}), pairs, reader.note)
    shapes = reader.shapes(data.get("shapes", {}))
    written = reader.shapes(data.get("written", {}))
    return Grammar(
        classes=reader.class_forms,
        shapes=shapes,
        written=written,
        contractions=reader.contractions(data.get("contractions", {})),
        fixed=frozenset(reader.fixed(data.get("fixed", {}))),
        paradigms=tuple(reader.each(data, "paradigm", reader.paradigm)),
        refuse_names=data.get("options", {}).get("names") != "rules",
        linked_pronouns=data.get("options", {}).get("pronouns") == "linked",
        compounds=reader.compounds(data.get("compounds", {})),
        phonetics=tuple(reader.each(data, "phonetic", reader.phonetic)),
        features={str(k): str(v) for k, v in data.get("features", {}).items()},
        relations=reader.relations(data.get("relations", {})),
        rules=reader.rules(data),
    )


class _Reader:
    def __init__(self, path: Path, problems: Problems) -> None:
        self._file = path.name
        self._problems = problems
        self._lines = path.read_text(encoding="utf-8").splitlines()
        self.class_forms: dict[str, frozenset[str]] = {}
        self.shape_names: set[str] = set()

    def line(self, needle: str, nth: int = 0) -> int:
        """The line of the nth occurrence of `needle`, or 0."""
        hits = [i for i, line in enumerate(self._lines, start=1) if needle in line]
        return hits[nth] if nth < len(hits) else 0

    def note(self, needle: str, message: str, nth: int = 0) -> None:
        self._problems.add(self._file, self.line(needle, nth), message)

    def shapes(self, table: Mapping[str, Any]) -> dict[str, re.Pattern[str]]:
        compiled = {}
        for name, expression in table.items():
            try:
                compiled[name] = re.compile(str(expression))
            except re.error as error:
                self.note(name, f"shape {name}: {error}")
        self.shape_names |= compiled.keys()
        return compiled

    def fixed(self, table: Mapping[str, Any]) -> frozenset[str]:
        try:
            return self._forms(table.get("forms", ""))
        except ValueError as error:
            self.note("[fixed]", str(error))
            return frozenset()

    def contractions(self, table: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
        result = {}
        for form, parts in table.items():
            words = str(parts).lower().split()
            if len(words) != 2:
                self.note(form, f"contraction {form!r} must stand for two words")
                continue
            result[form.lower()] = (words[0], words[1])
        return result

    def each(
        self, data: Mapping[str, Any], kind: str, build: Callable[[Mapping[str, Any]], Any]
    ) -> list[Any]:
        built = []
        for nth, item in enumerate(data.get(kind, [])):
            try:
                built.append(build(item))
            except (ValueError, KeyError, re.error) as error:
                message = f"missing key {error}" if isinstance(error, KeyError) else str(error)
                self.note(f"[[{kind}]]", f"{kind} {nth + 1}: {message}", nth)
        return built

    def paradigm(self, item: Mapping[str, Any]) -> Paradigm:
        _only(item, {"upos", "feats", "stem", "except", "kind", "flags", *GENDER_COLUMNS})
        suffixes = {tag: str(item[key]) for key, tag in GENDER_COLUMNS.items() if key in item}
        if len(suffixes) < 2:
            raise ValueError("needs suffixes of two genders")
        if "" in suffixes.values() and "stem" not in item:
            raise ValueError("an empty suffix fits every word: give a stem")
        return Paradigm(
            upos=str(item["upos"]),
            suffixes=suffixes,
            endings=tuple(dict.fromkeys(suffixes.values())),
            feats=tuple(expand_features(str(item.get("feats", "")))),
            stem=re.compile(str(item.get("stem", ".{2,}"))),
            exceptions=frozenset(str(item.get("except", "")).lower().split()),
            kind=str(item.get("kind", "")),
            flags=frozenset(filter(None, str(item.get("flags", "")).split(","))),
        )

    def compounds(self, item: Mapping[str, Any]) -> Compounds | None:
        if not item:
            return None
        try:
            _only(item, {"first", "kinds", "least", "except", "split", "agreement"})
            return Compounds(
                first=re.compile(str(item["first"])),
                kinds=frozenset(str(item.get("kinds", "role kinship noun title")).split()),
                least=int(item.get("least", 4)),
                exceptions=frozenset(str(item.get("except", "")).lower().split()),
                split=bool(item.get("split", False)),
                agreement=bool(item.get("agreement", False)),
            )
        except (ValueError, KeyError, re.error) as error:
            self.note("[compounds]", str(error))
            return None

    def relations(self, item: Mapping[str, Any]) -> Relations:
        try:
            _only(item, {field.name for field in fields(Relations)})
        except ValueError as error:
            self.note("[relations]", str(error))
            return Relations()
        return Relations(**{key: frozenset(str(value).split()) for key, value in item.items()})

    def phonetic(self, item: Mapping[str, Any]) -> Phonetic:
        _only(item, {"forms", "before"})
        other, special = item["forms"]
        return Phonetic(str(other), str(special), re.compile(str(item["before"])))

    def _forms(self, given: object) -> frozenset[str]:
        """Words, and the members of the classes that are named; a list may hold multiword forms."""
        forms: set[str] = set()
        words = given if isinstance(given, list) else str(given).split()
        for word in map(str.lower, map(str, words)):
            if not word.startswith(":") or len(word) == 1:
                forms.add(word)
            elif word[1:] in self.class_forms:
                forms |= self.class_forms[word[1:]]
            else:
                raise ValueError(f"forms: class {word} is not defined")
        return frozenset(forms)

    def rules(self, data: Mapping[str, Any]) -> dict[str, tuple[Rule, ...]]:
        """By kind; to be read after the classes and the shapes."""
        patterns = PatternReader(self.class_forms, {*self.shape_names, *NAME_CLASSES})

        def build(item: Mapping[str, Any]) -> Rule:
            return self._rule(kind, item, patterns)

        found = {}
        for kind in RULE_KINDS:
            found[kind] = tuple(self.each(data, kind, build))
        return found

    def _rule(self, kind: str, item: Mapping[str, Any], patterns: PatternReader) -> Rule:
        _only(item, _KEYS[kind])
        pattern = patterns.read(str(item["pattern"]))
        keep = str(item["keep"]) if kind == "select" else ""
        kept = parse_features(keep) if keep not in {"none", "refuse"} else {}
        code = str(item.get("code", "agreement-unresolved"))
        if code not in REFUSALS:
            raise ValueError(f"unknown refusal code {code!r}")
        forms = self._forms(item.get("forms", ""))
        share = frozenset(str(item.get("share", "Case Number Decl")).split())
        name = str(item.get("name", "")) or f"{kind}: {pattern.source}"
        return Rule(
            kind=kind,
            name=name,
            pattern=pattern,
            forms=forms,
            keep=keep,
            kept=kept,
            code=code,
            share=share,
            default=bool(item.get("default", False)),
            any_number=item.get("number") == "any",
        )


def _only(item: Mapping[str, Any], allowed: set[str]) -> None:
    unknown = sorted(set(item) - allowed)
    if unknown:
        raise ValueError(f"unknown keys {unknown}; known: {sorted(allowed)}")
