"""`curate politicians import` and `words` as commands, one after the other."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import typer

pytest.importorskip("torch", reason="needs the extra gender-curate[models]")

from curate.cli.politicians_words import import_table, words
from curate.errors import InputError, UsageError
from curate.politicians.vocabulary import LEAST_SHARE
from curate.politicians.words import TOP, WordSettings
from tests.commands import Run, runner_of
from tests.scoring.tiny_models import tiny_bert

PEOPLE = "name,gender,qid\nking sat,m,Q7\nqueen sang,f,Q12\nold girl,non-binary,Q9\nboy,unsure,Q1\n"
CONLLU = (
    "1\told\told\tADJ\t_\t_\t0\troot\t_\t_\n"
    "2\tNew\tnew\tADJ\t_\t_\t1\tamod\t_\t_\n"
    "3\tbigs\tbig\tADJ\t_\t_\t1\tamod\t_\t_\n"
    "4\tsat\tsit\tVERB\t_\t_\t1\tdep\t_\t_\n"
    "5\tran\trun\tVERB\t_\t_\t1\tdep\t_\t_\n\n"
)


@pytest.fixture
def run() -> Run:
    app = typer.Typer()
    app.command("words")(words)
    app.command("import")(import_table)
    return runner_of(app)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return tiny_bert(tmp_path / "bert")


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    path = tmp_path / "toy.conllu.gz"
    path.write_bytes(gzip.compress(CONLLU.encode()))
    return path


@pytest.fixture
def people(tmp_path: Path, run: Run) -> Path:
    (tmp_path / "people.csv").write_text(PEOPLE, encoding="utf-8")
    result = run("import", tmp_path / "people.csv", "--lang", "en", "--columns", "name,gender,qid",
                 "--out", tmp_path / "people")  # fmt: skip
    assert result.exit_code == 0, result.output
    assert "3 of 4 rows are people (female 1, male 1, non-binary 1)" in result.output
    assert "unknown gender: unsure 1" in result.output
    return tmp_path / "people"


def test_from_a_table_of_people_to_words(
    run: Run, people: Path, treebank: Path, model: Path, tmp_path: Path
) -> None:
    arguments = ["words", people, "--lang", "en", "--model", model, "--top-adjectives", 2,
                 "--top-verbs", 1]  # fmt: skip
    result = run(*arguments, "--treebank", treebank, "--out", tmp_path / "one")
    assert result.exit_code == 0, result.output
    assert "3 people (female 1, male 1, non-binary 1), 3 different names" in result.output
    assert "ADJ before the name: 3 forms of 3 lemmas kept" in result.output
    rows = pq.read_table(tmp_path / "one" / "words.parquet").to_pylist()
    assert [(row["qid"], row["upos"], row["rank"]) for row in rows] == [
        (qid, upos, rank)
        for qid in ("Q7", "Q9", "Q12")
        for upos, rank in (("ADJ", 1), ("ADJ", 2), ("VERB", 1))
    ]
    # the table that the first run wrote says which words are kept
    again = run(*arguments, "--vocabulary", tmp_path / "one" / "vocabulary.tsv", "--batch-tokens",
                7, "--out", tmp_path / "two", "--json")  # fmt: skip
    manifest = json.loads(again.output)
    assert manifest["counts"]["rows"] == 9
    for name in ("words.parquet", "drops.parquet", "vocabulary.tsv", "words.json"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_people_of_one_file_and_a_draw(
    run: Run, people: Path, treebank: Path, model: Path, tmp_path: Path
) -> None:
    result = run("words", people / "politicians.parquet", "--lang", "en", "--model", model,
                 "--treebank", treebank, "--treebank", treebank, "--limit", 1, "--seed", 4,
                 "--out", tmp_path / "out", "--json")  # fmt: skip
    manifest = json.loads(result.output)
    assert (manifest["counts"]["people"], manifest["limit"], manifest["seed"]) == (1, 1, 4)


def test_what_is_kept_must_be_said_once(
    run: Run, people: Path, treebank: Path, tmp_path: Path
) -> None:
    for given in ([], ["--treebank", treebank, "--vocabulary", tmp_path / "v.tsv"]):
        with pytest.raises(UsageError, match="one of --treebank and --vocabulary"):
            run("words", people, "--lang", "en", "--out", tmp_path / "out", *given)


def test_bad_input_is_one_error(
    run: Run, people: Path, treebank: Path, model: Path, tmp_path: Path
) -> None:
    common = ["--model", model, "--treebank", treebank, "--out", tmp_path / "out"]
    with pytest.raises(InputError, match="nobody has a name in 'fr' here; there are: en"):
        run("words", people, "--lang", "fr", *common)
    with pytest.raises(UsageError, match="unknown language 'qq'"):
        run("words", people, "--lang", "qq", *common)
    empty = tmp_path / "empty.conllu"
    empty.write_text("1\tand\tand\tCCONJ\t_\t_\t0\troot\t_\t_\n\n", encoding="utf-8")
    with pytest.raises(InputError, match="no adjective and no verb here"):
        run("words", people, "--lang", "en", "--treebank", empty, "--out", tmp_path / "out")
    empty.write_text("not a treebank\n", encoding="utf-8")
    with pytest.raises(InputError, match="1 columns, 10 expected") as caught:
        run("words", people, "--lang", "en", "--treebank", empty, "--out", tmp_path / "out")
    assert caught.value.where == f"{empty}:1"
    assert not (tmp_path / "out").exists()


def test_an_import_tells_json(run: Run, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text(PEOPLE, encoding="utf-8")
    result = run("import", tmp_path / "people.csv", "--lang", "en", "--columns", "name, gender",
                 "--gender-scheme", "paper", "--out", tmp_path / "people", "--json")  # fmt: skip
    told = json.loads(result.output)
    assert told["genders"] == {"female": 1, "male": 1, "non-binary": 1}
    assert (told["columns"], told["scheme"]) == (["name", "gender"], "paper")
    with pytest.raises(UsageError, match="unknown gender scheme"):
        run("import", tmp_path / "people.csv", "--lang", "en", "--columns", "name,gender",
            "--gender-scheme", "other", "--out", tmp_path / "people")  # fmt: skip


def test_the_command_has_the_defaults_of_the_package() -> None:
    """They stand in the command too, so that its help needs no torch."""
    settings = WordSettings()
    defaults = words.__kwdefaults__
    for option, value in {
        "top_adjectives": settings.adjectives, "top_verbs": settings.verbs,
        "beam": settings.beam, "most_pieces": settings.most_pieces, "least_share": LEAST_SHARE,
    }.items():  # fmt: skip
        assert defaults[option] == value
    assert settings.top() == TOP


def test_lemmas_of_a_table_take_the_place_of_the_treebanks(
    run: Run, people: Path, model: Path, treebank: Path, tmp_path: Path
) -> None:
    table = tmp_path / "lemmas.tsv"
    table.write_text("upos\tform\tlemma\nVERB\tsat\trun\n", encoding="utf-8")
    common = ("words", people, "--lang", "en", "--model", model, "--treebank", treebank)
    result = run(*common, "--lemmatiser", table, "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert "forms keep their lemma: lemmas.tsv has none for them" in result.output
    found = pq.read_table(tmp_path / "out" / "words.parquet").to_pylist()
    assert {row["lemma"] for row in found if row["upos"] == "VERB"} == {"run"}
    with pytest.raises(UsageError, match="unknown lemmatiser 'mine'"):
        run(*common, "--lemmatiser", "mine", "--out", tmp_path / "no")
