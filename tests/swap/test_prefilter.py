"""The scan of a corpus: many texts at once say what each says alone, and no gender word is lost."""

from __future__ import annotations

from functools import lru_cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.lexicon import load_lexicon
from curate.swap import Swapper, prefilter

PIECES = [
    "he", "He", "HE", "actress", "l'", "amie", "amica", "sig.ra", "dott.ssa", "Lehrerin", "_he",
    "he_", "he-goat", "train", "house", " ", " ", ".", ",", "=", "\u0338", "\u0301", "’", "«",
    "\n", "\r", "\t", "\u00a0", "\u2028", "\ud800", "ü",
]  # fmt: skip


@lru_cache
def _swapper(lang: str) -> Swapper:
    return Swapper(load_lexicon(lang))


def _texts() -> st.SearchStrategy[list[str]]:
    return st.lists(st.lists(st.sampled_from(PIECES), max_size=8).map("".join), max_size=6)


@pytest.mark.parametrize("lang", ["en", "de", "fr", "it"])
@settings(deadline=None)
@given(texts=_texts())
def test_texts_scanned_together_are_as_each_alone(lang: str, texts: list[str]) -> None:
    swapper = _swapper(lang)
    assert swapper.scan(texts) == [swapper.scan([text])[0] for text in texts]


@pytest.mark.parametrize("lang", ["en", "de", "fr", "it"])
@settings(deadline=None)
@given(texts=_texts())
def test_what_the_scan_rules_out_holds_no_gender_word(lang: str, texts: list[str]) -> None:
    swapper = _swapper(lang)
    for text, could in zip(texts, swapper.scan(texts), strict=True):
        if not could:
            assert swapper.gender_words(text) == []


def test_a_sign_composed_with_a_mark_does_not_hide_the_word_behind_it() -> None:
    assert _swapper("en").scan(["=\u0338he left"]) == [True]


def test_forgetting_what_chunks_hold_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"word{n} {'he' if n % 3 == 0 else 'it'} other{n}" for n in range(200)]
    monkeypatch.setattr(prefilter, "MAX_CHUNKS", 7)
    assert Swapper(load_lexicon("en")).scan(texts) == [n % 3 == 0 for n in range(200)]


def test_letters_without_end_are_not_kept() -> None:
    swapper = Swapper(load_lexicon("en"))
    for n in range(3):
        text = f"{'x' * 100_000}{n} it {'y' * 100_000}{n}'he' rains"
        assert swapper.scan([text]) == [True]
    kept = swapper._prefilter._idle | swapper._prefilter._holding
    assert kept == {b"it", b"rains"}
