"""Telling languages and scripts apart. The sentences are written for these tests."""

from __future__ import annotations

import math
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.errors import MissingExtraError, UsageError
from curate.language.identify import LanguageIdentifier, load_identifier, too_alike
from curate.language.scripts import letters_by_script, script_of, scripts_of, weight

SENTENCES = {
    "ar": "ذهبت المعلمة إلى المدرسة في الصباح الباكر.",
    "ca": "La meva germana treballa en un hospital petit prop de la platja.",
    "cs": "Moje sestra pracuje v malé nemocnici nedaleko pláže.",
    "de": "Meine Schwester arbeitet in einem kleinen Krankenhaus am Strand.",
    "en": "My sister works in a small hospital close to the beach.",
    "es": "Mi hermana trabaja en un hospital pequeño cerca de la playa.",
    "fi": "Siskoni työskentelee pienessä sairaalassa lähellä rantaa.",
    "fr": "Ma sœur travaille dans un petit hôpital près de la plage.",
    "hi": "मेरी बहन समुद्र के पास एक छोटे अस्पताल में काम करती है।",
    "id": "Kakak perempuan saya bekerja di rumah sakit kecil dekat pantai.",
    "it": "Mia sorella lavora in un piccolo ospedale vicino alla spiaggia.",
    "ja": "私の姉は海の近くの小さな病院で働いています。",
    "mt": "Oħti taħdem fi sptar żgħir ħdejn il-bajja.",
    "nl": "Mijn zus werkt in een klein ziekenhuis vlak bij het strand.",
    "pt": "Minha irmã trabalha em um hospital pequeno perto da praia.",
    "ru": "Моя сестра работает в маленькой больнице у моря.",
    "sv": "Min syster arbetar på ett litet sjukhus nära stranden.",
    "th": "พี่สาวของฉันทำงานในโรงพยาบาลเล็กๆ ใกล้ทะเล",
    "tr": "Kız kardeşim sahile yakın küçük bir hastanede çalışıyor.",
    "zh": "我姐姐在海边的一家小医院工作。",
}


@pytest.fixture(scope="module")
def identifier() -> LanguageIdentifier:
    return load_identifier()


@pytest.mark.parametrize("lang", SENTENCES)
def test_a_sentence_is_in_its_language(identifier: LanguageIdentifier, lang: str) -> None:
    shares = identifier.identify([SENTENCES[lang]])[0]
    assert next(iter(shares)) == lang
    assert shares[lang] > 0.5
    assert identifier.rivals(SENTENCES[lang], lang) == []


@pytest.mark.parametrize("lang", SENTENCES)
def test_every_other_language_has_it_as_the_first_rival(
    identifier: LanguageIdentifier, lang: str
) -> None:
    for other in SENTENCES:
        if other == lang:
            continue
        rivals = identifier.rivals(SENTENCES[lang], other)
        assert rivals[0].lang == lang
        assert rivals[0].margin > 1
        assert [r.margin for r in rivals] == sorted((r.margin for r in rivals), reverse=True)
        assert identifier.rivals(SENTENCES[lang], other, least=rivals[0].margin) == []


def test_only_candidates_are_weighed_and_keep_their_names(identifier: LanguageIdentifier) -> None:
    shares = identifier.identify([SENTENCES["de"]], ["en-GB", "de-AT", "nb"])[0]
    assert next(iter(shares)) == "de-AT"
    assert set(shares) == {"en-GB", "de-AT", "nb"}


def test_the_margin_is_the_logarithm_of_the_shares(identifier: LanguageIdentifier) -> None:
    text = SENTENCES["pt"]
    shares = identifier.identify([text])[0]
    first = identifier.rivals(text, "es")[0]
    assert math.isclose(first.margin, math.log(shares["pt"] / shares["es"]), rel_tol=1e-6)


@given(st.lists(st.text(max_size=60), max_size=4))
def test_shares_sum_to_one_and_batches_change_nothing(texts: list[str]) -> None:
    identifier = load_identifier()
    together = identifier.identify(texts, ["de", "en", "th"])
    assert together == [identifier.identify([text], ["th", "de", "en"])[0] for text in texts]
    for shares in together:
        assert math.isclose(sum(shares.values()), 1)
        assert list(shares.values()) == sorted(shares.values(), reverse=True)


@pytest.mark.parametrize("text", ["", "  ", "!?"])
def test_a_text_without_letters_speaks_for_no_language(
    identifier: LanguageIdentifier, text: str
) -> None:
    assert identifier.rivals(text, "de", least=1) == []


@pytest.mark.parametrize(
    ("tag", "known"),
    [
        *((lang, True) for lang in SENTENCES),
        *((tag, True) for tag in ("nb", "pt-BR", "zh-Hant-TW", "iw", "cmn", "tl", "fil", "arb")),
        *((tag, False) for tag in ("", "und", "zxx", "x-own", "gsw", "qaa", "not a tag")),
    ],
)
def test_what_it_knows(identifier: LanguageIdentifier, tag: str, known: bool) -> None:
    assert identifier.knows(tag) is known


@pytest.mark.parametrize("candidates", [[], ["de", "gsw"]])
def test_candidates_must_be_known(identifier: LanguageIdentifier, candidates: list[str]) -> None:
    with pytest.raises(UsageError) as caught:
        identifier.identify(["a"], candidates)
    assert "known: " in caught.value.hint


@pytest.mark.parametrize(
    ("lang", "other", "alike"),
    [
        ("nb", "da", True), ("id", "ms", True), ("hr", "bs", True), ("pt-BR", "pt-PT", True),
        ("ar", "arz", True), ("es", "pt", False), ("cs", "sk", False), ("mt", "en", False),
        ("cy", "en", False), ("not a tag", "en", False), ("not a tag", "not a tag", True),
    ],
)  # fmt: skip
def test_twins_are_not_told_apart(lang: str, other: str, alike: bool) -> None:
    assert too_alike(lang, other) is too_alike(other, lang) is alike


def test_danish_is_no_rival_of_norwegian(identifier: LanguageIdentifier) -> None:
    danish = "Min søster arbejder på et lille hospital tæt på stranden."
    assert next(iter(identifier.identify([danish])[0])) == "da"
    assert "da" not in [rival.lang for rival in identifier.rivals(danish, "nb")]


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "py3langid.langid", None)
    with pytest.raises(MissingExtraError) as caught:
        LanguageIdentifier()
    assert "gender-curate[translate]" in caught.value.hint


@pytest.mark.parametrize(
    ("letter", "script"),
    [
        ("a", "LATIN"), ("Ａ", "LATIN"), ("ж", "CYRILLIC"), ("姐", "CJK"), ("の", "HIRAGANA"),
        ("ｶ", "KATAKANA"), ("ก", "THAI"), ("ी", "DEVANAGARI"), ("1", ""), ("!", ""), ("ª", ""),
        ("\u0301", ""), ("\ud800", ""),
    ],
)  # fmt: skip
def test_the_script_of_a_letter(letter: str, script: str) -> None:
    assert script_of(letter) == script


@pytest.mark.parametrize(
    ("lang", "declared", "scripts"),
    [
        ("de", "", {"LATIN"}), ("ja", "", {"CJK", "HIRAGANA", "KATAKANA"}),
        ("sr", "", {"CYRILLIC", "LATIN"}), ("sr-Latn", "Cyrl", {"LATIN"}),
        ("sr", "Cyrl", {"CYRILLIC"}), ("zh", "Hans", {"CJK"}), ("kk", "", {"CYRILLIC", "ARABIC"}),
        ("de", "Zsye", set()), ("qaa", "", set()), ("not a tag", "", set()),
    ],
)  # fmt: skip
def test_the_scripts_of_a_language(lang: str, declared: str, scripts: set[str]) -> None:
    assert scripts_of(lang, declared=declared) == scripts


@pytest.mark.parametrize("lang", SENTENCES)
def test_a_sentence_is_in_the_scripts_of_its_language(lang: str) -> None:
    assert set(letters_by_script(SENTENCES[lang])) <= scripts_of(lang)


@pytest.mark.parametrize("lang", SENTENCES)
def test_the_same_sentence_weighs_much_the_same_in_every_script(lang: str) -> None:
    assert 0.65 < weight(SENTENCES[lang]) / weight(SENTENCES["en"]) < 1.4
