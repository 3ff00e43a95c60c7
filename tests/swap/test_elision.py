"""Words that follow the next word's sound: elision, liaison forms, glued articles, clitics."""

from __future__ import annotations

import pytest

from curate.lexicon import Lexicon
from curate.swap import Swapper
from tests.conftest import LANGUAGE, load, write_lexicon

GRAMMAR = r"""
[classes]
role = "<kind=role>"
noun = "<kind=noun> <flag=epicene>"
[contractions]
du = "de le"
au = "à le"
[written]
camel = "[A-Z][a-z]+[A-Z][a-z]+"
[[phonetic]]
forms = ["le", "l'"]
before = "[aeiouéh]"
[[phonetic]]
forms = ["la", "l'"]
before = "[aeiouéh]"
[[phonetic]]
forms = ["du", "de l'"]
before = "[aeiouéh]"
[[phonetic]]
forms = ["au", "à l'"]
before = "[aeiouéh]"
[[phonetic]]
forms = ["ma", "mon"]
before = "[aeiouéh]"
[[phonetic]]
forms = ["beau", "bel"]
before = "[aeiouéh]"
[[phonetic]]
forms = ["de", "d'"]
before = "[aeiouéh]"
[[agree]]
name = "noun phrase"
pattern = "=DET? =ADJ* @NOUN =ADJ*"
[[refuse]]
code = "ambiguous-word"
pattern = ":camel @NOUN&:role"
"""
PAIRS = [
    {"pair": "uncle", "masculine": "oncle", "feminine": "tante"},
    {"pair": "friend", "masculine": "ami", "feminine": "amie"},
    {"pair": "teacher", "masculine": "maître", "feminine": "maîtresse", "kind": "role"},
    {"pair": "pupil", "masculine": "élève", "feminine": "élève", "flags": "epicene"},
]
AGREEMENT = """
DET le la Number=Sing
DET mon ma Number=Sing
ADJ beau belle Number=Sing
ADJ content contente Number=Sing
"""
SWAPS = [
    ("L'oncle dort.", "La tante dort."),
    ("La tante dort.", "L'oncle dort."),
    ("l’oncle de Paris", "la tante de Paris"),
    ("Je vois l'ami.", "Je vois l'amie."),
    ("Mon ami dort.", "Mon amie dort."),
    ("C'est mon amie.", "C'est mon ami."),
    ("Mon bel oncle", "Ma belle tante"),
    ("Ma belle amie", "Mon bel ami"),
    ("Je parle de l'oncle.", "Je parle de la tante."),
    ("Je parle de la tante.", "Je parle de l'oncle."),
    ("Je parle au beau maître.", "Je parle à la belle maîtresse."),
    ("Je parle à la maîtresse.", "Je parle au maître."),
    ("Je parle du maître.", "Je parle de la maîtresse."),
    ("Il n'y a pas d'oncle.", "Il n'y a pas de tante."),
    ("DE L'ONCLE", "DE LA TANTE"),
    ("L'élève content", "L'élève contente"),
    ("La belle élève", "Le bel élève"),
]


@pytest.fixture(scope="module")
def french_like(tmp_path_factory: pytest.TempPathFactory) -> Lexicon:
    pairs = [{"feats": "Number=Sing"} | row for row in PAIRS]
    folder = write_lexicon(tmp_path_factory.mktemp("lexicons") / "fr", pairs, AGREEMENT, GRAMMAR)
    tokens = "tokens = '''(?:[cdjlmnst]|qu)['’](?=\\w)'''\n"
    (folder / "language.toml").write_text(tokens + LANGUAGE.format(tag="fr"), encoding="utf-8")
    return load(folder)


@pytest.mark.parametrize(("text", "expected"), SWAPS)
def test_forms_follow_the_next_sound(french_like: Lexicon, text: str, expected: str) -> None:
    swapper = Swapper(french_like)
    result = swapper.swap(text)
    assert result.counterpart == expected, result.detail
    back = swapper.swap(expected)
    assert back.counterpart == result.text.replace("’", "'")
    for edit in result.edits:
        assert result.text[edit.start : edit.end] == edit.old
    for edit in result.target_edits:
        assert expected[edit.start : edit.end] == edit.old


def test_a_companion_of_either_gender_shows_none(french_like: Lexicon) -> None:
    assert Swapper(french_like).swap("L'élève dort.").refused == "no-gender-word"


def test_written_shapes_and_conjunctions(french_like: Lexicon) -> None:
    swapper = Swapper(french_like)
    assert swapper.swap("McCall maître").refused == "ambiguous-word"
    assert swapper.swap("McCall tante").counterpart == "McCall oncle"
    assert swapper.swap("Mccall maître").counterpart == "Mccall maîtresse"
