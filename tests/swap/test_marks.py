"""Letters that a text may leave out: vowel signs, the lengthening stroke, stress."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.language import keep_marks, without_marks
from curate.lexicon import Lexicon
from curate.swap import Swapper
from tests.conftest import LANGUAGE, load, write_lexicon

MARKS = "\u064b\u064e\u064f\u0650\u0651\u0640"
PAIRS = [
    {"pair": "worked", "masculine": "عمل", "feminine": "عملت", "upos": "VERB", "kind": "pronoun"},
    {"pair": "elected", "masculine": "وانتخب", "feminine": "وانتخبت", "upos": "VERB",
     "kind": "pronoun"},
    {"pair": "writer", "masculine": "كاتبًا", "feminine": "كاتبة"},
    {"pair": "teaches", "masculine": "يعلم", "feminine": "تعلم", "upos": "VERB", "kind": "pronoun"},
]  # fmt: skip
GRAMMAR = """
[[agree]]
name = "phrase"
pattern = "@NOUN =ADJ*"
"""
SWAPS = [
    ("عمِل في لندن.", "عمِلت في لندن."),
    ("عَمِلَ في لندن.", "عَمِلَت في لندن."),
    ("كاتبًا", "كاتبة"),
    ("هنا وانتُخب", "هنا وانتُخبت"),
    ("يُعلِّم في لندن.", "تُعلِّم في لندن."),
    ("عمـل", "عمـلت"),
]


@pytest.fixture(scope="module")
def arabic_like(tmp_path_factory: pytest.TempPathFactory) -> Lexicon:
    folder = write_lexicon(tmp_path_factory.mktemp("lexicons") / "ar", PAIRS, "", GRAMMAR)
    text = f'marks = "{MARKS}"\n' + LANGUAGE.format(tag="ar")
    (folder / "language.toml").write_text(text, encoding="utf-8")
    return load(folder)


@pytest.mark.parametrize(("text", "expected"), SWAPS)
def test_marks_may_be_written(arabic_like: Lexicon, text: str, expected: str) -> None:
    swapper = Swapper(arabic_like)
    assert swapper.scan([text, expected]) == [True, True]
    assert swapper.swap(text).counterpart == expected
    assert swapper.swap(expected).counterpart == text


def test_without_the_setting_a_marked_word_is_another(tmp_path: Path) -> None:
    folder = write_lexicon(tmp_path / "ar", PAIRS, "", GRAMMAR)
    swapper = Swapper(load(folder))
    assert swapper.swap("عمِل في لندن.").refused == "no-gender-word"
    assert swapper.scan(["عمِل في لندن."]) == [False]


def test_marks_stay_with_their_letters() -> None:
    assert without_marks("عَمِلَ", MARKS) == "عمل"
    assert keep_marks("يُعلِّم", "يعلم", "تعلم", MARKS) == "تُعلِّم"
    assert keep_marks("قُتلت", "قتلت", "قتل", MARKS) == "قُتل"
    # nothing in common, and a word that is not the old one with marks
    assert keep_marks("عَمِلَ", "عمل", "كتبت", MARKS) == "كتبت"
    assert keep_marks("عَمِل", "كتبت", "كتب", MARKS) == "كتب"
