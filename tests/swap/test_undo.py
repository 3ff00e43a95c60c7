"""Swapping twice gives the first sentence back, on real text (the bench takes more of it)."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.lexicon import available_languages
from tests.bench.undo import read_sentences, swap_twice


@pytest.mark.parametrize("lang", available_languages())
def test_swapping_twice_undoes_or_refuses(lang: str, shared_data: Path) -> None:
    corpus = shared_data / "tatoeba" / f"{lang}.txt.gz"
    if not corpus.is_file():
        pytest.skip(f"no corpus of {lang}")
    found = swap_twice(lang, read_sentences(corpus), 1000)
    assert found.attempted > 100
    assert found.share >= 0.98, found.other[:10]
