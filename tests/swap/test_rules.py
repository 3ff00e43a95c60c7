"""Rules that are filed away unlooked at are rules that would not have matched."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.lexicon import available_languages, load_lexicon
from curate.swap import Swapper, rules
from curate.swap.heads import find_heads
from curate.swap.matcher import match
from curate.swap.results import Refusal
from curate.swap.rules import candidates
from curate.swap.sentence import Sentence
from tests.conftest import load, write_lexicon

SAMPLE = 40
KING = {"pair": "king", "masculine": "rey", "feminine": "reina", "feats": "Number=Sing"}


def _matching(sentence: Sentence, kind: str, at: int) -> tuple[list[int], list[int]]:
    """The numbers of the rules that match around a unit: of all rules, and of the candidates."""
    unit, fits = sentence.units[at], sentence.fitting.fits
    every = [
        number
        for number, rule in enumerate(sentence.lexicon.grammar.rules[kind])
        if (not rule.forms or unit.lower in rule.forms)
        and fits(unit, rule.pattern.anchor)
        and match(sentence, rule.pattern, at)
    ]
    found = [
        n for n, rule, _ in candidates(sentence, kind, at) if match(sentence, rule.pattern, at)
    ]
    return every, found


@pytest.mark.parametrize("lang", available_languages())
def test_every_rule_that_matches_is_a_candidate(lang: str) -> None:
    lexicon = load_lexicon(lang)
    swapper = Swapper(lexicon)
    matched = 0
    for row in lexicon.golden[:: max(1, len(lexicon.golden) // SAMPLE)]:
        sentence = swapper._read(row.sentence)
        for round_of in ("all readings", "those that the rules leave"):
            for kind in lexicon.grammar.rules:
                for at in range(len(sentence.units)):
                    every, found = _matching(sentence, kind, at)
                    assert found == every, (row.sentence, kind, at, round_of)
                    matched += len(every)
            try:
                find_heads(sentence)
            except Refusal:
                break
    assert matched


def test_a_class_may_be_called_like_a_shape(tmp_path: Path) -> None:
    grammar = """
[shapes]
Num = "x.*"
[[refuse]]
pattern = "@Head :Num"
code = "two-referents"
[[refuse]]
pattern = "@Head Num"
code = "ambiguous-word"
"""
    swapper = Swapper(load(write_lexicon(tmp_path / "es", [KING], "", grammar)))
    refused = [swapper.swap(f"el rey {word}").refused for word in ("xa", "7", "va")]
    assert refused == ["two-referents", "ambiguous-word", None]


def test_a_word_of_several_tokens_that_is_none_may_be_a_name(tmp_path: Path) -> None:
    saint = {"pair": "saint", "masculine": "san juan", "feminine": "santa juana"}
    grammar = """
[[select]]
forms = ["san juan"]
pattern = "@ 'dijo'"
keep = "none"
"""
    folder = write_lexicon(tmp_path / "es", [KING, saint], "", grammar)
    names = "name\tgender\tshare\tsource\nSan Juan\tmasculine\t\town\n"
    (folder / "names.tsv").write_text(names, "utf-8")
    result = Swapper(load(folder)).swap("San Juan dijo rey")
    assert (result.refused, result.detail) == ("gendered-name", "San Juan")


def test_forgetting_which_rules_may_match_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    lexicon = load_lexicon("es")
    texts = [row.sentence for row in lexicon.golden[:150]]
    expected = list(map(Swapper(lexicon).swap, texts))
    monkeypatch.setattr(rules, "MAX_CHOICES", 1)
    assert list(map(Swapper(lexicon).swap, texts)) == expected
