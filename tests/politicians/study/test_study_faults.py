"""What a study refuses, keeps, sorts and says: faults that once passed in silence."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import typer
from click.testing import Result
from typer.testing import CliRunner

from curate import schema
from curate.cli.politicians_study import study
from curate.errors import CurateError, InputError
from curate.models.sources import embedded_mini, find_model
from curate.politicians.study.deviations import largest
from curate.politicians.study.preparation import model_record
from curate.politicians.study.reading import WordTable
from curate.politicians.study.run import run_study
from curate.politicians.study.settings import Settings
from curate.politicians.study.word_files import word_files
from tests.politicians.study.made_words import row, table


def split_rows(**other: Any) -> list[dict[str, Any]]:
    """30 women and 30 men: a word beside all women, one beside all men, one beside everybody."""
    rows = []
    for n in range(60):
        qid, gender = f"Q{n + 1}", "female" if n < 30 else "male"
        rows += [row(qid, gender, word, **other) for word in (f"only-{gender}", "all")]
        rows += [row(qid, gender, "some", **other)] * (n % 3 == 0)
        # beside six women alone: only there too, but with a larger p
        rows += [row(qid, gender, "rare", **other)] * (n < 6)
    return rows


def run(*arguments: Any) -> Result:
    app = typer.Typer()
    app.command()(study)
    return CliRunner().invoke(app, [*map(str, arguments), "--draws", "20"])


@pytest.mark.parametrize("smoothing", [0, 0.5])
def test_words_beside_one_gender_keep_their_sign_and_are_on_the_page(
    tmp_path: Path, smoothing: float
) -> None:
    words, out = table(tmp_path / "words", split_rows()), tmp_path / "out"
    result = run(words, "--out", out, "--smoothing", smoothing)
    assert result.exit_code == 0, result.output
    rows = pq.read_table(out / "differences.parquet").to_pylist()
    order = [(own["word"], own["only"], own["difference"] is None) for own in rows]
    endless = not smoothing
    assert order[:2] == [("only-female", "female", endless), ("rare", "female", endless)]
    assert order[-1] == ("only-male", "male", endless)
    assert {(word, only) for word, only, _ in order[2:-1]} == {("all", ""), ("some", "")}
    assert {own["test"] for own in rows} == {"Fisher"}
    # what a draw over people cannot tell of a word that one gender never has, is not told
    assert {own["ci_low"] is None for own in rows if own["only"]} == {True}
    assert {own["ci_low"] is None for own in rows if not own["only"]} == {False}
    pmi = pq.read_table(out / "pmi.parquet").to_pylist()
    assert {own["pmi"] is None for own in pmi if not own["n"]} == {True}
    html = (out / "study.html").read_text(encoding="utf-8")
    for heading, word in (("Only beside female", "only-female"), ("Only beside male", "only-male")):
        assert word in html.split(heading)[1].split("</table>")[0]


def test_two_models_say_how_each_word_was_tested(tmp_path: Path) -> None:
    one, two = split_rows(), split_rows(model="n")
    rows = [*one, *(own for own in two if own["lemma"] != "some" or own["qid"] > "Q3")]
    found = run_study([table(tmp_path, rows)], settings=Settings(draws=20))
    tests = {own["word"]: own["test"] for own in found.rows["differences"] if own["model"] == "all"}
    assert tests == {
        "all": "Fisher", "only-female": "Fisher", "only-male": "Fisher", "rare": "Fisher",
        "some": "permutation, exact",
    }  # fmt: skip


def test_a_table_named_twice_is_read_once(tmp_path: Path) -> None:
    own = table(tmp_path / "parent" / "child", split_rows())
    (tmp_path / "link").symlink_to(own)
    found = word_files([own, tmp_path / "parent", own / "words.parquet", tmp_path / "link"])
    assert found == [own / "words.parquet"]


def test_two_revisions_of_one_name_are_refused(tmp_path: Path) -> None:
    one = table(tmp_path / "a", split_rows())
    two = table(tmp_path / "b", split_rows(revision="other"))
    result = run(one, two, "--out", tmp_path / "out")
    assert isinstance(result.exception, InputError)
    assert result.exception.exit_code == 2
    assert "other and r" in result.exception.message
    assert result.exception.where == "m"
    assert not (tmp_path / "out").exists()
    # the same revision in two files is one model in two parts
    assert len(WordTable(word_files([one, one])).groups()) == 1


def test_words_beside_everybody_are_counted_in_a_note(tmp_path: Path) -> None:
    found = run_study([table(tmp_path, split_rows())], settings=Settings(draws=20))
    assert any("1 of 5 words stand beside everybody" in note for note in found.notes)


def test_what_an_earlier_study_left_is_removed(tmp_path: Path) -> None:
    words, out = table(tmp_path / "words", split_rows()), tmp_path / "out"
    assert run(words, "--out", out).exit_code == 0
    about = json.loads((out / "study.json").read_text())
    about["files"] += ["grid.parquet", "grid.tsv", "../words/words.parquet"]
    (out / "study.json").write_text(json.dumps(about))
    for name in ("grid.parquet", "grid.tsv", "sentiment.tsv", "mine.txt"):
        (out / name).write_text("earlier")
    assert run(words, "--out", out).exit_code == 0
    left = {path.name for path in out.iterdir()}
    assert not {"grid.parquet", "grid.tsv"} & left
    # nothing that the earlier study did not list as its own
    assert {"sentiment.tsv", "mine.txt", "differences.tsv"} <= left
    assert (words / "words.parquet").is_file()


@pytest.mark.parametrize(
    ("rows", "options", "said"),
    [
        (split_rows(), ["--genders", "female,mael"], "'mael'"),
        (split_rows()[:9], [], "'male'"),
        ([], [], "no words"),
        (split_rows(), ["--subset", "born=1946.."], "table of people"),
    ],
)
def test_nothing_to_compare_is_an_error(
    tmp_path: Path, rows: list[dict[str, Any]], options: list[str], said: str
) -> None:
    result = run(table(tmp_path / "words", rows), *options, "--out", tmp_path / "out")
    assert isinstance(result.exception, CurateError)
    assert result.exception.exit_code == 2
    assert said in result.exception.message
    assert not (tmp_path / "out").exists()


def test_words_of_other_genders_are_no_tests_of_two(tmp_path: Path) -> None:
    rows = split_rows() + [row(f"Q{n}", "non-binary", "third") for n in range(70, 80)]
    found = run_study([table(tmp_path, rows)], settings=Settings(draws=20))
    held = found.rows["differences"]
    assert (held[-1]["word"], held[-1]["only"], held[-1]["p"]) == ("third", "", 1.0)
    assert {own["n_words"] for own in held} == {5}
    assert held[0]["p_bonferroni"] == pytest.approx(5 * held[0]["p"])


def test_a_language_without_people_is_a_note(tmp_path: Path) -> None:
    rows = split_rows() + split_rows(lang="fr")
    people = [
        {
            "qid": f"Q{n + 1}", "lang": "en", "name": "N", "gender": "female" if n < 30 else "male",
            "gender_qids": [], "birth_years": [], "country_qids": [], "occupation_qids": [],
            "retrieved": "2026-01-01",
        }
        for n in range(60)
    ]  # fmt: skip
    path = tmp_path / "politicians.parquet"
    pq.write_table(pa.Table.from_pylist(people, schema=schema.POLITICIANS), path)
    words, settings = table(tmp_path / "words", rows), Settings(draws=20)
    found = run_study([words], people=path, settings=settings)
    assert {own["lang"] for own in found.rows["differences"]} == {"en"}
    assert any(note.startswith("fr: no people") for note in found.notes)
    french = table(tmp_path / "french", split_rows(lang="fr"))
    with pytest.raises(InputError, match="nobody of these words' languages"):
        run_study([french], people=path, settings=settings)


def test_what_is_missing_is_told_before_anything_is_computed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: Any, **__: Any) -> None:
        raise AssertionError

    monkeypatch.setattr("curate.politicians.study.run.run_study", never)
    words = table(tmp_path / "words", split_rows())
    missing = tmp_path / "no" / "such"
    result = run(words, "--representations", missing, "--out", tmp_path / "out")
    assert isinstance(result.exception, CurateError), result.exception


def test_a_model_is_recorded_by_name_and_revision_without_its_folder(tmp_path: Path) -> None:
    local = tmp_path / "own"
    shutil.copytree(embedded_mini(), local)
    assert model_record(str(local)) == f"own@{find_model(str(local)).revision}"
    assert model_record("mini").startswith("mini@")
    assert model_record("") == ""


def test_of_equally_one_sided_words_the_frequent_is_first() -> None:
    counts = np.array([[5.0, 0], [500, 0], *[[50, 50]] * 6])
    use = SimpleNamespace(counts=counts, genders=("female", "male"), words=tuple("abcdefgh"))
    found: Any = SimpleNamespace(use=use, known=np.ones(8, dtype=np.bool_))
    assert largest(found, "female", size=2) == [1, 0]
