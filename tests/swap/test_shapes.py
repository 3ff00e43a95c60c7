"""The expressions of a language asked all at once say what each says by itself."""

from __future__ import annotations

import re

import pytest

from curate.lexicon import available_languages, load_lexicon
from curate.swap.shapes import ShapeBits


@pytest.mark.parametrize("lang", available_languages())
def test_all_at_once_is_one_by_one(lang: str) -> None:
    lexicon = load_lexicon(lang)
    shapes = list(lexicon.grammar.shapes.values())
    bits = ShapeBits((shape, 1 << n) for n, shape in enumerate(shapes))
    words = {word.lower() for row in lexicon.pairs for word in (row.masculine, row.feminine)}
    words |= {word[:size] for word in sorted(words)[::20] for size in range(len(word))}
    for word in sorted(words)[:: max(1, len(words) // 3000)]:
        expected = sum(1 << n for n, shape in enumerate(shapes) if shape.fullmatch(word))
        assert bits.of(word) == expected


def test_expressions_with_groups_or_flags_are_asked_by_themselves() -> None:
    expressions = [r"(a)\1", "(?i)ABC", "a.*", r"a$|b", "x|y"]
    bits = ShapeBits((re.compile(e), 1 << n) for n, e in enumerate(expressions))
    for word in ("aa", "abc", "b", "ax", "x", "", "a\n", "xy"):
        expected = sum(1 << n for n, e in enumerate(expressions) if re.fullmatch(e, word))
        assert bits.of(word) == expected, word
    assert ShapeBits([]).of("a") == 0
