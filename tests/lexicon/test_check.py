"""What `curate lexicon check` finds, and where it says it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.errors import LexiconError, UsageError
from curate.lexicon import available_languages, check_lexicon, load_lexicon
from tests.conftest import write_lexicon

GOOD = {"pair": "king", "masculine": "rey", "feminine": "reina", "feats": "Number=Sing"}


def messages(folder: Path) -> list[str]:
    return [str(problem) for problem in check_lexicon(folder)]


def test_a_good_lexicon_is_silent(tmp_path: Path) -> None:
    assert messages(write_lexicon(tmp_path / "es", [GOOD], "", "")) == []


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (GOOD, "es/pairs.tsv:3: duplicate of line 2"),
        (
            {"pair": "queen", "masculine": "reina", "feminine": "rey", "feats": "Number=Sing"},
            "es/pairs.tsv:3: contradiction: 'reina' is masculine and feminine (line 2)",
        ),
        ({"pair": "x", "masculine": "a", "feminine": "a"}, "es/pairs.tsv:3: both forms are 'a'"),
        ({"pair": "x", "masculine": "", "feminine": ""}, "es/pairs.tsv:3: both forms are empty"),
        ({"pair": "X y", "masculine": "a", "feminine": "b"}, "es/pairs.tsv:3: pair id 'X y'"),
        (
            {"pair": "x", "masculine": "a", "feminine": "b", "feats": "Sing"},
            "es/pairs.tsv:3: 'S",
        ),
        (
            {"pair": "x", "masculine": "a", "feminine": "b", "upos": "N"},
            "es/pairs.tsv:3: 'N' ",
        ),
        ({"pair": "x", "masculine": "a", "feminine": "b", "kind": "k"}, "es/pairs.tsv:3: kind 'k'"),
        ({"pair": "x", "masculine": "a", "feminine": "b", "flags": "f"}, "es/pairs.tsv:3: unknown"),
        ({"pair": "x", "masculine": "a", "feminine": "b", "source": "s"}, "es/pairs.tsv:3: source"),
    ],
)
def test_rows(tmp_path: Path, row: dict[str, str], expected: str) -> None:
    found = messages(write_lexicon(tmp_path / "es", [GOOD, row], "", ""))
    assert any(message.startswith(expected) for message in found), found


@pytest.mark.parametrize(
    ("grammar", "expected"),
    [
        ("[classes\n", "es/agreement.toml:1: not TOML"),
        ("[nonsense]\n", "es/agreement.toml:1: unknown section"),
        ("# agree\n\n[[agre]]\npattern = 'x'\n", "es/agreement.toml:3: unknown section [agre]"),
        ('\n[[agree]]\npattern = "DET NOUN"\n', "es/agreement.toml:2: agree 1: pattern"),
        ('[[agree]]\npattern = "@:nowhere"\n', "es/agreement.toml:1: agree 1: class :nowhere"),
        ('[[agree]]\npattern = "@BLA"\n', "es/agreement.toml:1: agree 1: 'BLA' is neither"),
        ('[[agree]]\npattern = "( @NOUN"\n', "es/agreement.toml:1: agree 1: a parenthesis"),
        ('[[agree]]\npaten = "@NOUN"\n', "es/agreement.toml:1: agree 1: unknown keys"),
        ('[[refuse]]\ncode = "no"\npattern = "@NOUN"\n', "es/agreement.toml:1: refuse 1: unknown"),
        ('[shapes]\nx = "("\n', "es/agreement.toml:2: shape x"),
        ('[contractions]\ndel = "de"\n', "es/agreement.toml:2: contraction 'del'"),
        ('[[paradigm]]\nupos = "ADJ"\nmasculine = "o"\n', "es/agreement.toml:1: paradigm 1: needs"),
        (
            '[[paradigm]]\nupos = "ADJ"\nmasculine = ""\nfeminine = "a"\n',
            "es/agreement.toml:1: paradigm 1: an empty suffix fits every word",
        ),
        (
            '[[agree]]\npattern = "^/Punct @NOUN"\n',
            "es/agreement.toml:1: agree 1: '^' is not "
            "a pattern element; ^ and $ stand alone: write ( ^ | Punct )",
        ),
        (
            '[[agree]]\npattern = "Word&!DET @NOUN"\n',
            "es/agreement.toml:1: agree 1: 'Word&!DET' is "
            "not a pattern element; ! stands before a whole element",
        ),
    ],
)
def test_grammar(tmp_path: Path, grammar: str, expected: str) -> None:
    found = messages(write_lexicon(tmp_path / "es", [GOOD], "", grammar))
    assert any(message.startswith(expected) for message in found), found


@pytest.mark.parametrize(
    ("rule", "fault"),
    [
        (
            'agree]]\npattern = "DET @NOUN"',
            "agree 'agree: DET @NOUN' does nothing: mark what agrees",
        ),
        ('same]]\npattern = "@NOUN . NOUN"', "does nothing: mark the other gender word with &"),
        ('agree]]\npattern = "( =DET? ADJ* )+ @NOUN"', "loops: a group that repeats may be empty"),
        (
            'select]]\nforms = "reyes"\npattern = "@"\nkeep = "none"',
            "never fires: no word of pairs",
        ),
        ('refuse]]\npattern = "@VERB"', "never fires: no word of pairs.tsv can be its anchor"),
        ('refuse]]\npattern = "@NOUN[Case=Gen]"', "never fires: no word of pairs.tsv can be"),
        ('refuse]]\npattern = "@:none"', "never fires: no word of pairs.tsv can be its anchor"),
        ("refuse]]\npattern = \"@'roi'\"", "never fires: no word of pairs.tsv can be its anchor"),
        ('suspect]]\npattern = "@VERB[Tense=Past]"', "never fires: no word of the lexicon can"),
        ('refuse]]\npattern = "ADV @NOUN"', "never fires: no word of the lexicon is ADV; mend"),
        ('refuse]]\npattern = "( ADV | :none ) @"', "no word of the lexicon is ( ADV | :none )"),
        ('select]]\npattern = "@"\nkeep = "Pair=roi"', "keeps the pair 'roi', which pairs.tsv"),
        ('select]]\npattern = "@"\nkeep = "Cas=Nom"', "keeps by the feature 'Cas', which no row"),
        ('select]]\npattern = "@NOUN[Pair=roi]"\nkeep = "none"', "never fires: no word of pairs"),
        ('select]]\nforms = ["rey mago"]\npattern = "@"\nkeep = "none"', "never fires: no word"),
    ],
)
def test_rules_that_do_nothing(tmp_path: Path, rule: str, fault: str) -> None:
    grammar = f'[classes]\nnone = ""\n\n[[{rule}\n'
    found = messages(write_lexicon(tmp_path / "es", [GOOD], "DET el la Number=Sing", grammar))
    assert len(found) == 1, found
    assert found[0].startswith("es/agreement.toml:4: ")
    assert fault in found[0]


@pytest.mark.parametrize(
    "rule",
    [
        'agree]]\npattern = "=DET? ADV* @NOUN"',
        'agree]]\npattern = "( =DET | ^ )+ @NOUN"',
        'select]]\nforms = "reina rey"\npattern = "!ADV @"\nkeep = "Pair=king"',
        "refuse]]\npattern = \"( ADV | 'x' ) @NOUN[Kind=noun|Number=Sing|Referent=Fem]\"",
        'suspect]]\npattern = "@DET[Gender=Fem]"',
        'select]]\nforms = ["reina madre", "rey padre"]\npattern = "@"\nkeep = "none"',
        'select]]\nforms = "doctoras"\npattern = "@NOUN[Pair=-ores/-oras]"\nkeep = "none"',
    ],
)
def test_rules_that_may_fire(tmp_path: Path, rule: str) -> None:
    long = {"pair": "parents", "masculine": "rey padre", "feminine": "reina madre"}
    open_class = (
        '[[paradigm]]\nkind = "role"\nupos = "NOUN"\nfeats = "Number=Plur"\n'
        'masculine = "ores"\nfeminine = "oras"\n'
    )
    grammar = f"{open_class}[[{rule}\n"
    folder = write_lexicon(tmp_path / "es", [GOOD, long], "DET el la Number=Sing", grammar)
    assert messages(folder) == []


def test_features(tmp_path: Path) -> None:
    odd = {"pair": "x", "masculine": "a", "feminine": "b", "feats": "Case=Foo|Number[psor]=Sing"}
    odder = {"pair": "y", "masculine": "c", "feminine": "d", "feats": "Case=Foo|Numbr=Sing"}
    own = {"pair": "z", "masculine": "e", "feminine": "f", "feats": "Sense=Title"}
    grammar = '[features]\nSense = "which of two words written alike"\n'
    agreement = "DET el la Definit=Def"
    found = messages(write_lexicon(tmp_path / "es", [GOOD, odd, odder, own], agreement, grammar))
    assert [m.partition(":")[2].split(" is not")[0] for m in found] == [
        "2: Definit=Def", "3: Case=Foo", "4: Numbr=Sing",
    ]  # fmt: skip
    assert "(2 rows): mend it, or say what it means under [features]" in found[1]


def test_files(tmp_path: Path) -> None:
    folder = write_lexicon(tmp_path / "es", [GOOD], "", "")
    (folder / "names.tsv").unlink()
    (folder / "context.tsv").write_bytes(b"form\tgender\tnote\nembaraz\xe1da\tfeminine\t\n")
    (folder / "golden.tsv").write_text(
        "sentence\tdirection\texpected\tnote\nx\tneuter\tREFUSE:no\t\nx\tneuter\ty\t\n", "utf-8"
    )
    found = messages(folder)
    assert "es/names.tsv: file is missing" in found
    assert any(m.startswith("es/context.tsv:2: not UTF-8") for m in found)
    assert "es/golden.tsv:2: direction 'neuter'" in found
    assert "es/golden.tsv:2: unknown refusal code 'no'" in found
    assert "es/golden.tsv:3: duplicate of line 2" in found


def test_rows_of_a_wrong_width(tmp_path: Path) -> None:
    folder = write_lexicon(tmp_path / "es", [GOOD], "", "")
    pairs = folder / "pairs.tsv"
    pairs.write_text(
        pairs.read_text("utf-8") + "x a b NOUN\n" + "y\ta" + "\tb" * 12 + "\n", "utf-8"
    )
    (folder / "golden.tsv").write_text(
        "sentence\tdirection\texpected\tnote\nEl rey\tfeminine\tLa reina\nEl rey\n", "utf-8"
    )
    assert messages(folder) == [
        "es/golden.tsv:3: 1 cells, 4 expected: are there tabs between them?",
        "es/pairs.tsv:3: 1 cells, 12 expected: are there tabs between them?",
        "es/pairs.tsv:4: 14 cells, 12 expected",
    ]


def test_other_commands_stop_on_a_broken_lexicon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_lexicon(tmp_path / "es", [GOOD, GOOD], "", "")
    monkeypatch.setenv("CURATE_LEXICONS", str(tmp_path))
    load_lexicon.cache_clear()
    assert available_languages() == ["es"]
    with pytest.raises(LexiconError, match=r"pairs\.tsv:3: duplicate"):
        load_lexicon("es")
    with pytest.raises(UsageError, match="unknown language 'xx'"):
        load_lexicon("xx")
    load_lexicon.cache_clear()
