"""What a parser and a masked model add where the rules leave something open."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from curate.errors import InputError, UsageError
from curate.language.parsers import ParsedWord, load_parser
from curate.lexicon import Lexicon
from curate.pairs.means import AUTO, Means, make_swapper
from curate.swap import Swapper
from tests.conftest import load, write_lexicon

GRAMMAR = """
[classes]
copula = "est était"
[[agree]]
pattern = "=DET? =ADJ* @NOUN =ADJ*"
[[suspect]]
pattern = "@ADJ"
"""
AGREEMENT = """
DET le la Number=Sing
DET un une Number=Sing
ADJ fatigué fatiguée Number=Sing
ADJ beau belle Number=Sing
"""


@pytest.fixture(scope="module")
def lexicon(tmp_path_factory: pytest.TempPathFactory) -> Lexicon:
    pairs = [
        {"pair": "king", "masculine": "roi", "feminine": "reine", "feats": "Number=Sing"},
        {"pair": "writer", "masculine": "écrivain", "feminine": "écrivaine",
         "feats": "Number=Sing"},
    ]  # fmt: skip
    return load(
        write_lexicon(tmp_path_factory.mktemp("lexicons") / "fr", pairs, AGREEMENT, GRAMMAR)
    )


class Reader:
    """A parser whose words are written down: (form, lemma, UPOS, features, head, relation)."""

    name = "written"

    def __init__(self, rows: Sequence[tuple[str, str, int, str]]) -> None:
        self.rows = rows
        self.calls = 0

    def parse(self, texts: Sequence[str]) -> list[list[ParsedWord]]:
        self.calls += 1
        words, at = [], 0
        for form, upos, head, relation in self.rows:
            at = texts[0].index(form, at)
            words.append(ParsedWord(at, at + len(form), form, upos, {}, head, relation))
            at += len(form)
        return [words]


def test_a_parse_ties_a_distant_predicate_to_its_subject(lexicon: Lexicon) -> None:
    text = "Le roi du nord dort fatigué."
    assert Swapper(lexicon).swap(text).refused == "agreement-unresolved"
    rows = [
        ("Le", "DET", 1, "det"), ("roi", "NOUN", 4, "nsubj"), ("du", "ADP", 3, "case"),
        ("nord", "NOUN", 1, "nmod"), ("dort", "VERB", -1, "root"),
        ("fatigué", "ADJ", 4, "xcomp"), (".", "PUNCT", 4, "punct"),
    ]  # fmt: skip
    result = Swapper(lexicon, parser=Reader(rows)).swap(text)
    assert result.counterpart == "La reine du nord dort fatiguée."
    assert result.means == ("rules", "written")


def test_a_parse_explains_what_agrees_with_something_else(lexicon: Lexicon) -> None:
    rows = [
        ("Le", "DET", 1, "det"), ("roi", "NOUN", 2, "nsubj"), ("voit", "VERB", -1, "root"),
        ("ce", "DET", 5, "det"), ("beau", "ADJ", 5, "amod"), ("pays", "NOUN", 2, "obj"),
    ]  # fmt: skip
    result = Swapper(lexicon, parser=Reader(rows)).swap("Le roi voit ce beau pays")
    assert result.counterpart == "La reine voit ce beau pays"


def test_an_apposition_is_one_person(lexicon: Lexicon) -> None:
    rows = [
        ("Le", "DET", 1, "det"), ("roi", "NOUN", 5, "nsubj"), (",", "PUNCT", 3, "punct"),
        ("écrivain", "NOUN", 1, "appos"), (",", "PUNCT", 3, "punct"), ("dort", "VERB", -1, "root"),
    ]  # fmt: skip
    text = "Le roi, écrivain, dort"
    assert Swapper(lexicon).swap(text).refused == "two-referents"
    found = Swapper(lexicon, parser=Reader(rows)).swap(text)
    assert found.counterpart == "La reine, écrivaine, dort"
    rows[3] = ("écrivain", "NOUN", 1, "conj")
    assert Swapper(lexicon, parser=Reader(rows)).swap(text).refused == "two-referents"


def test_the_parser_is_asked_only_where_the_rules_leave_something_open(lexicon: Lexicon) -> None:
    reader = Reader([])
    assert Swapper(lexicon, parser=reader).swap("Le roi dort.").counterpart == "La reine dort."
    assert reader.calls == 0


def test_a_real_spacy_pipeline_speaks_universal_dependencies(lexicon: Lexicon) -> None:
    pytest.importorskip("fr_core_news_sm", reason="make setup installs it")
    parser = load_parser("spacy:fr_core_news_sm", {})
    assert parser is not None
    text = "La directrice est partie fatiguée."
    [words] = parser.parse([text])
    assert [text[w.start : w.end] for w in words] == text.replace(".", " .").split()
    subject = words[1]
    assert (subject.upos, subject.relation[:5], subject.feats["Gender"]) == ("NOUN", "nsubj", "Fem")
    assert words[subject.head].relation == "root"
    result = Swapper(lexicon, parser=parser).swap("Le roi regardait un paysage très beau.")
    assert result.counterpart == "La reine regardait un paysage très beau."
    assert result.means == ("rules", "spacy:fr_core_news_sm")


def test_which_parser(lexicon: Lexicon) -> None:
    assert load_parser("none", {"spacy": "x"}) is None
    assert load_parser("auto", {"spacy": "no_such_pipeline"}) is None
    with pytest.raises(UsageError, match="unknown parser"):
        load_parser("magic", {})
    with pytest.raises(UsageError, match="names no stanza pipeline"):
        load_parser("stanza", {})
    missing = load_parser("spacy:no_such_pipeline", {})
    assert missing is not None
    with pytest.raises(InputError, match="no spaCy pipeline"):
        missing.parse(["x"])


def test_a_parser_asked_for_by_name_must_be_there(lexicon: Lexicon) -> None:
    with pytest.raises(InputError, match="no spaCy pipeline"):
        make_swapper(lexicon, Means(parser="spacy:no_such_pipeline"))


def test_the_model_settles_an_open_form_above_the_margin() -> None:
    from curate.lexicon import load_lexicon

    pytest.importorskip("torch")
    german = load_lexicon("de")
    swapper = make_swapper(german, Means(model="mini"))
    candidates = ["Ich sehe den Mann.", "Ich sehe der Mann."]
    assert swapper._ranker is not None
    assert swapper._ranker.choose(candidates) == 0
    strict = make_swapper(german, Means(model="mini", margin=1000.0))
    assert strict._ranker is not None
    assert strict._ranker.choose(candidates) is None


def test_a_model_that_does_not_know_the_language_is_refused(lexicon: Lexicon) -> None:
    assert make_swapper(lexicon, AUTO)._ranker is None
    with pytest.raises(UsageError, match="does not know fr"):
        make_swapper(lexicon, Means(model="mini"))
