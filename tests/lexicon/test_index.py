"""The index finds by short cuts what a search through all of the lexicon finds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.language import compatible, expand_features, fold
from curate.lexicon import FormIndex, Lexicon, available_languages, load_lexicon
from curate.lexicon.model import Paradigm, Reading, Rule
from curate.lexicon.readings import OpenClasses, agreeing_words

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


@pytest.mark.parametrize("lang", ["ar", "de", "es", "it", "ru"])
def test_a_form_is_read_by_every_open_class_that_it_ends_like(lang: str) -> None:
    paradigms = [p for p in load_lexicon(lang).grammar.paradigms if not p.kind]
    classes = OpenClasses(paradigms)
    endings = sorted({suffix for paradigm in paradigms for suffix in paradigm.endings})
    letters = sorted({letter for suffix in endings for letter in suffix})
    exceptions = sorted({word for paradigm in paradigms for word in paradigm.exceptions})

    @settings(max_examples=200, deadline=None)
    @given(
        st.builds("{}{}".format, st.text(letters, max_size=6), st.sampled_from(endings))
        | st.text(letters, max_size=6)
        | st.sampled_from(exceptions or endings)
    )
    def reads_as_one_by_one(form: str) -> None:
        assert classes.read(form) == one_by_one(paradigms, form)

    reads_as_one_by_one()


def one_by_one(paradigms: Sequence[Paradigm], form: str) -> list[Reading]:
    """The readings that every suffix of every paradigm gives a form."""
    expected: list[Reading] = []
    for paradigm in paradigms:
        for suffix in dict.fromkeys(paradigm.suffixes.values()):
            stem = form.removesuffix(suffix)
            if form in paradigm.exceptions or not form.endswith(suffix):
                continue
            if paradigm.stem.fullmatch(stem):
                forms = {tag: stem + own for tag, own in paradigm.suffixes.items()}
                shown = [tag for tag, own in forms.items() if own == form]
                for feats in paradigm.feats:
                    expected += agreeing_words(paradigm.upos, forms, feats, shown)
    return expected
