"""A study that fails late loses nothing; what can fail early does; a table counts once."""

from __future__ import annotations

import errno
import json
import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import typer
from click.testing import Result
from typer.testing import CliRunner

from curate import schema
from curate.cli.politicians_study import study
from curate.errors import CurateError, InputError, MissingExtraError, UsageError
from curate.politicians.parts import Parts
from curate.politicians.parts_lock import held
from curate.politicians.study import run as run_module
from curate.politicians.study.checkpoints import Checkpoints
from curate.politicians.study.findings import Findings
from curate.politicians.study.reading import Group, LeftOut, WordTable
from curate.politicians.study.results import TABLES, as_table
from curate.politicians.study.run import run_study
from curate.politicians.study.settings import Settings
from curate.politicians.study.word_files import distinct_files, word_files
from tests.politicians.study.made_words import row, table

pytest.importorskip("torch")

MODELS = ("m", "n")


def rows_of_two_models() -> list[dict[str, Any]]:
    return [
        row(f"Q{n + 1}", "female" if n < 20 else "male", f"w{(n * step) % 12}", model=model)
        for model in MODELS
        for n in range(60)
        for step in (1, 5, 7)
    ]


def people_table(path: Path, genders: dict[str, str]) -> Path:
    rows = [
        {
            "qid": qid, "lang": "en", "name": "N", "gender": gender, "gender_qids": [],
            "birth_years": [1950], "country_qids": [], "occupation_qids": [],
            "retrieved": "2026-01-01",
        }
        for qid, gender in genders.items()
    ]  # fmt: skip
    file = path / "politicians.parquet"
    pq.write_table(pa.Table.from_pylist(rows, schema=schema.POLITICIANS), file)
    return file


@pytest.fixture
def given(tmp_path: Path) -> list[Any]:
    words = table(tmp_path / "words", rows_of_two_models())
    lexicon = "".join(f"w{n}\t{n % 3 - 1}\t-1..1\n" for n in range(12))
    (tmp_path / "lexicon.tsv").write_text(f"word\tvalue\tscale\n{lexicon}")
    return [
        words, "--lexicon", f"en={tmp_path / 'lexicon.tsv'}", "--steps", "30", "--draws", "20",
        "--latent-draws", "2",
    ]  # fmt: skip


def run(*arguments: Any) -> Result:
    app = typer.Typer()
    app.command()(study)
    return CliRunner().invoke(app, [*map(str, arguments)])


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_late_failure_loses_nothing_and_the_rerun_writes_the_same(
    tmp_path: Path, given: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, out = tmp_path / "whole", tmp_path / "out"
    assert run(*given, "--out", whole).exit_code == 0

    def fails(*_: Any, **__: Any) -> None:
        raise InputError("late")

    with monkeypatch.context() as patched:
        patched.setattr("curate.politicians.study.run.analyse_variance", fails)
        assert isinstance(run(*given, "--out", out).exception, InputError)
    kept = {path.name for path in (out / "study_parts").iterdir()}
    assert {"state.json", "00000.json", "00001.json", "00002.json"} <= kept
    with monkeypatch.context() as patched:
        # nothing is found a second time
        patched.setattr(run_module._Runner, "find", fails)
        assert run(*given, "--out", out).exit_code == 0
    assert contents(out) == contents(whole)


def test_a_half_done_study_goes_on_from_its_parts(
    tmp_path: Path, given: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, out = tmp_path / "whole", tmp_path / "out"
    assert run(*given, "--out", whole).exit_code == 0
    find = run_module._Runner.find
    asked: list[str] = []

    def second_fails(self: Any, task: Any) -> Findings:
        asked.append(task.model)
        if len(asked) == 2:
            raise KeyboardInterrupt
        return find(self, task)

    monkeypatch.setattr(run_module._Runner, "find", second_fails)
    assert run(*given, "--out", out).exit_code != 0
    assert not (out / "study.json").exists()
    assert run(*given, "--out", out).exit_code == 0
    assert asked == ["m", "n", "n", "all"]
    assert contents(out) == contents(whole)


def test_parts_of_another_study_are_refused_until_restart(
    tmp_path: Path, given: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    with monkeypatch.context() as patched:
        patched.setattr(run_module, "_variance", lambda *_: 1 / 0)
        run(*given, "--out", out)
    result = run(*given, "--seed", 4, "--out", out)
    assert isinstance(result.exception, UsageError)
    assert "other settings (seed) lies here" in result.exception.message
    assert "--restart" in result.exception.hint
    (tmp_path / "lexicon.tsv").write_text("word\tvalue\tscale\nw1\t1\t-1..1\nw2\t-1\t-1..1\n")
    result = run(*given, "--out", out)
    assert "other inputs" in str(result.exception)
    (out / "study_parts" / "state.json").write_text("{")
    assert "cannot be read" in str(run(*given, "--out", out).exception)
    assert run(*given, "--restart", "--out", out).exit_code == 0
    assert not (out / "study_parts").exists()


def test_a_part_is_read_as_it_was_written(tmp_path: Path) -> None:
    unit = {"lang": "en", "upos": "ADJ", "model": "m", "subset": "everyone"}
    found = Findings(notes=["a note"])
    found.add("people", [{**unit, "gender": "female", "n": 3, "weight": 0.1 + 0.2,
                          "in_two_genders": True}])  # fmt: skip
    found.largest = [{"gender": "female", "negative": 0.0, "neutral": 1.0, "positive": 0.0}]
    held = Checkpoints(tmp_path, depends={"a": (1, 2)})
    held.open()
    assert held.load(0) is None
    held.save(0, found)
    assert held.load(0) == found
    Checkpoints(tmp_path, depends={"a": [1, 2]}).open()  # the same, once it is JSON
    Checkpoints(tmp_path / "empty", depends={"a": 1}).open()
    Checkpoints(tmp_path / "empty", depends={"a": 2}).open()  # no part is there to lose
    (tmp_path / "study_parts" / "00000.people.parquet").write_bytes(b"cut off")
    with pytest.raises(InputError, match="cannot be read"):
        held.load(0)


def test_parts_that_a_removal_left_are_nobodys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kill in the middle of --restart, or after the last table, must not hand parts on."""
    one = Checkpoints(tmp_path, depends={"settings": 1})
    one.open()
    one.save(0, Findings(notes=["of the first settings"]))
    with monkeypatch.context() as patched:

        def killed(*_: Any) -> None:
            raise KeyboardInterrupt

        patched.setattr(shutil, "rmtree", killed)
        with pytest.raises(KeyboardInterrupt):
            one.remove()
    other = Checkpoints(tmp_path, depends={"settings": 2})
    other.open()
    assert other.load(0) is None


def test_a_study_leaves_what_a_fetch_has_not_finished(tmp_path: Path) -> None:
    fetch = Parts(tmp_path / "parts", {"langs": ["en"]})
    fetch.open(restart=False)
    fetch.keep("countries", lambda: ["Q1"])
    study = Checkpoints(tmp_path, depends={"settings": 1})
    study.open(restart=True)
    study.remove()
    again = Parts(tmp_path / "parts", {"langs": ["en"]})
    again.open(restart=False)
    assert again.keep("countries", lambda: ["asked again"]) == ["Q1"]


def test_two_studies_in_one_folder_are_one_too_many(tmp_path: Path, given: list[Any]) -> None:
    out = tmp_path / "out"
    with held(out, work="study"):
        result = run(*given, "--out", out)
        assert "another study is at work here" in str(result.exception)
        assert list(out.iterdir()) == [out / ".lock"]
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file", tmp_path / "file" / "inner"):
        assert "no folder to write to" in str(run(*given, "--out", path).exception)
    with pytest.raises(UsageError, match="no folder to write to"):
        Checkpoints(tmp_path / "file", depends={}).open()


def test_a_disk_without_locks_stops_no_study(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*_: Any) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", none)
    with held(tmp_path, work="study"):
        pass
    assert not list(tmp_path.iterdir())


def test_one_table_under_two_paths_counts_once(tmp_path: Path) -> None:
    one = table(tmp_path / "one", rows_of_two_models())
    two = tmp_path / "two"
    shutil.copytree(one, two)
    other = table(tmp_path / "other", [row("Q900", "male", "w1", lang="fr")])
    files, twice = distinct_files(word_files([one, two, other]))
    assert files == [one / "words.parquet", other / "words.parquet"]
    assert twice == ["one/words.parquet"]
    settings = Settings(draws=20, weigh="probability")
    alone = run_study([one], settings=settings)
    both = run_study([one, two], settings=settings)
    for name in TABLES:
        assert as_table(name, alone.rows[name]).equals(as_table(name, both.rows[name]))
    assert any("the same table is there twice" in note for note in both.notes)
    assert not any("twice" in note for note in alone.notes)


def test_the_unknown_and_the_absent_are_two_numbers(tmp_path: Path) -> None:
    words = table(tmp_path / "words", rows_of_two_models())
    genders = {f"Q{n}": "female" if n <= 20 else "male" for n in range(1, 55)}
    people = people_table(tmp_path, {**genders, "Q1": "unknown", "Q2": "unknown"})
    known = {**genders, "Q1": "unknown", "Q2": "unknown"}
    _, left_out = WordTable(word_files([words]), genders=known).use([Group("en", "ADJ", "m")])
    assert left_out == LeftOut(unknown=2, absent=6)
    notes = run_study([words], people=people, settings=Settings(draws=20)).notes
    assert "en ADJ m: 2 people of unknown gender were left out" in notes
    assert "en ADJ m: 6 people not in the table of people were left out" in notes


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--genders", "female,mael"], "'mael'"),
        (["--subset", "born=1946.."], "table of people"),
        (["--subset", "party=x"], "no subset"),
        (["--people", "{folder}/none"], ""),
        (["--people", "{folder}/other"], "languages"),
        (["--models", "{folder}/none.tsv"], ""),
        (["--models", "{folder}/models.tsv"], "models.tsv:3"),
        (["--supersenses", "en={folder}/models.tsv"], "'supersense'"),
        (["--lexicon", "en={folder}/models.tsv"], "no column"),
        (["--representations", "{folder}/none"], ""),
    ],
)
def test_what_can_be_known_is_told_before_anything_long(
    tmp_path: Path, given: list[Any], options: list[str], said: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    def never(*_: Any, **__: Any) -> None:
        raise AssertionError

    monkeypatch.setattr("curate.politicians.study.run.run_study", never)
    monkeypatch.setattr("curate.politicians.study.inputs.merged_by_language", never)
    (tmp_path / "models.tsv").write_text("model\tarchitecture\tsize\nm\tBERT\tbase\nn\tBERT\n")
    (tmp_path / "other").mkdir()
    people_table(tmp_path / "other", {})
    options = [text.format(folder=tmp_path) for text in options]
    result = run(*given, *options, "--out", tmp_path / "out")
    assert isinstance(result.exception, CurateError), result.exception
    assert said in str(result.exception)
    assert result.exception.exit_code == 2
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("missing", ["torch", "statsmodels", "sklearn.cluster", "transformers"])
def test_missing_packages_are_told_first(
    tmp_path: Path, given: list[Any], missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from curate.politicians.study import preparation

    there = preparation.optional

    def some(module: str, *, package: str, extra: str = "study") -> Any:
        if module == missing:
            raise MissingExtraError(package, extra)
        return there(module, package=package, extra=extra)

    monkeypatch.setattr(preparation, "optional", some)
    result = run(*given, "--representations", "mini", "--out", tmp_path / "out")
    assert isinstance(result.exception, MissingExtraError)
    assert not (tmp_path / "out").exists()


def test_genders_of_people_that_no_word_has_are_an_error_too(tmp_path: Path) -> None:
    words = table(tmp_path / "words", [row(f"Q{n}", "female", "kind") for n in range(1, 9)])
    people = people_table(tmp_path, {**{f"Q{n}": "female" for n in range(1, 9)}, "Q99": "male"})
    result = run(words, "--people", people, "--draws", 20, "--out", tmp_path / "out")
    assert isinstance(result.exception, InputError)
    assert "'male'" in result.exception.message
    assert not (tmp_path / "out" / "study.json").exists()


def test_inputs_are_recorded_without_paths(tmp_path: Path, given: list[Any]) -> None:
    (tmp_path / "data.txt").write_text("w1 1\nw2 -1\nw3 0\n")
    (tmp_path / "adapter.toml").write_text(
        'name = "a"\nscale = "-1..1"\ndelimiter = "space"\n[[file]]\npath = "data.txt"\n'
    )
    out = tmp_path / "out"
    result = run(*given, "--lexicon", f"en={tmp_path / 'adapter.toml'}", "--out", out)
    assert result.exit_code == 0, result.exception
    text = (out / "study.json").read_text()
    assert str(tmp_path) not in text
    files = json.loads(text)["inputs"]["files"]
    assert [(own["name"], own["rows"]) for own in files] == [
        ("words.parquet", 360), ("lexicon.tsv", 13), ("adapter.toml", 5), ("data.txt", 3),
    ]  # fmt: skip
    assert all(len(own["sha256"]) == 64 for own in files)
