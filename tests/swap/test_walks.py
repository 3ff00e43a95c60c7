"""Walks along a pattern take what a regular expression of the same elements would match."""

from __future__ import annotations

import re

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curate.lexicon.patterns import PatternReader
from curate.swap.sentence import Unit
from curate.swap.walks import Walk, make_walker

QUANTIFIERS = ["", "", "?", "*", "+", "{0,2}", "{1,3}", "{2,2}"]


def _sequences(inner: st.SearchStrategy[tuple[str, str]]) -> st.SearchStrategy[tuple[str, str]]:
    """A group of alternatives as (pattern, expression)."""

    def join(choices: list[list[tuple[str, str]]], quantifier: str) -> tuple[str, str]:
        ours = " | ".join(" ".join(part[0] for part in choice) for choice in choices)
        theirs = "|".join("".join(part[1] for part in choice) for choice in choices)
        return f"( {ours} ){quantifier}", f"(?:{theirs}){quantifier}"

    choices = st.lists(st.lists(inner, min_size=1, max_size=3), min_size=1, max_size=2)
    return st.builds(join, choices, st.sampled_from(QUANTIFIERS))


def _single(word: str, negated: str, quantifier: str) -> tuple[str, str]:
    theirs = f"[^{word}]" if negated else word
    return f"{negated}'{word}'{quantifier}", f"{theirs}{quantifier}"


SINGLES = st.builds(
    _single, st.sampled_from("abc"), st.sampled_from(["", "", "!"]), st.sampled_from(QUANTIFIERS)
)
NESTED = SINGLES | _sequences(SINGLES) | _sequences(SINGLES | _sequences(SINGLES))
PATTERNS = st.lists(NESTED, min_size=1, max_size=4)


@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(parts=PATTERNS, words=st.text("abc", max_size=7))
def test_a_walk_to_the_end_is_a_full_match(parts: list[tuple[str, str]], words: str) -> None:
    source = " ".join(part[0] for part in parts)
    expected = re.fullmatch("".join(part[1] for part in parts), words) is not None
    right = PatternReader({}, ()).read(f"@ {source} $").right
    left = PatternReader({}, ()).read(f"^ {source} @").left
    units = [Unit(word, word, "Lower", (), ()) for word in words]
    assert make_walker(right, 1)(Walk(units, _never, None), 0, None) is expected
    assert make_walker(left, -1)(Walk(units, _never, None), len(units) - 1, None) is expected


def _never(unit: Unit, atoms: object) -> bool:
    raise AssertionError("words alone tell what fits")


def test_what_a_failed_way_marked_is_forgotten() -> None:
    right = PatternReader({}, ()).read("@ ( &'a' 'x' | &'a' 'b' )* 'c'").right
    walk = Walk([Unit(word, word, "Lower", (), ()) for word in "ababc"], _never, None)
    assert make_walker(right, 1)(walk, 0, None)
    assert [at for at, _ in walk.found] == [0, 2]
