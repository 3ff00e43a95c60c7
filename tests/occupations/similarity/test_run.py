"""`curate occupations score` from table to tables: means, mirrors, seeds, cuts, bad input."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from curate.errors import InputError, UsageError
from curate.models.sentence_encoders import load_sentence_encoder
from curate.models.seq2seq import TextSimilarity
from curate.models.similarity import Similarities
from curate.models.sts import TrainSettings
from curate.occupations import OccupationTable, read_table
from curate.occupations.similarity import (
    ScorerSettings,
    read_similarity,
    score_occupations,
    seeds_of,
)
from curate.occupations.similarity import run as run_module
from curate.occupations.similarity.cells import compared_cells
from curate.occupations.similarity.training import train_seeds
from curate.sources.sts import read_sts
from tests.commands import Run

pytest.importorskip("torch", reason="needs the extra gender-curate[models]")

FILES = ("scores.parquet", "summary.parquet", "summary.tsv", "similarity.json", "similarity.html")


@pytest.fixture
def bert(model_folders: dict[str, Path]) -> Path:
    return model_folders["bert"]


def exchanged(table: OccupationTable) -> OccupationTable:
    """The table with the names of he and she exchanged."""
    other = {"he": "she", "she": "he"}
    rows = table.long.to_pylist()
    for row in rows:
        row["occupation"] = other.get(row["occupation"], row["occupation"])
    long = pa.Table.from_pylist(rows, schema=table.long.schema)
    return OccupationTable(long, table.wide, table.drops, table.manifest)


def test_the_means_are_those_of_the_scores(
    table: Path, bert: Path, tmp_path: Path, call: Run
) -> None:
    done = call("score", "--data", table, "--model", bert, "--out", tmp_path / "out",
                "--label", "tiny bert")  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "10 sentences" in done.output
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted(FILES)
    found = read_similarity(tmp_path / "out")
    assert found.scores.num_rows == 40
    scores = found.scores.to_pandas()
    for row in found.summary.to_pylist():
        own = scores[scores.column == row["column"]]
        assert row["mean_she"] == pytest.approx(own.similarity_she.mean())
        apart = own.similarity_she - own.similarity_he
        assert row["difference"] == pytest.approx(apart.mean())
        assert (row["n"], row["n_dropped"], row["seeds"], row["model"]) == (10, 0, 1, "tiny bert")
        assert row["exact"]
        assert row["permutations"] == 1024
    assert str(tmp_path) not in (tmp_path / "out" / "similarity.json").read_text(encoding="utf-8")


def test_the_same_run_gives_the_same_bytes(
    table: Path, bert: Path, tmp_path: Path, call: Run
) -> None:
    for name, budget in (("a", 20), ("b", 4000)):
        call("score", "--data", table, "--model", bert, "--out", tmp_path / name,
             "--budget", budget, "--label", "m")  # fmt: skip
    for name in FILES:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes(), name


@pytest.mark.parametrize("kind", ["encoder", "stsb"])
def test_exchanging_he_and_she_mirrors_every_score(
    kind: str, table: Path, bert: Path, t5: Path, tmp_path: Path
) -> None:
    settings = [ScorerSettings(model=str(bert if kind == "encoder" else t5), scorer=kind)]
    there = read_table(table)
    one = score_occupations(there, tmp_path / "a", models=settings, dataset="d")
    other = score_occupations(exchanged(there), tmp_path / "b", models=settings, dataset="d")
    assert one.scores.column("similarity_he").equals(other.scores.column("similarity_she"))
    assert one.scores.column("similarity_she").equals(other.scores.column("similarity_he"))
    for row, mirrored in zip(one.summary.to_pylist(), other.summary.to_pylist(), strict=True):
        assert row["p_holm"] == mirrored["p_holm"]
        assert row["mean_he_ci_low"] == mirrored["mean_she_ci_low"]
        if row["difference"] is not None:
            assert row["difference"] == -mirrored["difference"]
            assert row["ci_low"] == -mirrored["ci_high"]


class Half:
    """A scorer that gives half of the pairs no value."""

    name, revision, device, scale, pooling, parameters = "half", "1", "cpu", "stsb", "", 7

    def similarities(self, pairs: Any, *, on_done: Any = None) -> Similarities:
        values = np.array([np.nan if "sing" in a and "She" in a else 2.0 for a, _ in pairs])
        return Similarities(values, tuple("no-number" if np.isnan(v) else "" for v in values))


def test_what_has_no_value_is_dropped_with_its_reason(
    table: Path, t5: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_module, "load_scorer", lambda settings: Half())
    found = score_occupations(
        read_table(table), tmp_path, dataset="d",
        models=[ScorerSettings(model=str(t5), scorer="stsb")],
    )  # fmt: skip
    for row in found.summary.to_pylist():
        assert (row["n"], row["n_tied"], row["n_dropped"]) == (9, 9, 1)
        assert row["drops"] == "no-number 1"
        assert (row["difference"], row["p"]) == (0.0, 1.0)
    problems = found.scores.filter(pa.compute.not_equal(found.scores["problem"], ""))
    assert set(problems.column("problem").to_pylist()) == {"she: no-number"}


def test_several_seeds_are_one_model(table: Path, tmp_path: Path, call: Run, t5: Path) -> None:
    lines = [f"He sings {at},He sings {at},5.0\nShe dances {at},A nurse,0.0\n" for at in range(12)]
    (tmp_path / "sts.csv").write_text(
        "sentence1,sentence2,score\n" + "".join(lines), encoding="utf-8"
    )
    train = ("train", "--model", t5, "--sts", tmp_path / "sts.csv", "--dev", tmp_path / "sts.csv",
             "--out", tmp_path / "mine", "--epochs", 2, "--batch-size", 8,
             "--learning-rate", 0.01)  # fmt: skip
    done = call(*train, "--seeds", "3,1")
    assert done.exit_code == 0, done.output
    record = json.loads((tmp_path / "mine" / "training.json").read_text(encoding="utf-8"))
    assert [run["seed"] for run in record["runs"]] == [1, 3]
    before = (tmp_path / "mine" / "seed-1" / "model.safetensors").stat().st_mtime_ns
    again = call(*train, "--seeds", "1,3,4")
    assert again.exit_code == 0
    assert (tmp_path / "mine" / "seed-1" / "model.safetensors").stat().st_mtime_ns == before
    with pytest.raises(UsageError, match="another settings lies here"):
        call(*train, "--patience", 1)
    call("score", "--data", table, "--model", tmp_path / "mine", "--out", tmp_path / "out")
    found = read_similarity(tmp_path / "out")
    assert found.record["model"] == "t5-tiny (trained)"
    assert found.scores.num_rows == 120
    scores = found.scores.to_pandas()
    for row in found.summary.to_pylist():
        assert row["seeds"] == 3
        own = scores[scores.column == row["column"]]
        held = own.groupby("sent_id").similarity_he.transform(lambda v: v.notna().all())
        held &= own.groupby("sent_id").similarity_she.transform(lambda v: v.notna().all())
        means = own[held].groupby("model")[["similarity_he", "similarity_she"]].mean()
        assert row["n"] == int(held.sum()) // 3
        if row["n"]:
            assert row["mean_he"] == pytest.approx(means.similarity_he.mean())
            assert row["mean_she_std"] == pytest.approx(means.similarity_she.std(ddof=1))


def test_a_training_that_was_cut_off_is_not_scored(tmp_path: Path, table: Path, call: Run) -> None:
    (tmp_path / "training.json").write_text('{"seeds": [0, 1], "runs": []}', encoding="utf-8")
    with pytest.raises(InputError, match="seed 0 is not trained to its end"):
        call("score", "--data", table, "--model", tmp_path, "--out", tmp_path / "out")


def test_a_run_that_was_cut_off_goes_on(
    table: Path, bert: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(run_module._ROWS, "encoder", 8)
    settings = [ScorerSettings(model=str(bert))]
    whole = score_occupations(read_table(table), tmp_path / "a", models=settings, dataset="d")
    scorer = run_module.load_scorer(ScorerSettings(model=str(bert), scorer="encoder"))
    calls, real = [], scorer.similarities

    def killed(pairs: Any) -> Similarities:
        calls.append(len(pairs))
        if len(calls) == 3:
            raise KeyboardInterrupt
        return real(pairs)

    monkeypatch.setattr(scorer, "similarities", killed)
    with pytest.raises(KeyboardInterrupt):
        score_occupations(read_table(table), tmp_path / "b", models=settings, dataset="d")
    assert not (tmp_path / "b" / "similarity.json").exists()
    calls.clear()
    monkeypatch.setattr(scorer, "similarities", lambda pairs: calls.append(1) or real(pairs))
    resumed = score_occupations(read_table(table), tmp_path / "b", models=settings, dataset="d")
    assert len(calls) == 3  # of five parts, two were there
    assert resumed.record == whole.record
    assert (tmp_path / "b" / "scores.parquet").read_bytes() == (
        tmp_path / "a" / "scores.parquet"
    ).read_bytes()
    assert not (tmp_path / "b" / "unfinished").exists()


def test_each_sentence_is_encoded_once(table: Path, bert: Path, tmp_path: Path) -> None:
    run_module.load_scorer.cache_clear()
    score_occupations(
        read_table(table), tmp_path, models=[ScorerSettings(model=str(bert))], dataset="d"
    )
    scorer = run_module.load_scorer(ScorerSettings(model=str(bert), scorer="encoder"))
    assert scorer.encoded == 10 * (2 + 4)


def test_bad_input_is_one_line(
    table: Path, bert: Path, t5: Path, tmp_path: Path, call: Run
) -> None:
    base = ("score", "--data", table, "--out", tmp_path / "out")
    with pytest.raises(UsageError, match="unknown pooling 'sum'"):
        call(*base, "--model", bert, "--pooling", "sum")
    with pytest.raises(InputError, match="no encoder and decoder"):
        call(*base, "--model", bert, "--scorer", "stsb")
    with pytest.raises(UsageError, match="--pooling and --prefix are for sentence encoders"):
        call(*base, "--model", t5, "--scorer", "stsb", "--pooling", "mean")
    with pytest.raises(InputError, match="of different kinds"):
        call(*base, "--model", bert, "--model", t5)
    with pytest.raises(InputError, match=r"no seeds of one: .*, mini \(encoder, [\d,]+ weights\)"):
        call(*base, "--model", bert, "--model", "mini", "--pooling", "mean")
    with pytest.raises(InputError, match=r"no manifest\.json here"):
        call("score", "--data", tmp_path, "--model", bert, "--out", tmp_path / "out")
    assert not (tmp_path / "out" / "similarity.json").exists()


def test_a_table_without_she_is_refused(table: Path) -> None:
    long = read_table(table).long
    kept = long.filter(pa.compute.not_equal(long["occupation"], "she"))
    with pytest.raises(InputError, match="no sentence with she beside"):
        compared_cells(kept, where="out/en")
    with pytest.raises(InputError, match="no sentence with an occupation"):
        compared_cells(long.filter(pa.compute.equal(long["kind"], "pronoun")))


def test_a_folder_of_something_else_is_refused(
    tmp_path: Path, table: Path, bert: Path, call: Run
) -> None:
    with pytest.raises(InputError, match=r"no similarity\.json here"):
        read_similarity(tmp_path)
    call("score", "--data", table, "--model", bert, "--out", tmp_path / "out")
    shutil.copy(table / "drops.parquet", tmp_path / "out" / "summary.parquet")
    with pytest.raises(InputError, match="not a table of these scores"):
        read_similarity(tmp_path / "out")
    (tmp_path / "out" / "similarity.json").write_text("[]", encoding="utf-8")
    with pytest.raises(InputError, match="not a record"):
        read_similarity(tmp_path / "out")


def test_the_text_table_says_what_the_parquet_says(
    table: Path, bert: Path, tmp_path: Path, call: Run
) -> None:
    call("score", "--data", table, "--model", bert, "--out", tmp_path)
    lines = (tmp_path / "summary.tsv").read_text(encoding="utf-8").splitlines()
    rows = pq.read_table(tmp_path / "summary.parquet").to_pylist()
    names = lines[0].split("\t")
    for line, row in zip(lines[1:], rows, strict=True):
        said = dict(zip(names, line.split("\t"), strict=True))
        assert said["occupation"] == row["occupation"]
        assert float(said["difference"]) == pytest.approx(row["difference"], rel=1e-5)


def test_a_zero_vector_is_dropped_with_its_reason(
    table: Path, bert: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scorer = load_sentence_encoder(str(bert))
    embed = scorer.embed

    def zeroed(texts: Any, **options: Any) -> Any:
        vectors, codes = embed(texts, **options)
        vectors[[text.startswith("She is singing") for text in texts]] = 0
        return vectors, codes

    monkeypatch.setattr(scorer, "embed", zeroed)
    monkeypatch.setattr(run_module, "load_scorer", lambda settings: scorer)
    models = [ScorerSettings(model=str(bert), prefix="query: ")]
    found = score_occupations(read_table(table), tmp_path, dataset="d", models=models)
    assert {(row["n"], row["drops"]) for row in found.summary.to_pylist()} == {(9, "zero-vector 1")}
    assert found.record["prefix"] == "query: "


def test_numbers_are_whole_in_a_narrow_terminal(
    table: Path, bert: Path, tmp_path: Path, call: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    done = call("score", "--data", table, "--model", bert, "--out", tmp_path / "out")
    assert "\u2026" not in done.output
    for row in read_similarity(tmp_path / "out").record["occupations"]:
        assert f"{row['ci_low']:+.3f}, {row['ci_high']:+.3f}" in done.output


def test_seeds_that_were_given_up_are_not_waited_for(tmp_path: Path, t5: Path) -> None:
    rows = [f"He sings {at},He sings {at},{at % 6}.0" for at in range(12)]
    sts = tmp_path / "sts.csv"
    sts.write_text("\n".join(["sentence1,sentence2,score", *rows]) + "\n", encoding="utf-8")
    settings = TrainSettings(epochs=1, batch_size=8)

    class CutError(Exception):
        pass

    def cut(what: str, done: float, of: int) -> None:
        if what == "seed 1":
            raise CutError

    given = (str(t5), read_sts(sts), read_sts(sts), tmp_path / "out")
    with pytest.raises(CutError):
        train_seeds(*given, seeds=[0, 1], settings=settings, on_progress=cut)
    with pytest.raises(InputError, match="seed 1 is not trained"):
        seeds_of(str(tmp_path / "out"))
    train_seeds(*given, seeds=[0], settings=settings)
    with pytest.raises(InputError, match="no such model folder"):
        train_seeds("./none", *given[1:], seeds=[0], settings=settings, restart=True)
    assert seeds_of(str(tmp_path / "out")) == [str(tmp_path / "out" / "seed-0")]


def test_a_sentence_t5_of_the_hub_is_an_encoder(
    t5: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What pools is known only when its modules are fetched, which the model alone does not do."""
    from curate.models import sentence_sources
    from curate.models.sources import ModelFolder

    shutil.copytree(t5, tmp_path / "abc123")
    fetched = ModelFolder("lab/sentence-t5", tmp_path / "abc123", "abc123")
    monkeypatch.setattr(run_module, "find_model", lambda name: fetched)
    settings = ScorerSettings(model="lab/sentence-t5")
    monkeypatch.setattr(sentence_sources, "_fetch", lambda folder, *, ask: None)
    assert run_module.scorer_kind(settings) == "stsb"

    def fetch(folder: ModelFolder, *, ask: bool) -> None:
        (folder.path / "modules.json").write_text("[]", encoding="utf-8")

    monkeypatch.setattr(sentence_sources, "_fetch", fetch)
    assert run_module.scorer_kind(settings) == "encoder"


def test_a_model_that_writes_no_numbers_is_told_of(
    table: Path, t5: Path, tmp_path: Path, call: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    # what random weights write differs from one set of them to the next: sometimes a number
    monkeypatch.setattr(TextSimilarity, "_generate", lambda self, rows: ["alike"] * len(rows))
    done = call("score", "--data", table, "--model", t5, "--out", tmp_path / "out")
    assert "no sentence has a similarity" in done.output and "no-number" in done.output
