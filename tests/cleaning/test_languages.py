"""Which sentences are taken for another language. The sentences are written for these tests."""

from __future__ import annotations

import gzip
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.cleaning.languages import LanguageFilter, identifier_version
from curate.errors import MissingExtraError


@pytest.mark.parametrize(
    ("lang", "text", "said"),
    [
        ("en", "My sister works in a small hospital close to the beach.", None),
        ("en", "Meine Schwester arbeitet in einem kleinen Krankenhaus.", "de"),
        ("de", "Meine Schwester arbeitet in einem kleinen Krankenhaus.", None),
        ("en", "Die!", None),  # too short to tell
        ("en", "", None),
        ("en", "1848 – 1849", None),
        ("en", "東京", "Han script"),
        ("ja", "東京", None),
        ("ja", "iPhoneがほしいです。", None),
        ("ru", "У меня есть PlayStation 2.", None),
        ("ru", "I have a new game at home.", "Latin script"),
        ("da", "Søsteren min jobber på et lite sykehus.", None),  # Norwegian is too alike
        ("sv", "Min søster arbejder på et lille hospital.", "da"),
        ("sv", "My sister works in a small hospital close to the beach.", "en"),
        ("pt", "Minha irmã trabalha em um hospital pequeno perto da praia.", None),
        ("es", "Minha irmã trabalha em um hospital pequeno perto da praia.", "pt"),
        ("ca", "La meva germana treballa en un hospital petit prop de la platja.", None),
    ],
)
def test_what_is_said_of_a_sentence(lang: str, text: str, said: str | None) -> None:
    found = LanguageFilter(lang, least=0.9).judge([text])[0]
    if said is None:
        assert found is None
    else:
        assert found is not None
        name, _, share = found.rpartition(" ")
        assert name == said
        assert 0.9 <= float(share) <= 1.0


@given(st.lists(st.text(max_size=40), max_size=6))
def test_a_sentence_is_judged_by_itself(texts: list[str]) -> None:
    judges = LanguageFilter("de", least=0.9)
    assert judges.judge(texts) == [judges.judge([text])[0] for text in texts]


def test_surer_drops_less() -> None:
    texts = ["Das Haus ist alt.", "La casa es muy vieja.", "O Tom ama a Mary.", "Hela huset sover."]
    found = [
        [said is not None for said in LanguageFilter("en", least=least).judge(texts)]
        for least in (0.5, 0.8, 0.9, 0.99, 1.0)
    ]
    for looser, stricter in pairwise(found):
        assert all(a or not b for a, b in zip(looser, stricter, strict=True))
    assert found[0] == [True] * 4


@pytest.mark.parametrize("lang", ["de", "en", "es", "fi", "hi", "id", "pt", "sv", "zh"])
def test_real_sentences_stay(shared_data: Path, lang: str) -> None:
    with gzip.open(shared_data / "tatoeba" / f"{lang}.txt.gz", "rt", encoding="utf-8") as lines:
        texts = [line.strip() for line in lines][::5][:1000]
    # names of files that stand among the sentences are none
    real = [text for text in texts if not text.startswith("../")]
    found = [said for said in LanguageFilter(lang, least=0.9).judge(real) if said]
    assert len(found) <= 2, found


@pytest.mark.parametrize(("own", "other"), [("en", "de"), ("es", "pt"), ("pt", "es"), ("zh", "ja")])
def test_real_sentences_of_another_language_go(shared_data: Path, own: str, other: str) -> None:
    with gzip.open(shared_data / "tatoeba" / f"{other}.txt.gz", "rt", encoding="utf-8") as lines:
        texts = [line.strip() for line in lines][::20][:500]
    found = [said for said in LanguageFilter(own, least=0.9).judge(texts) if said]
    assert len(found) >= 0.8 * len(texts)
    assert sum(said.startswith((other, "Hiragana", "Katakana", "Han")) for said in found) >= (
        0.9 * len(found)
    )


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert identifier_version().startswith("py3langid ")
    monkeypatch.setitem(sys.modules, "py3langid", None)
    with pytest.raises(MissingExtraError, match="py3langid") as caught:
        identifier_version()
    assert "[clean]" in caught.value.hint
