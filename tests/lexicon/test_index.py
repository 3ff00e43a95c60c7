"""The index finds by short cuts what a search through all of the lexicon finds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import pytest

from curate.language import compatible, expand_features, fold
from curate.lexicon import FormIndex, Lexicon, available_languages, load_lexicon
from curate.lexicon.model import Rule

Item = TypeVar("Item")
LANGUAGES = available_languages()
SAMPLE = 400


def some(items: Sequence[Item]) -> Sequence[Item]:
    """A few hundred from everywhere in a list."""
    return items[:: max(1, len(items) // SAMPLE)]


def tokens(lexicon: Lexicon, form: str) -> tuple[str, ...]:
    return tuple(fold(token.text) for token in lexicon.tokenizer(form))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_form_is_found_under_its_tokens(lang: str) -> None:
    lexicon = load_lexicon(lang)
    index = FormIndex(lexicon)
    for row in some(list(lexicon.pairs)):
        for gender, flag in (("masculine", "opaque-m"), ("feminine", "opaque-f")):
            key = tokens(lexicon, row.form(gender))
            own = [r for r in index.words.get(key, ()) if r.row is row and r.referent == gender]
            if not row.form(gender) or flag in row.flags:
                assert own == []
                continue
            assert [reading.feats for reading in own] == expand_features(row.feats)
            assert {reading.form for reading in own} == {row.form(gender)}
            assert {reading.gender for reading in own} == {row.grammatical(gender)}
            assert index.longest[key[0]] >= len(key)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_key_is_there_without_a_form(lang: str) -> None:
    lexicon = load_lexicon(lang)
    index = FormIndex(lexicon)
    for key, readings in some(list(index.words.items())):
        assert readings
        assert all(tokens(lexicon, reading.form) == key for reading in readings)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_agreeing_forms_are_read_from_their_rows(lang: str) -> None:
    lexicon = load_lexicon(lang)
    index = FormIndex(lexicon)
    for row in some(list(lexicon.agreement)):
        for gender, form in row.forms.items():
            own = [r for r in index.agreeing(fold(form)) if r.forms == row.forms and not r.prefix]
            assert {r.gender for r in own} & {gender, ""}, (form, gender)
            for feats in expand_features(row.feats):
                assert any(r.upos == row.upos and compatible(r.feats, feats) for r in own)


def anchored(rules: tuple[Rule, ...], word: str) -> list[int]:
    """The numbers of the rules that may be about a word, looked for in all of them."""
    found = []
    for number, rule in enumerate(rules):
        anchor = rule.pattern.anchor
        words = rule.forms or (None if anchor.negated else anchor.closed)
        if not words or word in words:
            found.append(number)
    return found


@pytest.mark.parametrize("lang", LANGUAGES)
def test_rules_are_found_by_the_words_they_are_about(lang: str) -> None:
    lexicon = load_lexicon(lang)
    index = FormIndex(lexicon)
    for kind, rules in lexicon.grammar.rules.items():
        named = sorted({word for rule in rules for word in rule.forms} | {"no-such-word"})
        for word in some(named):
            groups = list(index.rules(kind, word))
            found = sorted(one.number for _, same in groups for one in same)
            assert found == anchored(rules, word)
            for anchor, same in groups:
                for one in same:
                    assert one.rule is rules[one.number]
                    assert one.rule.pattern.anchor.atoms is anchor.atoms
                    assert one.rule.pattern.anchor.negated == anchor.negated


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_text_meets_the_needs_of_the_rules_whose_words_it_has(lang: str) -> None:
    lexicon = load_lexicon(lang)
    index = FormIndex(lexicon)
    for kind, rules in lexicon.grammar.rules.items():
        for word in {"", *(word for rule in rules for word in sorted(rule.forms)[:1])}:
            for _, same in index.rules(kind, word):
                for one in same:
                    needs = one.rule.pattern.needs
                    met = 0
                    for words in needs:
                        met |= index.meets(min(words)) if words else 0
                    assert one.needs & met == one.needs or not all(needs)
                    assert bool(one.needs) == bool(needs)
