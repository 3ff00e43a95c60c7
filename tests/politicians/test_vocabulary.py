"""The words that are kept, from treebanks written by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.errors import InputError
from curate.politicians.vocabulary import (
    KeptForm,
    Vocabulary,
    build_vocabulary,
    read_vocabulary,
    write_vocabulary,
)
from curate.sources.treebank import TreebankWord, read_treebank

CONLLU = """
# text = La ministra honesta habló
1\tLa\tel\tDET\t_\tGender=Fem\t2\tdet\t_\t_
2\tministra\tministra\tNOUN\t_\t_\t4\tnsubj\t_\t_
3\thonesta\thonesto\tADJ\t_\tGender=Fem\t2\tamod\t_\t_
4\thabló\thablar\tVERB\t_\t_\t0\troot\t_\t_

1-2\tVámonos\t_\t_\t_\t_\t_\t_\t_\t_
1\tVamos\tir\tVERB\t_\t_\t0\troot\t_\t_
2\tnos\tnosotros\tPRON\t_\t_\t1\tobj\t_\t_
3\tHONESTOS\thonesto\tADJ\t_\t_\t1\tobj\t_\t_
4\tha\thaber\tAUX\t_\t_\t1\taux\t_\t_
"""


def word(form: str, lemma: str, upos: str, **feats: str) -> TreebankWord:
    return TreebankWord(form, lemma, upos, feats, -1, "root")


def rows(vocabulary: Vocabulary) -> list[tuple[str, str, str, int]]:
    return [(one.upos, one.form, one.lemma, one.count) for one in vocabulary.forms]


def test_adjectives_and_verbs_of_a_file_with_their_lemmas(tmp_path: Path) -> None:
    path = tmp_path / "es.conllu"
    path.write_text(CONLLU.lstrip(), encoding="utf-8")
    assert rows(build_vocabulary(read_treebank(path))) == [
        ("ADJ", "honesta", "honesto", 1),
        ("ADJ", "honestos", "honesto", 1),
        ("VERB", "habló", "hablar", 1),
        ("VERB", "vamos", "ir", 1),
    ]


def test_gendered_forms_have_one_lemma(tmp_path: Path) -> None:
    path = tmp_path / "es.conllu"
    path.write_text(CONLLU.lstrip(), encoding="utf-8")
    vocabulary = build_vocabulary(read_treebank(path))
    assert set(vocabulary.lemmas("ADJ").values()) == {"honesto"}
    assert vocabulary.counts() == {
        "ADJ": {"forms": 2, "lemmas": 1},
        "VERB": {"forms": 2, "lemmas": 2},
    }


def test_the_lemma_is_the_most_frequent_one_and_of_equal_ones_the_first() -> None:
    found = [word("saw", "see", "VERB")] * 2 + [word("Saw", "saw", "VERB")]
    equal = [word("lay", "lie", "VERB"), word("lay", "lay", "VERB")]
    assert build_vocabulary([found, equal]).lemmas("VERB") == {"saw": "see", "lay": "lay"}


def test_a_form_can_be_adjective_and_verb() -> None:
    words = [word("open", "open", "ADJ"), word("open", "open", "VERB")]
    assert [one.upos for one in build_vocabulary([words]).forms] == ["ADJ", "VERB"]


def test_forms_have_the_capitals_of_their_lemmas() -> None:
    words = [
        word("Good", "good", "ADJ"), word("american", "American", "ADJ"),
        word("AMERICANS", "American", "ADJ"), word("us", "US", "ADJ"),
    ]  # fmt: skip
    assert set(build_vocabulary([words]).lemmas("ADJ")) == {"good", "American", "Americans", "US"}


def test_what_is_left_out_is_counted_by_reason() -> None:
    words = [
        word("dernier", "dernier", "ADJ", Foreign="Yes"),
        word("goood", "good", "ADJ", Typo="Yes"),
        word("adj.", "adjective", "ADJ", Abbr="Yes"),
        word("new", "_", "ADJ"),
        word("4th", "4th", "ADJ"),
        word("-old", "-old", "ADJ"),
        word("well--known", "well--known", "ADJ"),
        word("B", "B", "ADJ"),
        word("long-term", "long-term", "ADJ"),
    ]
    found = build_vocabulary([words])
    assert list(found.lemmas("ADJ")) == ["long-term"]
    assert found.left_out == {
        "foreign, misspelt or shortened": 3, "initial": 1, "no lemma": 1, "not only letters": 3
    }  # fmt: skip


def test_a_form_of_one_letter_stays_where_it_is_a_word() -> None:
    words = [word("a", "avoir", "VERB"), word("小", "小", "ADJ")]
    assert [one.form for one in build_vocabulary([words]).forms] == ["小", "a"]


def test_marks_of_other_scripts_belong_to_letters() -> None:
    words = [word("अच्छा", "अच्छा", "ADJ"), word("كَتَبَ", "كَتَب", "VERB")]
    found = build_vocabulary([words], marks="\u064e")
    assert found.lemmas("ADJ") == {"अच्छा": "अच्छा"}
    assert found.lemmas("VERB") == {"كتب": "كتب"}


def test_a_slip_of_the_treebank_stays_out_by_its_share() -> None:
    slips = [word("no", "know", "VERB"), *[word("no", "no", "DET")] * 10]
    assert build_vocabulary([slips]).forms == ()
    assert build_vocabulary([slips]).left_out == {"mostly another part of speech": 1}
    assert build_vocabulary([slips], least_share=0).lemmas("VERB") == {"no": "know"}
    # the bound itself is enough
    assert build_vocabulary([slips[:10]]).lemmas("VERB") == {"no": "know"}


def test_rare_forms_stay_out_on_demand() -> None:
    words = [*[word("kind", "kind", "ADJ")] * 2, word("odd", "odd", "ADJ")]
    found = build_vocabulary([words], least=2)
    assert (list(found.lemmas("ADJ")), found.left_out) == (["kind"], {"rare": 1})


def test_marks_of_compounds_are_no_letters_of_a_lemma() -> None:
    words = [word("suurkaupunkilainen", "suur#kaupunkilainen", "ADJ")]
    assert build_vocabulary([words]).lemmas("ADJ") == {"suurkaupunkilainen": "suurkaupunkilainen"}


def test_decomposed_letters_are_composed() -> None:
    words = [word("ge\u0301nial", "ge\u0301nial", "ADJ")]
    assert build_vocabulary([words]).lemmas("ADJ") == {"g\u00e9nial": "g\u00e9nial"}


def test_the_order_of_sentences_changes_nothing() -> None:
    sentences = [
        [word("saw", "see", "VERB")], [word("saw", "saw", "VERB")], [word("Big", "big", "ADJ")]
    ]  # fmt: skip
    there, back = build_vocabulary(sentences), build_vocabulary(sentences[::-1])
    assert there == back
    assert there.hash == back.hash


def test_a_table_comes_back_as_it_was_written(tmp_path: Path) -> None:
    found = build_vocabulary([[word("Good", "good", "ADJ"), word("runs", "run", "VERB")]])
    path = tmp_path / "vocabulary.tsv"
    write_vocabulary(found, path)
    assert path.read_text(encoding="utf-8").splitlines() == [
        "upos\tform\tlemma\tcount", "ADJ\tgood\tgood\t1", "VERB\truns\trun\t1"
    ]  # fmt: skip
    assert read_vocabulary(path) == found
    assert read_vocabulary(path).hash == found.hash


def test_a_curator_may_change_it_and_leave_the_counts_out(tmp_path: Path) -> None:
    path = tmp_path / "own.tsv"
    path.write_text("form\tupos\tlemma\n happy \tADJ\thappy\n", encoding="utf-8")
    assert read_vocabulary(path).forms == (KeptForm("ADJ", "happy", "happy", 0),)


def test_counts_do_not_change_the_hash() -> None:
    one, two = (Vocabulary((KeptForm("ADJ", "kind", "kind", n),)) for n in (1, 2))
    other = Vocabulary((KeptForm("ADJ", "kind", "kinder", 1),))
    assert one.hash == two.hash != other.hash


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("NOUN\tminister\tminister\t1", "'NOUN' is none of ADJ, VERB"),
        ("ADJ\t\tgood\t1", "a form or a lemma is missing"),
        ("ADJ\tgood", "a form or a lemma is missing"),
        ("ADJ\tgood\tgood\tmany", "the count 'many' is no number"),
        ("ADJ\tkind\tkindly\t1", "'kind' stands twice as ADJ"),
    ],
)
def test_a_broken_table_is_refused_with_its_line(tmp_path: Path, line: str, says: str) -> None:
    path = tmp_path / "own.tsv"
    path.write_text(f"upos\tform\tlemma\tcount\nADJ\tkind\tkind\t1\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_vocabulary(path)
    assert (caught.value.message, caught.value.where) == (says, f"{path}:3")


def test_a_table_without_lemmas_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "own.tsv"
    path.write_text("upos\tform\nADJ\tkind\n", encoding="utf-8")
    with pytest.raises(InputError, match="no column 'lemma'"):
        read_vocabulary(path)


@pytest.mark.parametrize("treebank", ["en_ewt", "es_gsd", "ru_gsd", "fi_tdt", "zh_gsdsimp"])
def test_real_treebanks_have_hundreds_of_both(shared_data: Path, treebank: str) -> None:
    found = build_vocabulary(read_treebank(shared_data / f"ud/{treebank}-ud-dev.conllu.gz"))
    assert min(own["lemmas"] for own in found.counts().values()) > 150
    assert all(one.form and one.lemma and "\t" not in one.form for one in found.forms)
