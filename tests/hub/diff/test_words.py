"""Marking the words that changed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.hub.diff import marked_words
from curate.hub.diff.words import Piece


def shown(pieces: list[Piece]) -> str:
    return "".join(f"[{p.text}]" if p.changed else p.text for p in pieces)


@pytest.mark.parametrize(
    ("old", "new", "before", "now"),
    [
        ("The queen slept.", "The princess slept.", "The [queen] slept.", "The [princess] slept."),
        ("A b c d", "A x y d", "A [b c] d", "A [x y] d"),
        ("Come!", "Come, now!", "Come!", "Come[, now]!"),
        ("国王来了。", "女王来了。", "[国]王来了。", "[女]王来了。"),
        ("وصلت الملكة.", "وصلت الأميرة.", "وصلت [الملكة].", "وصلت [الأميرة]."),
        ("राजा आया", "रानी आया", "[राजा] आया", "[रानी] आया"),
        ("", "new", "", "[new]"),
        ("same", "same", "same", "same"),
    ],
)
def test_whole_words_are_marked(old: str, new: str, before: str, now: str) -> None:
    left, right = marked_words(old, new)
    assert (shown(left), shown(right)) == (before, now)


@given(st.text(max_size=40), st.text(max_size=40))
def test_the_pieces_are_the_text(old: str, new: str) -> None:
    left, right = marked_words(old, new)
    assert "".join(piece.text for piece in left) == old
    assert "".join(piece.text for piece in right) == new
    unmarked = ["".join(p.text for p in side if not p.changed) for side in (left, right)]
    assert unmarked[0] == unmarked[1]
    if old == new:
        assert not any(piece.changed for piece in left)


def test_a_text_of_very_many_words_takes_no_time() -> None:
    """Then the ends alone are compared."""
    words = [f"word{number % 7}" for number in range(60_000)]
    new = [*words[:100], "other", *words[101:500], "more", *words[501:]]
    left, right = marked_words(" ".join(words), " ".join(new))
    assert [piece.changed for piece in left] == [False, True, False]
    assert right[1].text.startswith("other ") and right[1].text.endswith(" more")
    assert "".join(piece.text for piece in right) == " ".join(new)


@given(st.text(alphabet="ab ", max_size=30), st.text(alphabet="ab ", max_size=30))
def test_the_ends_alone(old: str, new: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("curate.hub.diff.words._MOST", -1)
        test_the_pieces_are_the_text.hypothesis.inner_test(old, new)  # type: ignore[attr-defined]
