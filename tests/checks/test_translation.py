"""The checks of a translation beside its source. All sentences are written for these tests."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.checks import CODES, is_finding
from curate.checks.given_names import has_name
from curate.checks.markup import find_formula, find_markup
from curate.checks.translation import FIELDS, TranslationChecker
from curate.language.identify import load_identifier
from curate.lexicon import available_languages, load_lexicon

SOURCE = (
    "Olivia works in a small hospital and cooks for the whole family.",
    "James works in a small hospital and cooks for the whole family.",
)
GOOD = {
    "de": (
        "Emilia arbeitet in einem kleinen Krankenhaus und kocht für die ganze Familie.",
        "Maximilian arbeitet in einem kleinen Krankenhaus und kocht für die ganze Familie.",
    ),
    "es": (
        "Lucía trabaja en un hospital pequeño y cocina para toda la familia.",
        "Mateo trabaja en un hospital pequeño y cocina para toda la familia.",
    ),
    "fi": (
        "Tiina työskentelee pienessä sairaalassa ja laittaa ruokaa koko perheelle.",
        "Mikko työskentelee pienessä sairaalassa ja laittaa ruokaa koko perheelle.",
    ),
    "th": (
        "สมศรีทำงานในโรงพยาบาลเล็กๆ และทำอาหารให้ทั้งครอบครัว",
        "สมชายทำงานในโรงพยาบาลเล็กๆ และทำอาหารให้ทั้งครอบครัว",
    ),
    "ar": (
        "تعمل مريم في مستشفى صغير وتطبخ لكل العائلة.",
        "يعمل محمد في مستشفى صغير ويطبخ لكل العائلة.",
    ),
    "zh": ("李娜在一家小医院工作，还给全家人做饭。", "王强在一家小医院工作，还给全家人做饭。"),
    "ru": (
        "Мария работает в маленькой больнице и готовит для всей семьи.",
        "Иван работает в маленькой больнице и готовит для всей семьи.",
    ),
    "tr": (
        "Ayşe küçük bir hastanede çalışıyor ve bütün aile için yemek yapıyor.",
        "Mehmet küçük bir hastanede çalışıyor ve bütün aile için yemek yapıyor.",
    ),
}
_CHECKERS: dict[str, TranslationChecker] = {}


def checker(lang: str, source_lang: str = "en") -> TranslationChecker:
    key = f"{lang} {source_lang}"
    if key not in _CHECKERS:
        _CHECKERS[key] = TranslationChecker(lang, source_lang=source_lang)
    return _CHECKERS[key]


def codes(
    lang: str,
    more: str,
    less: str = "",
    *,
    source: tuple[str, str] = SOURCE,
    names: Sequence[str] = (),
) -> list[str]:
    found = checker(lang).check(source, (more, less), names=names)
    assert all(item.evidence.startswith(tuple(f"{field}: " for field in FIELDS)) for item in found)
    return [item.code for item in found]


@pytest.mark.parametrize("lang", GOOD)
def test_a_good_translation_has_no_findings(lang: str) -> None:
    assert codes(lang, *GOOD[lang]) == []


@pytest.mark.parametrize("lang", GOOD)
@pytest.mark.parametrize("other", GOOD)
def test_the_text_of_another_field_is_noticed(lang: str, other: str) -> None:
    if lang == other:
        return
    found = checker(lang).check(SOURCE, (GOOD[lang][0], GOOD[other][1]))
    noticed = [item for item in found if item.code in {"other-language", "wrong-script"}]
    assert len(noticed) == 1
    assert noticed[0].evidence.startswith("sent_less: ")


@pytest.mark.parametrize("lang", GOOD)
def test_english_that_is_not_the_source_is_noticed(lang: str) -> None:
    text = "She is employed at the clinic and prepares the meals for everybody."
    expected = "other-language" if lang in {"de", "es", "fi", "tr"} else "wrong-script"
    assert codes(lang, text) == [expected]


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("es", "A minha irmã trabalha no hospital e não volta para casa antes da noite."),
        ("pt", "Mi hermana trabaja en el hospital y no vuelve a casa antes de la noche."),
        ("es", "Ma sœur travaille à l'hôpital et ne rentre pas avant le soir."),
        ("de", "Mijn zus werkt in het ziekenhuis en komt pas 's avonds thuis."),
        ("ca", "Mi hermana trabaja en el hospital y no vuelve a casa antes de la noche."),
        ("sv", "Min søster arbejder på hospitalet og kommer først hjem om aftenen."),
    ],
)
def test_a_close_language_is_noticed(lang: str, text: str) -> None:
    assert codes(lang, text) == ["other-language"]


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("th", "เขาทำงานกับโปรแกรม CAD และ Photoshop ทุกวันในสำนักงาน"),
        ("zh", "他每天在 Microsoft Office 里写很多报告。"),
        ("ja", "彼は毎日 Facebook と Instagram を見ています。"),
        ("de", "Er nutzt Photoshop und Facebook, aber kein Instagram."),
        ("ru", "Каждый вечер она смотрит Netflix и читает The Guardian."),
    ],
)
def test_foreign_words_in_a_sentence_are_none(lang: str, text: str) -> None:
    assert set(codes(lang, text)) <= {"length-ratio"}


@pytest.mark.parametrize("lang", available_languages())
def test_the_sentences_of_a_lexicon_are_in_their_language(lang: str) -> None:
    sentences = [row.sentence for row in load_lexicon(lang).golden]
    judge = checker(lang, "en" if lang != "en" else "de")
    assert judge.identifies
    wrong = {
        item.evidence
        for sentence in sentences
        for item in judge.check(("", ""), (sentence, ""))
        if item.code != "length-ratio"
    }
    assert len(wrong) <= 0.01 * len(sentences), wrong


def test_an_unknown_language_is_not_judged() -> None:
    swiss = TranslationChecker("gsw", source_lang="en")
    assert not swiss.identifies
    assert swiss.check(SOURCE, GOOD["fi"]) == []
    assert [f.code for f in swiss.check(SOURCE, GOOD["th"])] == ["wrong-script", "wrong-script"]
    assert [f.code for f in swiss.check(SOURCE, SOURCE)] == ["same-as-source", "same-as-source"]


@pytest.mark.parametrize("change", [str.upper, lambda t: t.replace(" ", "  "), lambda t: t[:-1]])
def test_a_copy_is_noticed_whatever_its_case_and_spaces(change: object) -> None:
    assert callable(change)
    assert codes("de", change(SOURCE[0]), SOURCE[0]) == ["same-as-source", "same-as-source"]


def test_a_copy_within_the_language_or_of_one_short_word_is_none() -> None:
    british = TranslationChecker("en-GB", source_lang="en")
    assert british.check(SOURCE, SOURCE) == []
    assert codes("de", "Taxi!", source=("Taxi!", "Bus!")) == []


@pytest.mark.parametrize(
    ("lang", "text", "wrong"),
    [
        ("ru", "Mariya rabotayet v malen'koy bol'nitse i gotovit yedu.", True),
        ("sr", "Marija radi u maloj bolnici i kuva za celu porodicu.", False),
        ("sr", "Марија ради у малој болници и кува за целу породицу.", False),
        ("sr-Cyrl", "Marija radi u maloj bolnici i kuva za celu porodicu.", True),
        ("ja", "マリアは小さな病院で働き、家族みんなのために料理をします。", False),
    ],
)
def test_the_script(lang: str, text: str, wrong: bool) -> None:
    assert ("wrong-script" in codes(lang, text)) is wrong


@pytest.mark.parametrize(
    "text",
    [
        "<b>Er</b> schläft", "Er<br/>schläft", "Er </i>schläft", '<span class="x">Er', "<!--Er-->",
        "<img src=x onerror=alert(1)", "<script>alert(1)</script>", '<ph id="1"/>', "<?xml version",
        "Er &amp; sie", "Er &#39;schläft", "&#x27;", "[Er](https://example.org) schläft",
        "![Bild](bild.png)", "<https://example.org>", "{{name}} schläft", "$text_more",
        "<![CDATA[Er]]>",
    ],
)  # fmt: skip
def test_markup(text: str) -> None:
    assert find_markup(text)
    assert "markup" in codes("de", text)


@pytest.mark.parametrize(
    "text",
    [
        "Ich hab dich <3", "a < b", "3<5 und 7>4", "a<b und c>d", "Er -> sie", "R&D", "Er & sie",
        "AT&T; na ja", "Er [sic] schläft", "Er [sic](siehe unten) schläft", "100 $", "$100 bar",
        "Ke$ha und A$AP", "{er} schläft", "er@example.org", "* Er schläft *", "<a@example.org>",
    ],
)  # fmt: skip
def test_no_markup(text: str) -> None:
    assert find_markup(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "=1+1", " =SUMME(A1)", "＝1+1", "= gleich", "@SUM(1+1)", "@anna", "+1", "+1+1", "+ Nein",
        "+cmd|' /C calc'!A0", "-2+3+cmd|' /C calc'!A0", "-5+3", "-A1", "-SUM(A1:A3)", "-(1+2)*3",
        '-HYPERLINK("http://x";"y")', "\t=1", "\rEr", "\ufeff=1", "-Blatt1!A1*2", "-5",
    ],
)  # fmt: skip
def test_formula(text: str) -> None:
    assert find_formula(text)
    assert "formula" in codes("de", text)


@pytest.mark.parametrize(
    "text",
    [
        "- Nein, sagte er.", "-Nein", "— Nein.", "-5 Grad waren es.", "-10-20 Grad", "1+1=2",
        "+49 30 1234567 ist seine Nummer.", "+49 (30) 1234", "-A4 Papier kaufte er.",
        "-Maria (22) sagte nein.", '- "Nein" - "Doch"', "Er = sie", "'=1", "-30 °C", "- 5 Euro",
    ],
)  # fmt: skip
def test_no_formula(text: str) -> None:
    assert find_formula(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "TODO", "todo", "???", "…", "-", "—", "n/a", "N.A.", "same", "(same)", "Same as above.",
        "TODO: später", "[TBD] Er", "xxx", "x", "123", "🙂", "idem", "can't translate",
    ],
)  # fmt: skip
def test_placeholder(text: str) -> None:
    assert codes("de", text) == ["placeholder"]


@pytest.mark.parametrize(
    ("lang", "text", "source"),
    [
        ("es", "Todo.", "Everything."),
        ("es", "Todo el mundo duerme.", "The whole world is asleep."),
        ("es", "TODO VA BIEN.", "ALL IS GOING WELL."),
        ("de", "123", "123"),
        ("de", "Test", "A test"),
        ("zh", "对！", "Yes, that is right!"),
        ("de", "Same, same!", "Same, same!"),
    ],
)
def test_no_placeholder(lang: str, text: str, source: str) -> None:
    assert "placeholder" not in codes(lang, text, source=(source, source))


NAMES = {
    "de": ("Emilia Maximilian", "Emilias Mann schläft. | Die Köchin schläft."),
    "fi": ("Mikko", "Mikon auto on rikki. | Miehen auto on rikki."),
    "fi ": ("Pekka", "Annoin sen Pekalle. | Annoin sen pojalle."),
    "ru": ("Мария", "Он позвонил Марии. | Он позвонил маме."),
    "ru ": ("Пётр", "Она видела Петра. | Она видела перо."),
    "tr": ("Ayşe", "Bu Ayşe'nin evi. | Bu onun evi."),
    "ar": ("محمد", "ذهبت مع أخي ومحمد إلى السوق. | ذهبت مع أخي إلى السوق."),
    "th": ("สมชาย", "ผมเห็นสมชายที่ตลาด | ผมเห็นเขาที่ตลาด"),
    "zh": ("王强", "我看见王强在家。 | 我看见他在家。"),
    "id": ("Slamet", "Ini rumah Slametnya. | Ini rumahnya."),
    "hi": ("राम", "राम घर गया। | रमेश घर गया।"),
    "fr": ("Anne", "Le frère d'Anne dort. | Le frère de la voisine dort."),
    "en": ("Mark", "Mark's car is red. | They mark the car."),
    "es": ("Lucía", "La casa de Lucia. | La casa de su lucha."),
}  # fmt: skip


@pytest.mark.parametrize("key", NAMES)
def test_names_in_their_forms(key: str) -> None:
    names, texts = NAMES[key]
    with_name, without = texts.split(" | ")
    assert has_name(with_name, names.split())
    assert not has_name(without, names.split())


def test_a_side_without_the_names_is_a_warning() -> None:
    more, less = GOOD["de"]
    assert codes("de", more, less, names=["Emilia", "Maximilian"]) == []
    less = less.replace("Maximilian", "Der Arzt")
    assert codes("de", more, less, names=["Emilia", "Maximilian"]) == ["name-missing"]
    assert codes("de", more, less) == []


@given(st.text("abc ABC'-.", max_size=20), st.sampled_from(["Emilia", "Пётр", "สมชาย", "राम"]))
def test_a_name_that_stands_as_a_word_is_found(text: str, name: str) -> None:
    assert has_name(f"{text} {name} {text}", ["Nobody", name])


def test_lengths() -> None:
    more, less = GOOD["de"]
    assert codes("de", "Emilia arbeitet.", less) == ["length-ratio"]
    assert codes("de", more, f"{less} {less} {less}") == ["length-ratio"]
    found = checker("de").check(SOURCE, (more, "Maximilian arbeitet in einer Klinik."))
    assert [item.code for item in found] == ["length-ratio"]
    assert found[0].evidence.startswith("sent_less: 0.")


def test_an_empty_side_is_left_to_the_checks_of_the_pair() -> None:
    assert codes("de", "", " \n") == []


def test_one_side_may_have_several_findings() -> None:
    found = codes(
        "de", "=<b>Emilia arbeitet im Krankenhaus und kocht für alle.</b>", names=["Anna"]
    )
    assert found == ["formula", "markup", "name-missing"]


@given(st.lists(st.tuples(st.text(max_size=40), st.text(max_size=40)), max_size=3))
def test_any_text_is_judged_and_a_batch_is_its_rows(texts: list[tuple[str, str]]) -> None:
    german = checker("de")
    together = german.check_all([(SOURCE, pair, ["Emilia"]) for pair in texts])
    assert together == [german.check(SOURCE, pair, names=["Emilia"]) for pair in texts]
    for item in chain.from_iterable(together):
        assert CODES[item.code].check == "translation"
        assert is_finding(item.code)
        assert "\n" not in item.evidence


@given(st.text(alphabet=st.characters(categories=["L", "M", "Zs"], include_characters=".,!?«»"),
               max_size=60))  # fmt: skip
def test_words_and_full_stops_are_no_markup_and_no_formula(text: str) -> None:
    assert find_markup(text) == ""
    assert find_formula(text) == ""


@pytest.mark.parametrize(
    "text",
    ["-" + "(a)+" * 30_000, "<a " + "b" * 200_000, "[a](" * 50_000, "-" + "1+" * 90_000 + "x",
     "<a b=" * 40_000, "&" * 200_000, "-" * 200_000, "a" * 200_000, "<" * 200_000],
)  # fmt: skip
def test_hostile_texts_end_quickly(text: str) -> None:
    load_identifier()
    start = time.perf_counter()
    checker("de").check(SOURCE, (text, text), names=["Emilia"])
    assert time.perf_counter() - start < 3


def test_two_thousand_pairs_are_checked_in_seconds() -> None:
    german = checker("de")
    start = time.perf_counter()
    german.check_all([(SOURCE, GOOD["de"], ["Emilia", "Maximilian"])] * 2000)
    assert time.perf_counter() - start < 5


def test_every_code_is_given_above() -> None:
    given_here = {
        "formula", "length-ratio", "markup", "name-missing", "other-language", "placeholder",
        "same-as-source", "wrong-script",
    }  # fmt: skip
    assert {code for code in CODES if CODES[code].check == "translation"} == given_here
    warnings = {code for code in given_here if CODES[code].level == "warning"}
    assert warnings == {"name-missing", "length-ratio"}
