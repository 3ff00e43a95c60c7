"""Which script a text is written in, and which scripts a language is written in."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

__all__ = ["ALPHABETS", "RIGHT_TO_LEFT", "letters_by_script", "script_of", "scripts_of", "weight"]

# ISO 15924 codes of the scripts in use today that run from right to left (Unicode: R and AL).
RIGHT_TO_LEFT = frozenset(
    {"Adlm", "Arab", "Aran", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa"}
)

# ISO 15924 code -> the words with which Unicode names the letters
ALPHABETS: dict[str, frozenset[str]] = {
    code: frozenset(words.split())
    for code, words in (
        ("Adlm", "ADLAM"), ("Arab", "ARABIC"), ("Armn", "ARMENIAN"), ("Bali", "BALINESE"),
        ("Beng", "BENGALI"), ("Bopo", "BOPOMOFO"), ("Cans", "CANADIAN"), ("Cher", "CHEROKEE"),
        ("Cyrl", "CYRILLIC"), ("Deva", "DEVANAGARI"), ("Ethi", "ETHIOPIC"), ("Geor", "GEORGIAN"),
        ("Grek", "GREEK"), ("Gujr", "GUJARATI"), ("Guru", "GURMUKHI"), ("Hanb", "CJK BOPOMOFO"),
        ("Hang", "HANGUL"), ("Hani", "CJK"), ("Hans", "CJK"), ("Hant", "CJK"),
        ("Hebr", "HEBREW"), ("Hira", "HIRAGANA"), ("Hrkt", "HIRAGANA KATAKANA"),
        ("Java", "JAVANESE"), ("Jpan", "CJK HIRAGANA KATAKANA"), ("Kana", "KATAKANA"),
        ("Khmr", "KHMER"), ("Knda", "KANNADA"), ("Kore", "HANGUL CJK"), ("Laoo", "LAO"),
        ("Latn", "LATIN"), ("Mlym", "MALAYALAM"), ("Mong", "MONGOLIAN"), ("Mymr", "MYANMAR"),
        ("Nkoo", "NKO"), ("Orya", "ORIYA"), ("Sinh", "SINHALA"), ("Syrc", "SYRIAC"),
        ("Taml", "TAMIL"), ("Telu", "TELUGU"), ("Tfng", "TIFINAGH"), ("Thaa", "THAANA"),
        ("Thai", "THAI"), ("Tibt", "TIBETAN"), ("Yiii", "YI"),
    )
}  # fmt: skip

# How many letters of an alphabet one character stands for, where it writes a syllable or a word.
_WEIGHTS = {
    "CJK": 3.0, "YI": 3.0, "HANGUL": 2.0, "HIRAGANA": 1.5, "KATAKANA": 1.5, "ETHIOPIC": 1.5,
}  # fmt: skip
_KNOWN = frozenset().union(*ALPHABETS.values())
_WIDTHS = ("FULLWIDTH", "HALFWIDTH")


@lru_cache(maxsize=16384)
def script_of(character: str) -> str:
    """The script of a letter or vowel sign as Unicode names it (``LATIN``); empty for all else."""
    if unicodedata.category(character)[0] not in "LM":
        return ""
    words = unicodedata.name(character, "").split()
    word = next((word for word in words if word not in _WIDTHS), "")
    return word if word in _KNOWN else ""


def letters_by_script(text: str) -> dict[str, float]:
    """The letters of each script, weighed as in `weight`; digits and punctuation do not count."""
    counts = Counter(script_of(character) for character in text)
    return {name: count * _WEIGHTS.get(name, 1.0) for name, count in counts.items() if name}


def weight(text: str) -> float:
    """How long a text is, in letters of an alphabet: a Han character counts three, a kana 1.5."""
    return sum(letters_by_script(text).values())


def scripts_of(lang: str, *, declared: str = "") -> frozenset[str]:
    """The scripts of a language as Unicode names them; empty where they are not known.

    The script in the tag (``sr-Latn``) counts first, then the `declared` one (an ISO 15924 code),
    else every script that CLDR's likely subtags give the language anywhere. A tag that is none
    has no scripts.
    """
    from langcodes import Language
    from langcodes.tag_parser import LanguageTagError

    try:
        language = Language.get(lang)
    except LanguageTagError:
        return frozenset()
    code = language.script or declared
    return _letters([code] if code else _likely(language.language or ""))


def _likely(language: str) -> set[str]:
    from langcodes import Language
    from langcodes.data_dicts import LIKELY_SUBTAGS

    tags = (tag for tag in LIKELY_SUBTAGS if tag.split("-")[0] == language)
    return {Language.get(LIKELY_SUBTAGS[tag]).script or "" for tag in tags}


def _letters(codes: Iterable[str]) -> frozenset[str]:
    return frozenset().union(*(ALPHABETS.get(code, frozenset()) for code in codes))
