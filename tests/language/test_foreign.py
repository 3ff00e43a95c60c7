"""Texts that are surely in another language than the expected one."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.errors import UsageError
from curate.language.identify import Rival, load_identifier, too_alike

WORDS = st.sampled_from(
    ["the house is old", "la casa", "es vieja", "das Haus", "ist alt", "o menino", "viu a lua",
     "ja", "det är", "ett"]
)  # fmt: skip


@settings(deadline=None)
@given(st.lists(st.lists(WORDS, max_size=9).map(" ".join), max_size=5), st.floats(0.5, 1.0))
def test_what_is_foreign_is_the_likeliest_and_sure_enough(texts: list[str], least: float) -> None:
    identifier = load_identifier()
    for text, rival in zip(texts, identifier.foreign(texts, "de", least=least), strict=True):
        shares = identifier.identify([text])[0]
        best = next(iter(shares))
        pair = shares[best] / (shares[best] + shares["de"])
        if rival is None:
            assert best == "de" or too_alike("de", best) or pair <= least + 1e-9 or not text
        else:
            assert rival.lang == best
            assert rival.share == pytest.approx(pair)
            assert rival.share >= least
            assert rival in identifier.rivals(text, "de")


def test_the_share_is_that_of_the_two() -> None:
    assert Rival("en", 0.0).share == 0.5
    assert Rival("en", math.log(9)).share == pytest.approx(0.9)


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(UsageError, match="does not know"):
        load_identifier().foreign(["text"], "tlh", least=0.9)
