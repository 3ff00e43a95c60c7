"""A draft of a new language: majority, twin forms, relations, worklist; it loads and swaps."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from curate.cli.main import app
from curate.errors import InputError
from curate.lexicon import draft, load_lexicon
from curate.swap import Swapper
from tests.conftest import load

CANDIDATES = """english,one,two,three
king,rege,rege,domino
queen,regina,regina,
father,patre,genitore,
mother,matre,genitore,
aunt,tia,,
"""
NOUN = "{n}\t{form}\t{lemma}\tNOUN\t_\tGender={gender}|Number=Sing\t0\troot\t_\t_"
ADJ = "{n}\t{form}\t{lemma}\tADJ\t_\tGender={gender}|Number=Sing\t1\tamod\t_\t_"


def treebank(path: Path) -> Path:
    sentences = []
    for _ in range(12):
        for noun, adjective, gender in (("rege", "novo", "Masc"), ("regina", "nova", "Fem")):
            lines = (
                NOUN.format(n=1, form=noun, lemma="reg", gender=gender),
                ADJ.format(n=2, form=adjective, lemma="novo", gender=gender),
            )
            sentences.append("\n".join(lines))
    path.write_text("# text = x\n" + "\n\n".join(sentences) + "\n\n", encoding="utf-8")
    return path


def test_the_command_writes_a_language_that_works(tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text(CANDIDATES, encoding="utf-8")
    (tmp_path / "f.txt").write_text("matre 900\nrege 100\nregina 100\n", encoding="utf-8")
    out = tmp_path / "ia"
    arguments = ["--candidates", str(tmp_path / "c.csv"), "--frequency", str(tmp_path / "f.txt")]
    arguments += ["--treebank", str(treebank(tmp_path / "t.conllu")), "--out", str(out)]
    result = CliRunner().invoke(app, ["lexicon", "new", "ia", *arguments])
    assert result.exit_code == 0, result.output
    lexicon = load(out)
    rows = {row.pair: row for row in lexicon.pairs}
    assert (rows["king-queen"].masculine, rows["king-queen"].feminine) == ("rege", "regina")
    assert rows["king-queen"].note == "unreviewed; others: domino"
    assert all(row.note.startswith("unreviewed") for row in lexicon.pairs)
    assert not lexicon.config.review["go"]
    assert lexicon.grammar.relations.attributive == {"amod"}
    assert [dict(row.forms) for row in lexicon.agreement] == [{"Masc": "novo", "Fem": "nova"}]
    assert Swapper(lexicon).swap("Rege novo").counterpart == "Regina nova"
    work = (out / "worklist.tsv").read_text(encoding="utf-8").splitlines()
    # half of the systems disagree about the frequent word: it comes first
    assert work[1].split("\t")[3] == "father-mother"
    again = CliRunner().invoke(app, ["lexicon", "new", "ia", *arguments])
    assert "not empty" in str(again.exception)


def test_a_tie_goes_to_the_first_column_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    path.write_text(CANDIDATES, encoding="utf-8")
    found = {c.pair: c for c in draft.read_candidates(path, load_lexicon("en"))}
    father = found["father-mother"]
    assert (father.masculine, father.agree, father.others) == ("patre", 0.5, "genitore")
    assert found["king-queen"].agree == pytest.approx(2 / 3)
    assert set(found) == {"father-mother", "king-queen"}


def test_unimorph_twins(tmp_path: Path) -> None:
    path = tmp_path / "u.tsv"
    path.write_text(
        "novo\tnovo\tADJ;MASC;SG\nnovo\tnova\tADJ;FEM;SG\nnovo\tnovos\tADJ;MASC;PL\n"
        "ire\tit\tV;IND;PRS;3;SG\n",
        encoding="utf-8",
    )
    [twin] = draft.read_unimorph(path)
    assert (twin.masculine, twin.feminine, twin.feats) == ("novo", "nova", "Number=Sing")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("t.conllu", "1\trege\tx\n", "3 columns, 10 expected"),
        ("t.conllu", NOUN.format(n=1, form="a", lemma="a", gender="Masc").replace("\t0\t", "\tx\t"),
         "head 'x' is not a number"),
    ],
)  # fmt: skip
def test_bad_treebanks_are_refused_with_their_line(
    tmp_path: Path, name: str, text: str, message: str
) -> None:
    path = tmp_path / name
    path.write_text(text + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=message) as error:
        draft.add_treebank(draft.Draft(), path)
    assert error.value.where.endswith(":1")


def test_bad_frequency_lists_are_refused_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "f.txt"
    path.write_text("rege 3\nregina many\n", encoding="utf-8")
    with pytest.raises(InputError, match="not a word and a count") as error:
        draft.read_frequencies(path)
    assert error.value.where.endswith(":2")
