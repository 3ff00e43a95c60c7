"""Sentences share their units: none of them shows in what another one is answered."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from curate.lexicon import available_languages, load_lexicon
from curate.swap import Swapper, SwapResult, reader

SAMPLE = 60


def _texts(lang: str) -> list[str]:
    golden = load_lexicon(lang).golden
    return list(dict.fromkeys(row.sentence for row in golden))[:SAMPLE]


def _answers(swapper: Swapper, texts: list[str]) -> dict[str, tuple[SwapResult, ...]]:
    return {
        text: tuple(swapper.swap(text, mentions=own) for own in ("one", "referent", "all"))
        for text in texts
    }


def _mixed(texts: list[str], seed: int) -> list[str]:
    return random.Random(seed).sample(texts, len(texts))  # noqa: S311


@pytest.mark.parametrize("lang", available_languages())
def test_what_was_read_before_changes_nothing(lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lexicon, texts = load_lexicon(lang), _texts(lang)
    swapper = Swapper(lexicon)
    first = _answers(swapper, texts)
    assert any(result.edits for results in first.values() for result in results)
    mixed = _mixed(texts, 0)
    assert _answers(swapper, mixed) == first
    monkeypatch.setattr(reader, "MAX_KNOWN", 5)  # forgets within every sentence
    assert _answers(Swapper(lexicon), mixed) == first


def test_threads_may_share_a_swapper() -> None:
    lexicon, texts = load_lexicon("de"), _texts("de")
    alone, shared = _answers(Swapper(lexicon), texts), Swapper(lexicon)
    orders = [_mixed(texts, seed) for seed in range(4)]
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda order: _answers(shared, order), orders):
            assert found == alone
