"""Lemmas by spaCy and by tables, in place of a treebank's."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from curate.errors import InputError, UsageError
from curate.language import parsers
from curate.language.parsers import ParsedWord
from curate.politicians import lemmas
from curate.politicians.lemmas import lemmatise
from curate.politicians.vocabulary import KeptForm, Vocabulary

# every form its own lemma, as in a treebank that nobody has lemmatised
FRENCH = {
    "ADJ": ("nouveau", "nouvelle", "nouvelles", "grand", "grande", "vieux", "vieille", "public",
            "publique"),
    "VERB": ("chantée", "chanter", "élue"),
}  # fmt: skip
KEPT = Vocabulary(
    tuple(sorted(KeptForm(upos, one, one, 3) for upos, own in FRENCH.items() for one in own))
)
PIPELINE = "fr_core_news_sm"


def test_a_spacy_pipeline_that_is_installed_makes_gendered_forms_one() -> None:
    if not importlib.util.find_spec(PIPELINE):
        pytest.skip(f"needs {PIPELINE}")
    for wish, names in ((f"spacy:{PIPELINE}", {}), ("spacy", {"spacy": PIPELINE})):
        found = lemmatise(KEPT, wish, names)
        assert found.name == f"spacy:{PIPELINE}"
        adjectives, verbs = (found.vocabulary.lemmas(upos) for upos in ("ADJ", "VERB"))
        for one, other in (("nouveau", "nouvelle"), ("nouveau", "nouvelles"), ("grand", "grande"),
                           ("vieux", "vieille"), ("public", "publique")):  # fmt: skip
            assert adjectives[one] == adjectives[other] == one
        assert verbs["chantée"] == verbs["chanter"] == "chanter"
        assert set(adjectives) == set(FRENCH["ADJ"])
        assert set(verbs) == set(FRENCH["VERB"])
        assert found.vocabulary.hash != KEPT.hash


def test_a_table_is_looked_up(tmp_path: Path) -> None:
    path = tmp_path / "mine.tsv"
    path.write_text("upos\tform\tlemma\nADJ\tgrande\tgrand\nVERB\tgrand\tx\n", encoding="utf-8")
    found = lemmatise(KEPT, str(path), {})
    assert (found.name, found.kept) == ("mine.tsv", 11)
    assert found.vocabulary.lemmas("ADJ")["grande"] == "grand"
    assert found.vocabulary.lemmas("ADJ")["grand"] == "grand"
    assert found.vocabulary.lemmas("ADJ")["vieille"] == "vieille"


def test_the_treebank_changes_nothing() -> None:
    assert lemmatise(KEPT, "treebank", {}).vocabulary is KEPT


class Odd:
    """Finds two words, another UPOS, no lemma, or the lemma of an auxiliary."""

    name = "odd"

    def parse(self, texts: list[str]) -> list[list[ParsedWord]]:
        def word(lemma: str, upos: str) -> ParsedWord:
            return ParsedWord(0, 1, lemma, upos, {}, -1, "root")

        answers = {
            "deux": [word("de", "ADJ"), word("le", "ADJ")], "nom": [word("nom", "NOUN")],
            "vide": [word(" ", "ADJ")], "est": [word("être", "AUX")], "bons": [word("bon", "ADJ")],
        }  # fmt: skip
        return [answers[text] for text in texts]


def test_what_is_no_lemma_of_the_word_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lemmas, "load_parser", lambda wish, names: Odd())
    forms = [KeptForm("ADJ", one, "x") for one in ("deux", "nom", "vide", "bons")]
    kept = Vocabulary(tuple(sorted([*forms, KeptForm("VERB", "est", "x")])))
    found = lemmatise(kept, "spacy:odd", {})
    assert {one.form: one.lemma for one in found.vocabulary.forms} == {
        "deux": "x", "nom": "x", "vide": "x", "bons": "bon", "est": "être",
    }  # fmt: skip
    assert found.kept == 3


@pytest.mark.parametrize("wish", ["none", "auto", "mine", "spacy", ""])
def test_what_is_no_lemmatiser(wish: str) -> None:
    with pytest.raises(UsageError):
        lemmatise(KEPT, wish, {})


def test_a_pipeline_that_is_not_there() -> None:
    pytest.importorskip("spacy")
    with pytest.raises(InputError, match="no spaCy pipeline"):
        lemmatise(KEPT, "spacy:xx_not_there", {})


def test_words_of_a_stanza_document_have_lemmas(monkeypatch: pytest.MonkeyPatch) -> None:
    """Documents are stanza's own; a trained lemmatiser is too large for a test."""
    pytest.importorskip("stanza")
    from stanza.utils.conll import CoNLL

    rows = {
        "grande": "1\tgrande\tgrand\tADJ\t_\t_\t0\troot\t_\tstart_char=0|end_char=6\n\n",
        "chantée": "1\tchantée\tchanter\tVERB\t_\t_\t0\troot\t_\tstart_char=0|end_char=7\n\n",
    }
    read = {form: CoNLL.conll2doc(input_str=text) for form, text in rows.items()}
    monkeypatch.setattr(parsers.StanzaParser, "_nlp", lambda self, text: read[text])
    kept = Vocabulary((KeptForm("ADJ", "grande", "grande"), KeptForm("VERB", "chantée", "chantée")))
    found = lemmatise(kept, "stanza:fr", {})
    assert {one.form: one.lemma for one in found.vocabulary.forms} == {
        "grande": "grand", "chantée": "chanter",
    }  # fmt: skip
