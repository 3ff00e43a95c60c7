"""`curate score` as it is called, on a tiny model."""

from __future__ import annotations

import json
import math
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import typer
from typer.testing import CliRunner

from curate import schema
from curate.cli import main
from curate.cli import score as command
from curate.errors import CurateError, InputError, UsageError
from tests.scoring.test_scores import filled, pair
from tests.scoring.tiny_models import tiny_bert, tiny_gpt2, word_pairs, write_pairs

pytest.importorskip("torch", reason="needs the extra gender-curate[models]")


def run(*arguments: object) -> Any:
    app = typer.Typer()
    app.command()(command.score)
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def model(tmp_path: Path) -> Path:
    import torch
    import transformers

    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "he", "she", "sat", "ran"]
    folder = tmp_path / "tiny"
    transformers.BertTokenizerFast(vocab={w: i for i, w in enumerate(words)}).save_pretrained(
        folder
    )
    torch.manual_seed(1)
    config = transformers.BertConfig(
        vocab_size=len(words), hidden_size=8, num_hidden_layers=1, num_attention_heads=1,
        intermediate_size=8, max_position_embeddings=16,
    )  # fmt: skip
    transformers.BertForMaskedLM(config).save_pretrained(folder)
    return folder


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.tsv"
    path.write_text("a\tb\nhe sat\tshe sat\nhe ran\tshe ran\n" + "he " * 30 + "\tshe\n")
    return path


def test_it_writes_scores_and_a_summary(pairs: Path, model: Path, tmp_path: Path) -> None:
    arguments = ("--data", pairs, "--columns", "a,b", "--lang", "en", "--model", model)
    result = run(*arguments, "--metric", "sbm,aul", "--out", tmp_path / "one", "--json")
    assert result.exit_code == 0, result.output
    summary = json.loads((tmp_path / "one" / "summary.json").read_text())
    assert json.loads(result.stdout) == summary
    assert [record["metric"] for record in summary] == ["sbm", "aul"]
    assert [(r["n"], r["n_dropped"], r["dropped"]) for r in summary] == [
        (2, 1, {"too-long": 1})
    ] * 2
    assert pq.read_table(tmp_path / "one" / "scores.parquet").num_rows == 6
    result = run(*arguments, "--metric", "sbm,aul", "--out", tmp_path / "two")
    assert "too-long" in result.stdout
    for name in ("scores.parquet", "summary.json"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_bad_input_writes_nothing(pairs: Path, model: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    common: list[object] = ["--data", pairs, "--out", out, "--model", model]
    cases: list[tuple[list[object], type[CurateError]]] = [
        ([*common, "--columns", "a,c"], InputError),
        ([*common, "--columns", "a,b", "--metric", "nope"], UsageError),
        (["--data", tmp_path / "none", "--out", out, "--columns", "a,b"], InputError),
        (
            ["--data", pairs, "--out", out, "--columns", "a,b", "--model", tmp_path / "x"],
            InputError,
        ),
    ]
    for arguments, kind in cases:
        assert isinstance(run(*arguments).exception, kind), arguments
        assert not out.exists()


def table_of(result: Any) -> str:
    assert result.exit_code == 0, result.output
    return " ".join(result.stdout.split())


def records(out: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((out / "summary.json").read_text())
    return found


Typed = Callable[..., tuple[int, str]]


@pytest.fixture
def as_typed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Typed:
    """Calls the whole program: its exit code, and what it says on stderr."""

    def call(*arguments: object) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["curate", "score", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main.run()
        return int(ended.value.code or 0), capsys.readouterr().err

    return call


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_bert(tmp_path_factory.mktemp("words"))


@pytest.fixture(scope="module")
def causal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_gpt2(tmp_path_factory.mktemp("causal"))


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    """Forty pairs, and one of each kind that is left out."""
    left_out = [("he " * 60, "she " * 60), ("he sat", "he sat"), ("old", "he old")]
    kinds = ["gender", "age", "age"] * 14 + ["none"]
    return write_pairs(
        tmp_path / "words.tsv", [*word_pairs(40), *left_out], ("bias_type", kinds)
    )  # fmt: skip


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """Two LSG pairs, and two MSG pairs that another model filled."""
    fill = filled(0.9, 0.1, model="other", threshold=0.0)
    rows = [pair(m, f) for m, f in word_pairs(2)]
    rows += [pair("he sat", "she sat", method="msg", fill=fill)]
    rows += [pair("so he ran", "so she ran", method="msg", fill=fill)]
    path = tmp_path / "pairs.parquet"
    pq.write_table(pa.Table.from_pylist(rows, schema=schema.PAIRS), path)
    return path


def test_metrics_by_kind_of_data(own: Path, foreign: Path, words: Path, tmp_path: Path) -> None:
    run("--data", own, "--model", words, "--out", tmp_path / "own")
    found = [(r["metric"], r["group"], r["n"]) for r in records(tmp_path / "own")]
    assert found == [
        ("sbm", "lsg", 2), ("dbm", "lsg", 0), ("sbm", "msg", 2), ("dbm", "msg", 2),
    ]  # fmt: skip
    run("--data", foreign, "--columns", "a,b", "--model", words, "--out", tmp_path / "foreign")
    metrics = [r["metric"] for r in records(tmp_path / "foreign") if r["group"] == "all"]
    assert metrics == ["cps", "sjsd", "aula"]


def test_all_metrics_and_what_is_left_out(foreign: Path, words: Path, tmp_path: Path) -> None:
    said = table_of(
        run("--data", foreign, "--columns", "a,b", "--lang", "en", "--model", words,
            "--metric", "all", "--out", tmp_path / "out")
    )  # fmt: skip
    whole = {r["metric"]: r for r in records(tmp_path / "out") if r["group"] == "all"}
    assert list(whole) == [
        "cps", "sjsd", "bsjsd", "sss", "aul", "aula", "sbm", "mbe", "dbm", "pll", "acc",
    ]  # fmt: skip
    apart = {"too-long": 1, "same-tokens": 1}
    assert whole["cps"]["dropped"] == whole["aul"]["dropped"] == apart
    assert whole["sss"]["dropped"] == apart | {"no-differing-tokens": 1}
    assert whole["dbm"]["dropped"] == {"no-fill": 43} and whole["dbm"]["value"] is None
    assert (whole["cps"]["n"], whole["sss"]["n"], whole["mbe"]["n"]) == (41, 40, 42)
    for reason in ("too-long", "same-tokens", "no-differing-tokens", "no-fill"):
        assert f"left out as {reason}: " in said
    for record in whole.values():
        assert f" {record['metric']} " in f" {said} "
    assert "…" not in said  # nothing is cut in a line of 80 characters
    assert f"{whole['cps']['value']:.2f}" in said
    assert f"[{whole['cps']['ci_low']:.1f}, {whole['cps']['ci_high']:.1f}]" in said


def test_columns_are_sides(foreign: Path, words: Path, tmp_path: Path) -> None:
    """Exchanging the columns exchanges the sides and nothing else."""
    found = {}
    for columns in ("a,b", "b,a"):
        out = tmp_path / columns
        said = table_of(
            run("--data", foreign, "--columns", columns, "--model", words,
                "--metric", "pll,sjsd,aul", "--out", out)
        )  # fmt: skip
        assert f"{columns[0]} over {columns[2]}" in said
        found[columns] = {r["metric"]: r for r in records(out) if r["group"] == "all"}
    for metric, one in found["a,b"].items():
        other = found["b,a"][metric]
        assert (one["sides"], other["sides"]) == (["a", "b"], ["b", "a"])
        assert (one["n"], one["n_tied"]) == (other["n"], other["n_tied"])
        if one["kind"] == "share":
            wins = one["value"] + other["value"]
            assert wins == pytest.approx(100 * (1 - one["n_tied"] / one["n"]))
        else:
            assert one["value"] == pytest.approx(-other["value"])


def test_json_holds_what_the_file_holds(foreign: Path, words: Path, tmp_path: Path) -> None:
    arguments = ("--data", foreign, "--columns", "a,b", "--model", words, "--metric", "aul")
    result = run(*arguments, "--out", tmp_path / "out", "--json")
    assert json.loads(result.stdout) == records(tmp_path / "out")
    assert "written to" not in result.stdout


def test_groups_in_the_table(foreign: Path, words: Path, tmp_path: Path) -> None:
    arguments = ("--data", foreign, "--columns", "a,b", "--model", words, "--metric", "aul,pll")
    said = table_of(run(*arguments, "--out", tmp_path / "out"))
    for record in records(tmp_path / "out"):
        if record["metric"] == "aul" and record["group"] != "all":
            outside = not record["ci_low"] <= 50 <= record["ci_high"]
            name = record["group"].split("=")[1]
            assert f"{name} {record['n']} {record['value']:.1f}{'*' * outside} " in said


CHANGES: dict[str, tuple[list[str], str, str]] = {
    "masking": (["--masking", "within-word"], "pll", "masking"),
    "perturb": (["--perturb", "last-character"], "aul", "perturb"),
    "compat": (["--compat", "kaneko2022"], "mbe", "compat"),
    "nangia": (["--compat", "nangia2020"], "cps", "compat"),
    "likelihood": (["--likelihood", "aul"], "sbm", "likelihood"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_options_change_values_and_stand_in_the_records(
    words: Path, tmp_path: Path, change: str
) -> None:
    options, metric, name = CHANGES[change]
    texts = [("he towns the old house", "she towns the old house"), ("so he ran", "so she ran")]
    data = write_pairs(tmp_path / "pieces.tsv", [*texts, *word_pairs(20)])
    common = ("--data", data, "--columns", "a,b", "--model", words, "--metric", metric)
    values = []
    for given in ([], options):
        run(*common, "--out", tmp_path / "out", *given)
        rows = pq.read_table(tmp_path / "out" / "scores.parquet").to_pylist()
        record = records(tmp_path / "out")[0]
        values.append((record["value"], [(row["value_a"], row["value_b"]) for row in rows]))
        usual = {"masking": "token", "likelihood": "aula"}.get(name)
        assert record.get(name) == (given[1] if given else usual)
    assert values[0] != values[1]


def test_a_causal_model(foreign: Path, causal: Path, tmp_path: Path) -> None:
    """The side with the lower perplexity is preferred; by a loop over the tokens."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    arguments = ("--data", foreign, "--columns", "a,b", "--model", causal, "--metric", "ppl")
    said = table_of(run(*arguments, "--out", tmp_path / "out"))
    assert "ppl" in said and "too-long" in said
    rows = pq.read_table(tmp_path / "out" / "scores.parquet").to_pylist()
    tokenizer = AutoTokenizer.from_pretrained(causal)
    network = AutoModelForCausalLM.from_pretrained(causal).eval()

    def perplexity(text: str) -> float:
        ids = tokenizer(text)["input_ids"][:-1]  # without [SEP]
        with torch.no_grad():
            logp = network(torch.tensor([ids])).logits[0].double().log_softmax(-1)
        losses = [-logp[at, token].item() for at, token in enumerate(ids[1:])]
        return math.exp(sum(losses) / len(losses))

    texts = word_pairs(40)
    for row, (a, b) in zip(rows, texts, strict=False):
        assert row["value_a"] == pytest.approx(perplexity(a), rel=1e-4)
        assert row["value_b"] == pytest.approx(perplexity(b), rel=1e-4)
    record = next(r for r in records(tmp_path / "out") if r["group"] == "bias_type=gender")
    mine = [row for at, row in enumerate(rows) if at % 3 == 0 and at < 42]
    kept = [row for row in mine if row["value_a"] is not None]
    assert record["n"] == len(kept)
    wins = sum(row["value_a"] < row["value_b"] for row in kept)
    assert record["value"] == pytest.approx(100 * wins / len(kept))
    assert record["preferred"] == "lower"


def test_errors_are_one_line_and_exit_with_2(
    foreign: Path, words: Path, causal: Path, tmp_path: Path, as_typed: Typed
) -> None:
    out, empty, bare = tmp_path / "out", tmp_path / "empty", tmp_path / "bare"
    empty.mkdir()
    shutil.copytree(words, bare)
    (bare / "model.safetensors").unlink()
    data = ["--data", foreign, "--columns", "a,b", "--out", out]
    cases: list[tuple[list[object], str]] = [
        (["--model", words, "--metric", "ppl"], "a causal model is needed"),
        (["--model", causal, "--metric", "cps"], "a masked model is needed"),
        (["--model", words, "--metric", "cps,ppl"], "ppl wants a causal model"),
        (["--model", words, "--metric", "cps,nope"], "unknown metric 'nope'"),
        (["--model", words, "--metric", ","], "no metric is named"),
        (["--model", words, "--by", "nope"], "no column 'nope' to group by"),
        (["--model", words, "--columns", "a,c"], "no column 'c'"),
        (["--model", words, "--columns", "a"], "--columns wants two names"),
        (["--model", empty], "config.json is missing"),
        (["--model", bare], "weights"),
        (["--model", tmp_path / "gone"], "gone"),
        (["--model", words, "--data", tmp_path / "gone.tsv"], "gone.tsv"),
    ]
    for arguments, message in cases:
        code, said = as_typed(*data, *arguments)
        assert code == 2, (arguments, said)
        first, *rest = said.rstrip("\n").split("\n")
        assert first.startswith("curate: ") and message in first, (arguments, said)
        assert len(rest) <= 1 and all(line.startswith("  hint: ") for line in rest), said
        assert not out.exists()


def test_an_unfinished_run_of_another_kind(
    foreign: Path, words: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, as_typed: Typed
) -> None:
    common = ["--data", foreign, "--columns", "a,b", "--model", words, "--out", tmp_path / "out"]

    def stop(*arguments: Any, **options: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as changed:
        changed.setattr("curate.scoring.folder.collect", stop)
        assert as_typed(*common, "--metric", "aul")[0] == 130
    code, said = as_typed(*common, "--metric", "cps")
    assert code == 2 and "unfinished run" in said and "--restart" in said
    assert run(*common, "--metric", "cps", "--restart").exit_code == 0
    assert not (tmp_path / "out" / "unfinished").exists()
