"""Fixtures that several rooms share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

from curate.lexicon import Lexicon, read_lexicon
from curate.lexicon.load import PAIR_COLUMNS
from curate.lexicon.tables import Problems

os.environ.setdefault("HF_HUB_OFFLINE", "1")

# The same examples in every run; HYPOTHESIS_PROFILE=explore looks for new ones.
settings.register_profile("repeatable", derandomize=True)
settings.register_profile("explore", max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("CURATE_SHARED", ROOT.parent / "shared"))

LANGUAGE = """
name = "Toy"
endonym = "toy"
tag = "{tag}"
script = "Latn"
direction = "ltr"
segmentation = "spaces"
gendered = true
order = {{ adjective = "NOUN ADJ", verb = "SVO" }}
[review]
go = true
"""


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real data; tests that need it skip where it is absent."""
    folder = SHARED / "data"
    if not folder.is_dir():
        pytest.skip(f"real data is not at {folder}; set CURATE_SHARED")
    return folder


def write_lexicon(folder: Path, pairs: list[dict[str, str]], agreement: str, grammar: str) -> Path:
    """Write a small language; `agreement` has ``upos masculine feminine feats neuter`` lines."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = ["\t".join(PAIR_COLUMNS)]
    defaults = {"upos": "NOUN", "kind": "noun", "source": "own"}
    rows += ["\t".join((defaults | row).get(c, "") for c in PAIR_COLUMNS) for row in pairs]
    lines = ["upos\tmasculine\tfeminine\tfeats\tneuter"]
    for line in agreement.strip().splitlines():
        cells = line.split()
        lines.append("\t".join(["" if c == "-" else c for c in cells] + [""] * (5 - len(cells))))
    files = {
        "language.toml": LANGUAGE.format(tag=folder.name),
        "pairs.tsv": "\n".join(rows) + "\n",
        "agreement.tsv": "\n".join(lines) + "\n",
        "agreement.toml": grammar,
        "names.tsv": "name\tgender\tshare\tsource\n",
        "context.tsv": "form\tgender\tnote\n",
        "golden.tsv": "sentence\tdirection\texpected\tnote\n",
        "SOURCES.md": "# own\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def load(folder: Path) -> Lexicon:
    problems = Problems(folder.name)
    lexicon = read_lexicon(folder, problems)
    assert lexicon is not None
    assert not problems.found, [str(p) for p in problems.found]
    return lexicon


@pytest.fixture
def spanish_like(tmp_path: Path) -> Lexicon:
    """Determiners, adjectives, participles, contractions, an epicene noun, a pronoun."""
    pairs = [
        {"pair": "king", "masculine": "rey", "feminine": "reina", "feats": "Number=Sing"},
        {"pair": "king", "masculine": "reyes", "feminine": "reinas", "feats": "Number=Plur"},
        {"pair": "man", "masculine": "hombre", "feminine": "mujer", "feats": "Number=Sing"},
        {"pair": "writer", "masculine": "periodista", "feminine": "periodista",
         "feats": "Number=Sing", "flags": "epicene"},
        {"pair": "he", "masculine": "él", "feminine": "ella", "feats": "Number=Sing",
         "upos": "PRON", "kind": "pronoun"},
        {"pair": "lady", "masculine": "primer caballero", "feminine": "primera dama",
         "feats": "Number=Sing"},
        {"pair": "queen-mother", "masculine": "", "feminine": "reina madre",
         "feats": "Number=Sing"},
    ]  # fmt: skip
    agreement = """
DET el la Number=Sing
DET los las Number=Plur
DET un una Number=Sing
ADJ viejo vieja Number=Sing
ADJ viejos viejas Number=Plur
"""
    grammar = """
[classes]
copula = "es era estaba fue"
adverb = "muy"
[contractions]
del = "de el"
al = "a el"
[fixed]
forms = "víctima"
[[paradigm]]
upos = "VERB"
feats = "Number=Sing"
masculine = "ado"
feminine = "ada"
except = "mercado"
[[agree]]
name = "noun-phrase"
pattern = "=DET? =ADJ* @NOUN =ADJ*"
[[agree]]
name = "predicate"
share = "Number"
pattern = "@NOUN/PRON !Punct* :copula :adverb* =ADJ/VERB"
[[same]]
pattern = "@NOUN :copula DET &NOUN"
[[refuse]]
code = "two-referents"
pattern = "@NOUN 'contra'"
[[suspect]]
pattern = "@VERB"
[[explained]]
pattern = "'motor' @VERB"
"""
    return load(write_lexicon(tmp_path / "es", pairs, agreement, grammar))


@pytest.fixture
def german_like(tmp_path: Path) -> Lexicon:
    """Case, declension, a neuter noun, capitals that belong to the word, open-class nouns."""
    nom = "Case=Nom|Number=Sing"
    pairs = [
        {"pair": "man", "masculine": "Mann", "feminine": "Frau",
         "feats": "Case=Nom,Dat,Acc|Number=Sing"},
        {"pair": "man", "masculine": "Mannes", "feminine": "Frau", "feats": "Case=Gen|Number=Sing"},
        {"pair": "boy", "masculine": "Junge", "feminine": "Mädchen", "feats": nom,
         "gender_f": "Neut"},
        {"pair": "he", "masculine": "er", "feminine": "sie", "feats": nom, "upos": "PRON",
         "kind": "pronoun"},
        {"pair": "dancer", "masculine": "Tänzer", "feminine": "Tänzerin", "feats": nom,
         "kind": "role"},
    ]  # fmt: skip
    agreement = """
DET der die Case=Nom|Number=Sing|Decl=Weak das
DET den die Case=Acc|Number=Sing|Decl=Weak das
DET dem der Case=Dat|Number=Sing|Decl=Weak dem
DET des der Case=Gen|Number=Sing|Decl=Weak des
DET ein eine Case=Nom|Number=Sing|Decl=Mixed ein
"""
    grammar = """
[classes]
with-dative = "mit zu zum zur"
[contractions]
zum = "zu dem"
zur = "zu der"
[compounds]
first = "[a-zäöü]{3,}"
kinds = "role"
[[paradigm]]
kind = "role"
upos = "NOUN"
feats = "Case=Nom|Number=Sing"
masculine = "er"
feminine = "erin"
stem = "[A-Z].{2,}"
flags = "opaque-m"
[[paradigm]]
upos = "ADJ"
feats = "Case=Nom|Number=Sing|Decl=Weak"
masculine = "e"
feminine = "e"
neuter = "e"
[[paradigm]]
upos = "ADJ"
feats = "Case=Nom|Number=Sing|Decl=Mixed"
masculine = "er"
feminine = "e"
neuter = "es"
[[select]]
name = "subject first"
pattern = "^ DET? ADJ* @NOUN"
keep = "Case=Nom"
[[select]]
pattern = ":with-dative DET? ADJ* @NOUN"
keep = "Case=Dat"
[[agree]]
pattern = "=DET? =ADJ* @NOUN"
"""
    return load(write_lexicon(tmp_path / "de", pairs, agreement, grammar))
