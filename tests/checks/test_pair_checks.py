"""The checks of one pair, on small languages made for the test."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.checks import CODES, PairChecker
from curate.lexicon import Lexicon
from tests.conftest import load, write_lexicon


def codes(checker: PairChecker, pair: str) -> list[str]:
    a, b = pair.split(" | ")
    return sorted(item.code for item in checker.check(a, b))


@pytest.fixture
def spanish(spanish_like: Lexicon) -> PairChecker:
    return PairChecker(spanish_like)


@pytest.fixture
def german(german_like: Lexicon) -> PairChecker:
    return PairChecker(german_like)


@pytest.fixture
def english(tmp_path: Path) -> PairChecker:
    pairs = [
        {"pair": "king", "masculine": "king", "feminine": "queen", "feats": "Number=Sing"},
        {"pair": "king", "masculine": "kings", "feminine": "queens", "feats": "Number=Plur"},
        {"pair": "emperor", "masculine": "emperor", "feminine": "empress", "feats": "Number=Sing"},
        {"pair": "father", "masculine": "father", "feminine": "mother", "feats": "Number=Sing",
         "kind": "kinship"},
        {"pair": "step", "masculine": "step father", "feminine": "step mother",
         "feats": "Number=Sing", "kind": "kinship"},
        {"pair": "he", "masculine": "he", "feminine": "she", "feats": "Case=Nom|Number=Sing",
         "upos": "PRON", "kind": "pronoun"},
        {"pair": "his", "masculine": "his", "feminine": "her", "feats": "Number=Sing",
         "upos": "DET", "kind": "possessive"},
        {"pair": "mr", "masculine": "Mr", "feminine": "Lady", "feats": "Number=Sing",
         "kind": "title"},
    ]  # fmt: skip
    grammar = '[[phonetic]]\nforms = ["a", "an"]\nbefore = "[aeiou]"\n'
    folder = write_lexicon(tmp_path / "en", pairs, "", grammar)
    (folder / "names.tsv").write_text(
        "name\tgender\tshare\tsource\nJohn\tmasculine\t\town\nMary\tfeminine\t\town\n"
    )
    (folder / "context.tsv").write_text(
        "form\tgender\tnote\npregnant\tfeminine\t\nmaternity leave\tfeminine\t\n"
    )
    return PairChecker(load(folder))


ENGLISH = {
    "The king sleeps. | The queen sleeps.": [],
    "A king came. | A queen came.": [],
    "THE KING | THE QUEEN": [],
    "An emperor came. | An empress came.": [],
    "a king came | an empress came": ["not-counterparts"],
    "A king said he lost his way | A queen said she lost her way": [],
    "A step father came. | A step mother came.": [],
    "My father’s king | My father’s queen": ["other-person"],
    "Mr Smith came | Lady Smith came": [],
    "a black cat | a white cat": ["unknown-contrast"],
    "The king sleeps | The queen works": ["not-minimal"],
    "The king sleeps well | The queen sleeps": ["not-minimal"],
    "A girl | A girl's": ["not-minimal"],
    "an Afro-American poet | an Anglo poet": ["unknown-contrast"],
    "John lost his way | Zelda lost her way": [],
    "John lost his way | Zelda lost his way": ["other-person"],
    "John came | Peter came": [],
    "A king. | A queen!": ["changed-punctuation"],
    "“A king.” | “A queen.": ["changed-punctuation"],
    "A  king | A queen": ["changed-whitespace"],
    "A king | A queen ": ["changed-whitespace"],
    "The king | the queen": ["changed-case"],
    "King Arthur | queen Arthur": ["changed-case"],
    "the king | the queens": ["changed-features"],
    "the king | the actress": ["unknown-contrast"],
    "he met the queen | she met the king": ["double-switch"],
    "the queen | the king": ["wrong-side"],
    "he lost his key | she lost his key": ["mixed-gender"],
    "he met his mother | she met her mother": ["other-person"],
    "an emperor | an queen": ["not-counterparts", "phonetic"],
    "a king came | a empress came": ["not-counterparts", "phonetic"],
    "the king is pregnant | the queen is pregnant": ["gender-context"],
    "the king on maternity leave | the queen on maternity leave": ["gender-context"],
    "Mary met the king | Mary met the queen": ["gendered-name"],
    "John came | Mary came": [],
    "A king | A king": ["identical-sides"],
    " | A king": ["empty-side"],
    "A king\x07 | A queen": ["bad-text"],
    "A king\ufffd | A queen": ["bad-text"],
    "A caf\u00e9 king | A cafe\u0301 queen": ["not-nfc"],
}


@pytest.mark.parametrize("pair", ENGLISH)
def test_english_like(english: PairChecker, pair: str) -> None:
    assert codes(english, pair) == ENGLISH[pair]


SPANISH = {
    "El rey viejo estaba cansado. | La reina vieja estaba cansada.": [],
    "Vi al rey. | Vi a la reina.": [],
    "El motor del rey | El motor de la reina": [],
    "Del rey viejo | De la reina vieja": [],
    "el periodista llegó | la periodista llegó": ["agreement-only"],
    "el primer caballero | la primera dama": [],
    "el rey viejo | la reina viejo": ["agreement"],
    "el rey | el reina": ["agreement"],
    "El rey estaba cansado. | La reina estaba cansado.": ["agreement"],
    "la reina es vieja | el rey es viejo": ["wrong-side"],
    "los reyes | las reinas": [],
    "los reyes | la reina": ["changed-features", "not-minimal"],
    "el rey es el rey | la reina es el rey": ["agreement", "mixed-gender"],
    "él vio a la mujer | ella vio al hombre": ["double-switch"],
}


@pytest.mark.parametrize("pair", SPANISH)
def test_spanish_like(spanish: PairChecker, pair: str) -> None:
    assert codes(spanish, pair) == SPANISH[pair]


GERMAN = {
    "Der Mann schlief. | Die Frau schlief.": [],
    "Ein Junge kam. | Ein Mädchen kam.": [],
    "Es ging zum Mann. | Es ging zur Frau.": [],
    "Der Balletttänzer kam. | Die Balletttänzerin kam.": [],
    "Der Poetryslammer kam. | Die Poetryslammerin kam.": [],
    "Der Mann schlief. | Der Frau schlief.": ["agreement"],
    "Der Mann schlief. | Die Mann schlief.": ["agreement-only", "mixed-gender"],
}


@pytest.mark.parametrize("pair", GERMAN)
def test_german_like(german: PairChecker, pair: str) -> None:
    assert codes(german, pair) == GERMAN[pair]


def test_elision_is_licensed(tmp_path: Path) -> None:
    """The example of Fort et al. 2024: l'adolescente, la retraitée."""
    pairs = [
        {"pair": "teen", "masculine": "adolescent", "feminine": "adolescente"},
        {"pair": "retired", "masculine": "retraité", "feminine": "retraitée"},
    ]
    grammar = (
        '[[phonetic]]\nforms = ["le", "l\'"]\nbefore = "[aeiouhé]"\n'
        '[[phonetic]]\nforms = ["la", "l\'"]\nbefore = "[aeiouhé]"\n'
    )
    folder = write_lexicon(tmp_path / "fr", pairs, "DET le la Number=Sing", grammar)
    checker = PairChecker(load(folder))
    assert codes(checker, "L'adolescente a gagné | La retraitée a gagné") == ["unknown-contrast"]
    assert codes(checker, "Je vois l'adolescent | Je vois la retraitée") == ["not-counterparts"]
    assert codes(checker, "L'adolescent dort | L'adolescente dort") == []
    assert codes(checker, "Le retraité dort | La adolescente dort") == [
        "not-counterparts",
        "phonetic",
    ]


def test_a_language_without_spaces(tmp_path: Path) -> None:
    pairs = [
        {"pair": "he", "masculine": "他", "feminine": "她", "upos": "PRON", "kind": "pronoun"},
        {"pair": "mr", "masculine": "先生", "feminine": "女士", "kind": "title"},
    ]
    folder = write_lexicon(tmp_path / "zh", pairs, "", "")
    text = (folder / "language.toml").read_text()
    (folder / "language.toml").write_text(text.replace('"spaces"', '"jieba"'))
    checker = PairChecker(load(folder))
    assert codes(checker, "李先生说他很忙。 | 李女士说她很忙。") == []
    assert codes(checker, "先生说他很忙。 | 女士说他很忙。") == ["mixed-gender"]
    assert codes(checker, "他很忙。 | 她不忙。") == ["not-minimal"]
    assert codes(checker, "其他人 | 其它人") == ["unknown-contrast"]


NEUTRAL = {
    "Kissa nukkuu. | Koira nukkuu.": [],
    "Matti sanoi, että Matti tulee | Liisa sanoi, että Liisa tulee": [],
    "Matti nukkuu | Liisa syö": ["not-minimal"],
    "Matti nukkuu | Matti Matikainen nukkuu": ["not-minimal"],
    "Asians cook | White people cook": ["not-minimal"],
    "ชายคนนี้หลับ | หญิงคนนี้หลับ": [],
    "ชายคนนี้หลับ | หญิงคนนี้ตื่น": ["not-minimal"],
}


@pytest.mark.parametrize("pair", NEUTRAL)
def test_a_language_without_a_lexicon(pair: str) -> None:
    assert codes(PairChecker(None), pair) == NEUTRAL[pair]


def test_unlabelled_sides_may_stand_either_way(english: PairChecker) -> None:
    checker = PairChecker(english._lexicon, labelled=False)
    assert codes(checker, "the queen | the king") == []
    assert codes(checker, "he met the queen | she met the king") == ["double-switch"]


def test_only_the_original_side_is_swapped_where_it_is_known(english: PairChecker) -> None:
    a, b = "he lost his key", "she lost his key"
    assert [f.code for f in english.check(a, b, original="masculine")] == ["mixed-gender"]
    # "she lost his key" names two people for the swapper: refused, so nothing is said of it
    assert [f.code for f in english.check(a, b, original="feminine")] == ["other-person"]


def test_a_long_side_is_not_read(english: PairChecker) -> None:
    long = "A king " * 200_000
    assert [f.code for f in english.check(long, "A queen")] == ["bad-text"]


def test_two_long_different_sides_end_quickly(english: PairChecker) -> None:
    a, b = " ".join("abcdefgh" * 300), " ".join("hgfedcba" * 300)
    assert "not-minimal" in [f.code for f in english.check(a, b)]


def test_every_code_has_an_example_above() -> None:
    seen = {
        code for table in (ENGLISH, SPANISH, GERMAN, NEUTRAL) for c in table.values() for code in c
    }
    elsewhere = {"bad-row", "duplicate", "fort2024"}
    elsewhere |= {code for code in CODES if CODES[code].check == "translation"}
    assert seen | elsewhere == set(CODES)
