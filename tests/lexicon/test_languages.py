"""One parametrized test over all languages that the package carries."""

from __future__ import annotations

import pytest

from curate.lexicon import available_languages, check_lexicon, load_lexicon
from curate.resources import lexicons_folder
from curate.swap.golden import golden_failures

LEXEMES, NAMES, GOLDEN, REFUSED = 220, 60, 80, 0.25


@pytest.mark.parametrize("lang", available_languages())
def test_files_are_clean(lang: str) -> None:
    assert [str(problem) for problem in check_lexicon(lexicons_folder() / lang)] == []


@pytest.mark.parametrize("lang", available_languages())
def test_golden_sentences(lang: str) -> None:
    failures = [
        f"line {f.row.line}: {f.row.sentence} -> {f.got} ({f.detail}), not {f.row.expected}"
        for f in golden_failures(load_lexicon(lang))
    ]
    assert failures == []


@pytest.mark.parametrize("lang", available_languages())
def test_size(lang: str) -> None:
    lexicon = load_lexicon(lang)
    assert len({row.pair for row in lexicon.pairs}) >= LEXEMES
    for gender in ("masculine", "feminine"):
        assert sum(name.gender == gender for name in lexicon.names) >= NAMES
        assert sum(row.direction == gender for row in lexicon.golden) >= GOLDEN / 4
    refused = sum(row.expected.startswith("REFUSE:") for row in lexicon.golden)
    assert len(lexicon.golden) >= GOLDEN
    assert refused >= REFUSED * len(lexicon.golden)


@pytest.mark.parametrize("lang", available_languages())
def test_golden_counterparts_are_not_the_sentence_itself(lang: str) -> None:
    for row in load_lexicon(lang).golden:
        assert row.expected != row.sentence, row.line
