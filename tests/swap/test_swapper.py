"""The swap on two toy languages: what moves, what is refused, what stays."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.errors import UsageError
from curate.lexicon import Lexicon
from curate.swap import Swapper

SPANISH = [
    ("El viejo rey era muy cansado.", "La vieja reina era muy cansada."),
    ("LA REINA", "EL REY"),
    ("Vi al rey del norte.", "Vi a la reina del norte."),
    ("la corona de la reina", "la corona del rey"),
    ("Era la periodista.", "Era el periodista."),
    ("Los reyes llegan; los reyes cantan.", "Las reinas llegan; las reinas cantan."),
    ("La primera dama llega.", "El primer caballero llega."),
    ("El hombre es un rey.", "La mujer es una reina."),
    ("El motor gastado del rey", "El motor gastado de la reina"),
]
GERMAN = [
    ("Die Frau kommt.", "Der Mann kommt."),
    ("Ich gehe zur Frau.", "Ich gehe zum Mann."),
    ("Ein junger Mann", "Eine junge Frau"),
    ("Das alte Mädchen", "Der alte Junge"),
    ("Der Junge", "Das Mädchen"),
    ("Die Revuetänzerin", "Der Revuetänzer"),
    ("Die Schirmherrerin", "Der Schirmherrer"),
]
REFUSED = [
    ("El mercado abre.", "no-gender-word"),
    ("La víctima duerme.", "fixed-gender-noun"),
    ("El rey y la reina", "two-referents"),
    ("El rey vio al hombre.", "two-referents"),
    ("El rey y los reyes", "two-referents"),
    ("El rey contra todos", "two-referents"),
    ("La reina madre", "no-counterpart"),
    ("El rey volvió derrotado.", "agreement-unresolved"),
    ("Un rey\x07", "bad-text"),
    ("Un periodista y la periodista.", "two-referents"),
    ("periodista", "no-gender-word"),
]


@pytest.mark.parametrize(("text", "expected"), SPANISH)
def test_agreement_moves(spanish_like: Lexicon, text: str, expected: str) -> None:
    result = Swapper(spanish_like).swap(text)
    assert result.counterpart == expected, result.detail


@pytest.mark.parametrize(("text", "expected"), GERMAN)
def test_case_and_declension(german_like: Lexicon, text: str, expected: str) -> None:
    result = Swapper(german_like).swap(text)
    assert result.counterpart == expected, result.detail


@pytest.mark.parametrize(("text", "code"), REFUSED)
def test_refuses(spanish_like: Lexicon, text: str, code: str) -> None:
    result = Swapper(spanish_like).swap(text)
    assert (result.counterpart, result.refused) == (None, code), result.detail


def test_open_class_masculine_is_no_source(german_like: Lexicon) -> None:
    assert Swapper(german_like).swap("Ein Fenster").refused == "no-gender-word"


def test_ambiguous_form_goes_to_the_ranker(german_like: Lexicon) -> None:
    text = "Ich sehe die Frau."
    assert Swapper(german_like).swap(text).refused == "ambiguous-form"

    class Accusative:
        def choose(self, candidates: Sequence[str]) -> int | None:
            return next(i for i, c in enumerate(candidates) if "den Mann" in c)

    class Undecided:
        def choose(self, candidates: Sequence[str]) -> int | None:
            return None

    assert Swapper(german_like, ranker=Accusative()).swap(text).counterpart == "Ich sehe den Mann."
    assert Swapper(german_like, ranker=Undecided()).swap(text).refused == "ambiguous-form"


def test_mentions_one_counts_gender_words_not_what_agrees(spanish_like: Lexicon) -> None:
    swapper = Swapper(spanish_like)
    assert swapper.swap("El viejo rey", mentions="one").counterpart == "La vieja reina"
    assert swapper.swap("El rey y el rey", mentions="one").refused == "several-gender-words"


def test_direction(spanish_like: Lexicon) -> None:
    swapper = Swapper(spanish_like)
    assert swapper.swap("El rey", to="masculine").refused == "already-target"
    with pytest.raises(UsageError):
        swapper.swap("El rey", to="neuter")


def test_offsets_point_at_the_edits_in_both_texts(spanish_like: Lexicon) -> None:
    result = Swapper(spanish_like).swap("Ayer vi al viejo rey; es muy viejo.")
    assert result.counterpart is not None
    assert [(e.old, e.new) for e in result.edits][:2] == [("al", "a la"), ("viejo", "vieja")]
    for edit, mirror in zip(result.edits, result.target_edits, strict=True):
        assert result.text[edit.start : edit.end] == edit.old
        assert result.counterpart[mirror.start : mirror.end] == edit.new == mirror.old


def test_mentions_all_changes_everybody(spanish_like: Lexicon) -> None:
    swapper = Swapper(spanish_like)
    for text, expected in [
        ("El rey vio al hombre.", "La reina vio a la mujer."),
        ("El rey y los reyes", "La reina y las reinas"),
        ("El rey contra todos", "La reina contra todos"),
    ]:
        assert swapper.swap(text, mentions="all").counterpart == expected
    assert swapper.swap("El rey y la reina", mentions="all").refused == "two-referents"
    assert swapper.swap("El rey volvió derrotado.", mentions="all").refused
    with pytest.raises(UsageError, match="no such direction or mentions"):
        swapper.swap("El rey", mentions="some")


def test_mentions_of_a_bad_text_are_none(spanish_like: Lexicon) -> None:
    assert Swapper(spanish_like).mentions("El rey\x07") == []


def test_a_book_on_one_line_is_refused_at_once(spanish_like: Lexicon) -> None:
    result = Swapper(spanish_like).swap("El rey era viejo. " * 20_000)
    assert result.refused == "two-referents"


def test_input_is_normalised_to_nfc(spanish_like: Lexicon) -> None:
    result = Swapper(spanish_like).swap("e\u0301l")
    assert (result.text, result.counterpart) == ("él", "ella")


def test_fill_puts_another_word_in_place(spanish_like: Lexicon) -> None:
    swapper = Swapper(spanish_like)
    text = "Vi al viejo rey."
    (mention,) = swapper.mentions(text)
    assert swapper.fill(text, mention, "mujer", "feminine").counterpart == "Vi a la vieja mujer."
    assert swapper.fill(text, mention, "hombre", "masculine").counterpart == "Vi al viejo hombre."
    assert swapper.fill(text, mention, "reinas", "feminine").refused == "no-counterpart"


PHRASES = ["el rey", "la vieja reina", "del viejo rey", "de la reina", "un hombre", "la periodista"]
OTHERS = ["casa", "muy", "es", ",", ".", "Era", "7", "el mercado", "x"]
NOISE = ["el", "la", "rey", "reina", "viejo", "vieja", "del", "Rey", "LA", "periodista"]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PHRASES + OTHERS + NOISE), max_size=10))
def test_text_outside_the_edits_is_untouched(parts: list[str]) -> None:
    result = _swapper().swap(" ".join(parts))
    rebuilt = result.text
    for edit in reversed(result.edits):
        rebuilt = rebuilt[: edit.start] + edit.new + rebuilt[edit.end :]
    assert rebuilt == (result.counterpart or result.text)
    assert bool(result.refused) == (result.counterpart is None)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PHRASES + OTHERS), max_size=6))
def test_swapping_twice_gives_the_sentence_back_or_refuses(parts: list[str]) -> None:
    text = " ".join(parts)
    there = _swapper().swap(text)
    if there.counterpart is not None:
        back = _swapper().swap(there.counterpart)
        assert back.refused or back.counterpart == text


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from([*PHRASES, *OTHERS, *NOISE, "víctima", "primera dama", "Él"])))
def test_a_text_that_the_scan_leaves_out_holds_no_gender_word(parts: list[str]) -> None:
    text = " ".join(parts)
    (could,) = _swapper().scan([text])
    assert could or _swapper().swap(text).refused == "no-gender-word"


_CACHE: dict[str, Swapper] = {}


def _swapper() -> Swapper:
    return _CACHE["es"]


@pytest.fixture(autouse=True)
def _keep(request: pytest.FixtureRequest, spanish_like: Lexicon) -> None:
    _CACHE["es"] = Swapper(spanish_like)
