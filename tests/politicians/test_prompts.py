"""Where the blank stands, by the word order that a language's own file states."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from curate.errors import InputError, UsageError
from curate.lexicon import available_languages, load_lexicon
from curate.politicians.prompts import POSITIONS, Prompts, load_prompts
from tests.conftest import LANGUAGE, write_lexicon

ORDER = 'order = { adjective = "NOUN ADJ", verb = "SVO" }'
# Table 11 of the paper: adjective, verb
PAPER = {
    "ar": ("NOUN ADJ", "VSO"), "zh": ("ADJ NOUN", "SVO"), "en": ("ADJ NOUN", "SVO"),
    "fr": ("NOUN ADJ", "SVO"), "hi": ("ADJ NOUN", "SOV"), "ru": ("ADJ NOUN", "SVO"),
    "es": ("NOUN ADJ", "SVO"),
}  # fmt: skip


@pytest.fixture
def own_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The language.toml of a language ``ia`` that only this test knows."""
    write_lexicon(tmp_path / "ia", [{"pair": "king", "masculine": "king", "feminine": "queen"}],
                  "", "")  # fmt: skip
    monkeypatch.setenv("CURATE_LEXICONS", str(tmp_path))
    load_lexicon.cache_clear()
    yield tmp_path / "ia" / "language.toml"
    load_lexicon.cache_clear()


def write_order(path: Path, order: str) -> None:
    text = LANGUAGE.format(tag="ia").replace(ORDER, order)
    assert order in text
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("adjective", "verb", "wanted"),
    [
        ("ADJ NOUN", "SVO", {"ADJ": "before", "VERB": "after"}),
        ("NOUN ADJ", "SVO", {"ADJ": "after", "VERB": "after"}),
        ("NOUN ADJ", "VSO", {"ADJ": "after", "VERB": "before"}),
        ("ADJ NOUN", "SOV", {"ADJ": "before", "VERB": "after"}),
        ("ADJ NOUN", "V2", {"ADJ": "before", "VERB": "after"}),
        ("NOUN ADJ", "VOS", {"ADJ": "after", "VERB": "before"}),
    ],
)
def test_the_order_places_the_blank(
    own_language: Path, adjective: str, verb: str, wanted: dict[str, str]
) -> None:
    write_order(own_language, f'order = {{ adjective = "{adjective}", verb = "{verb}" }}')
    assert load_prompts("ia").positions == wanted


def filled(prompts: Prompts, name: str, upos: str, word: str) -> str:
    """The text with a word in its blank."""
    at = prompts.text(name, upos)
    assert at.start == at.end
    return at.text[: at.start] + word + at.text[at.end :]


def test_a_blank_before_and_after_a_name() -> None:
    prompts = Prompts("en", {"ADJ": "before", "VERB": "after"}, " ")
    assert filled(prompts, "Ada Rowe", "ADJ", "kind") == "kind Ada Rowe"
    assert filled(prompts, "Ada Rowe", "VERB", "sings") == "Ada Rowe sings"


def test_no_space_where_a_language_writes_none() -> None:
    prompts = load_prompts("zh")
    assert filled(prompts, "王小明", "ADJ", "好") == "好王小明"
    assert filled(prompts, "王小明", "VERB", "说") == "王小明说"
    assert filled(load_prompts("th"), "สมชาย", "ADJ", "ดี") == "สมชายดี"


def test_before_is_before_in_right_to_left_scripts_too() -> None:
    prompts = load_prompts("ar")
    assert filled(prompts, "ليلى علي", "VERB", "قالت") == "قالت ليلى علي"
    assert filled(prompts, "ليلى علي", "ADJ", "كريمة") == "ليلى علي كريمة"


def test_names_are_composed_and_trimmed() -> None:
    prompts = Prompts("fr", {"ADJ": "after", "VERB": "after"}, " ")
    assert filled(prompts, " Rene\u0301e ", "ADJ", "libre") == "Ren\u00e9e libre"


@pytest.mark.parametrize("lang", sorted(PAPER))
def test_the_languages_of_the_paper_have_its_orders(lang: str) -> None:
    adjective, verb = PAPER[lang]
    assert load_prompts(lang).positions == {
        "ADJ": POSITIONS["ADJ"][adjective], "VERB": POSITIONS["VERB"][verb]
    }  # fmt: skip


def test_every_language_states_an_order() -> None:
    for lang in available_languages():
        assert set(load_prompts(lang).positions) == {"ADJ", "VERB"}


@pytest.mark.parametrize(
    ("order", "says"),
    [
        ("", "no key order.adjective"),
        ('order = { adjective = "ADJ NOUN" }', "no key order.verb"),
        ('order = { adjective = "ADJ NOUN", verb = "" }', "no key order.verb"),
        ('order = { adjective = "free", verb = "SVO" }', "order.adjective = 'free' is not known"),
    ],
)
def test_a_language_without_the_order_is_refused_with_file_and_key(
    own_language: Path, order: str, says: str
) -> None:
    write_order(own_language, order)
    with pytest.raises(InputError) as caught:
        load_prompts("ia")
    assert caught.value.message.startswith(says)
    assert (caught.value.where, caught.value.exit_code) == (str(own_language), 2)
    assert caught.value.hint.startswith("one of: ")


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(UsageError, match="unknown language 'tlh'"):
        load_prompts("tlh")
