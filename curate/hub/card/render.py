"""The dataset card: the README of a release, rendered from its facts."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from curate.checks.codes import CODES
from curate.hub.card.bibtex import bibtex
from curate.hub.card.facts import ConfigFacts, Facts, read_facts
from curate.hub.card.features import type_in_words
from curate.hub.card.languages import LanguageFacts
from curate.hub.card.licence_table import Licence
from curate.hub.card.licences import config_licences, licence_of, sources_of, whole_licence
from curate.hub.card.markdown import cell, code, count, in_words
from curate.hub.card.metadata import metadata_yaml
from curate.hub.card.papers import papers_of
from curate.hub.card.people import scheme_of
from curate.hub.card.reliability import AlphaFacts
from curate.hub.card.shapes import Counts, Example, Lengths, SourceFacts
from curate.hub.card.templates import NOT_STATED, environment
from curate.resources import hub_cards_folder

__all__ = ["render_card", "shared_values"]

TEMPLATE = "card.md.j2"
_MOST_SHOWN = 12
_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+")
_ORDER = {"pairs": 0, "crows": 1}
_HOLDS = {
    "drops": "number and reason of every row of a source that became no pair",
    "lexicon": "all pairs of word forms of the lexicons that the pairs were made with",
    "politicians": "people with their names and every stated value of gender",
    "names": "given names that one gender bears",
    "occupations": "sentences said of him, of her and of occupations",
}


def render_card(folder: Path, manifest: Mapping[str, Any]) -> str:
    """The text of README.md: YAML metadata, then Markdown that begins with a content warning.

    Every figure is counted from the files under `folder`; what only people can say comes from
    ``manifest["about"]``, and is "not stated" where that is silent. Raises InputError as
    `read_facts` does.
    """
    facts = read_facts(folder, manifest)
    return environment().get_template(TEMPLATE).render(_values(facts))


def shared_values(facts: Facts) -> dict[str, Any]:
    """What the card and the datasheet are both rendered from."""
    return {
        "facts": facts,
        "sources": list(_sources(facts)),
        "checked": [one for one in facts.configs if one.checked],
        "unchecked": [one for one in facts.pair_configs if not one.checked],
        "judged": facts.of_kind("crows"),
        "dropped": [one for one in facts.configs if one.drops],
        "methods": sorted({one.method for one in facts.configs}),
        "other_methods": sorted({one.method for one in facts.of_kind("pairs")} - {"msg"}),
        "papers": papers_of(facts),
        "names": lambda configs: _names(configs, facts),
        "counted": _counted,
        "named": _named,
        "licence_of_all": lambda config: _licence_of_all(config, facts),
        "schemes": {one.name: scheme_of(one) for one in facts.of_kind("politicians")},
        "origin": lambda config: in_words([one.source for one in sources_of(config, facts)]),
        "holds": lambda kind: _HOLDS.get(kind, f"rows of the kind {kind}"),
    }


def _values(facts: Facts) -> dict[str, Any]:
    ordered = sorted(facts.configs, key=lambda one: (_ORDER.get(one.kind, len(_ORDER)), one.name))
    return shared_values(facts) | {
        "metadata": metadata_yaml(facts),
        "repository": facts.repository or "PATH_OR_REPOSITORY",
        "revision": f', revision="v{facts.version}"' if facts.repository else "",
        "published": _REPOSITORY.fullmatch(facts.repository) is not None,
        "sides": in_words(_sides(facts)).replace(" and ", " or "),
        "first": ordered[0].name if ordered else "",
        "examples": list(_examples(facts)),
        "others": [one for one in facts.configs if not one.has_pairs],
        "lengths": list(_lengths(facts)),
        "meanings": _meanings(facts),
        "kinds": list({one.kind: one for one in reversed(ordered)}.values())[::-1],
        "meaning_of": lambda name: _column_meanings(hub_cards_folder()).get(name, ""),
        "type_of": type_in_words,
        "coverage": _coverage,
        "golden": _golden,
        "decimal": _decimal,
        "interval": _interval,
        "share": lambda counts, value: dict(counts).get(value, 0),
        "bibtex": bibtex(facts),
    }


def _examples(facts: Facts) -> Iterator[tuple[ConfigFacts, Example]]:
    for config in facts.pair_configs:
        own = config.pairs or config.crows
        if own is not None and own.example is not None:
            yield config, own.example


def _lengths(facts: Facts) -> Iterator[tuple[ConfigFacts, Lengths]]:
    for config in facts.pair_configs:
        own = config.pairs or config.crows
        if own is not None and own.lengths is not None:
            yield config, own.lengths


def _sources(facts: Facts) -> Iterator[tuple[ConfigFacts, SourceFacts, Licence]]:
    for config in facts.configs:
        for source in sources_of(config, facts):
            yield config, source, licence_of(source, facts.about)


def _meanings(facts: Facts) -> list[tuple[str, str, str]]:
    """(code, level, meaning) of every code that was found and is known."""
    checks = [one.checked for one in facts.configs if one.checked]
    found = sorted({name for one in checks for name, _ in one.codes} & CODES.keys())
    return [(name, CODES[name].level, CODES[name].meaning) for name in found]


def _sides(facts: Facts) -> list[str]:
    """The sides whose share a score is."""
    named = {"pairs": "masculine", "crows": "more stereotypical"}
    return [name for kind, name in named.items() if facts.of_kind(kind)]


def _names(configs: tuple[ConfigFacts, ...], facts: Facts) -> str:
    names = {one.tag: one.name for one in facts.languages}
    langs = sorted({lang for config in configs for lang in config.langs})
    return in_words([cell(names.get(lang, lang)) for lang in langs]) or NOT_STATED


def _counted(counts: Counts) -> str:
    """``a`` 3, ``b`` 1; the rare ones together."""
    shown = [f"{code(value)} {count(rows)}" for value, rows in counts[:_MOST_SHOWN]]
    rest = sum(rows for _, rows in counts[_MOST_SHOWN:])
    return ", ".join([*shown, f"others {count(rest)}"] if rest else shown) or "none"


def _named(licence: Licence) -> str:
    """A licence with a link to its text, where there is one."""
    return f"[{cell(licence.name)}](<{licence.url}>)" if licence.url else cell(licence.name)


def _licence_of_all(config: ConfigFacts, facts: Facts) -> str:
    """The licence of a whole configuration, or why there is not one."""
    whole = whole_licence(config, facts)
    if whole is not None:
        return _named(whole)
    known = {one.known for one in config_licences(config, facts)}
    if known == {False}:
        return NOT_STATED
    return "not stated for all rows" if False in known else "as the rows say"


def _coverage(language: LanguageFacts) -> str:
    if language.coverage is None:
        return NOT_STATED
    on = f"{count(language.coverage_sentences or 0)} sentences of {cell(language.coverage_corpus)}"
    return f"{100 * language.coverage:.1f} % of {on}"


def _golden(language: LanguageFacts) -> str:
    if language.golden is None:
        return NOT_STATED
    if language.golden_passed is None:
        return f"{count(language.golden)}, not run"
    return f"{count(language.golden_passed)} of {count(language.golden)}"


def _decimal(value: float | None) -> str:
    return NOT_STATED if value is None else f"{value:.2f}"


def _interval(one: AlphaFacts) -> str:
    """The interval, or why there is none."""
    if one.low is None or one.high is None:
        return cell(one.note) or NOT_STATED
    return f"{one.low:.2f} to {one.high:.2f} ({100 * one.confidence:g} %)"


@lru_cache(maxsize=4)
def _column_meanings(folder: Path) -> dict[str, str]:
    """What every column holds, in words; nested columns have a dot in their name."""
    content = tomllib.loads((folder / "columns.toml").read_text(encoding="utf-8"))
    return {name: text for name, text in content.items() if isinstance(text, str)}
