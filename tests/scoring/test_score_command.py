"""`curate score` as it is called, on a tiny model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import typer
from typer.testing import CliRunner

from curate.cli import score as command
from curate.errors import CurateError, InputError, UsageError

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
