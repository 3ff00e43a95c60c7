"""Tokens, features, letter case."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.errors import UsageError
from curate.language import (
    compatible,
    expand_features,
    make_tokenizer,
    normalize,
    parse_features,
    shape,
    tokenize,
    transfer_case,
)


@given(st.text(max_size=80))
def test_tokens_cover_all_but_white_space(text: str) -> None:
    text = normalize(text)
    tokens = tokenize(text)
    assert all(text[t.start : t.end] == t.text for t in tokens)
    assert "".join(t.text for t in tokens) == "".join(text.split()) or not text.isprintable()


def test_words_keep_their_combining_marks() -> None:
    assert [t.text for t in tokenize("लड़की है।")] == ["लड़की", "है", "।"]


def test_punctuation_is_single() -> None:
    assert [t.text for t in tokenize("mother-in-law's ...")] == [
        "mother", "-", "in", "-", "law", "'", "s", ".", ".", ".",
    ]  # fmt: skip


def test_segmenter_keeps_given_words_and_offsets() -> None:
    pytest.importorskip("rjieba")
    text = "其他人都知道他 是男演员。"
    tokens = make_tokenizer("jieba", ["男演员"])(text)
    assert [text[t.start : t.end] for t in tokens] == [t.text for t in tokens]
    words = [t.text for t in tokens]
    assert "他" in words
    assert "男演员" in words
    assert not any(w.startswith("其") and w == "其" for w in words)


def test_unknown_segmenter() -> None:
    with pytest.raises(UsageError, match="unknown segmentation"):
        make_tokenizer("magic")


def test_features_expand_to_single_values() -> None:
    assert expand_features("Case=Nom,Acc|Number=Sing") == [
        {"Case": "Nom", "Number": "Sing"},
        {"Case": "Acc", "Number": "Sing"},
    ]
    assert expand_features("") == [{}]


@pytest.mark.parametrize("text", ["Case", "Case=", "Case=Nom|Case=Acc", "=Nom"])
def test_broken_features(text: str) -> None:
    with pytest.raises(ValueError):
        parse_features(text)


def test_compatible_compares_shared_features_only() -> None:
    assert compatible({"Case": "Nom"}, {"Number": "Sing"})
    assert not compatible({"Case": "Nom"}, {"Case": "Acc", "Number": "Sing"})


@pytest.mark.parametrize(
    ("old", "old_form", "new_form", "initial", "expected"),
    [
        ("He", "he", "she", True, "She"),
        ("HE", "he", "she", False, "SHE"),
        ("he", "he", "she", True, "she"),
        ("Frau", "Frau", "Mann", False, "Mann"),
        ("FRAU", "Frau", "Mann", False, "MANN"),
        ("A", "a", "an", True, "An"),
        ("Dad", "dad", "mum", False, "Mum"),
        ("Arzt", "Arzt", "ärztlich", True, "Ärztlich"),
        ("First Lady", "first lady", "first gentleman", False, "First Gentleman"),
        ("First lady", "first lady", "first gentleman", True, "First gentleman"),
        ("Prime Minister", "prime minister", "premier", False, "Premier"),
    ],
)
def test_case_is_taken_over(
    old: str, old_form: str, new_form: str, initial: bool, expected: str
) -> None:
    assert transfer_case(old, old_form, new_form, initial=initial) == expected


def test_shape() -> None:
    assert [shape(w) for w in ("a", "A", "Ab", "AB", "1")] == [
        "Lower", "Upper", "Upper", "Caps", "Lower",
    ]  # fmt: skip
