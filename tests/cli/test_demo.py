"""The demo with a random model of its shape: everything is there, and it says what is missing."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import typer
from typer.testing import CliRunner

from curate.cli.demo import demo
from curate.demo import embedded_corpora, run_demo
from curate.errors import InputError, UsageError
from curate.hub import check_release
from curate.sources import read_corpus, read_pairs

APP = typer.Typer()
APP.command("demo")(demo)

pytestmark = pytest.mark.skipif(
    "en" not in embedded_corpora(), reason="no embedded English corpus in this checkout"
)


def _nothing(what: str, share: float) -> None:
    assert what
    assert 0 <= share <= 1


@pytest.fixture(scope="module")
def random_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of two layers with random weights, whose vocabulary is that of the sample corpus."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    folder = tmp_path_factory.mktemp("model") / "random"
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    split = pre_tokenizers.BertPreTokenizer()
    text = embedded_corpora()["en"].read_text("utf-8")
    words = sorted({word for word, _ in split.pre_tokenize_str(text)})
    vocabulary = {word: place for place, word in enumerate([*special, *words])}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))  # type: ignore[arg-type]  # noqa: S106
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = split
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = dict(
        zip(
            ("pad_token", "unk_token", "cls_token", "sep_token", "mask_token"), special, strict=True
        )
    )
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names).save_pretrained(
        folder
    )
    torch.manual_seed(1)
    shape = transformers.BertConfig(
        vocab_size=tokenizer.get_vocab_size(), hidden_size=32, num_hidden_layers=2,
        num_attention_heads=2, intermediate_size=64, max_position_embeddings=96,
        initializer_range=0.6,
    )  # fmt: skip
    transformers.BertForMaskedLM(shape).save_pretrained(folder)
    return folder


def test_the_whole_demo(random_model: Path, tmp_path: Path) -> None:
    out = tmp_path / "out" / "demo"
    result = run_demo(["en"], out, model=str(random_model), on_step=_nothing)
    assert not result.missing
    assert [run.stats["method"] for run in result.runs] == ["lsg", "msg"]
    assert result.runs[0].stats["n_pairs"] > 50
    assert result.runs[1].stats["n_pairs"] > 0
    assert result.problems == []
    assert check_release(out / "release") == [] or all(
        problem.level != "error" for problem in check_release(out / "release")
    )
    metrics = {(record["metric"], record["group"]) for record in result.scores}
    assert {("sbm", "lsg"), ("sbm", "msg"), ("dbm", "msg")} <= metrics
    summary = json.loads((out / "scores" / "summary.json").read_text(encoding="utf-8"))
    assert summary == result.scores
    assert pq.read_metadata(out / "scores" / "scores.parquet").num_rows > 0
    assert {path.parent.name for path in out.parent.glob("**/README.md")} == {"release"}
    assert result.page == out / "report.html"
    assert "random" in result.page.read_text(encoding="utf-8")
    # again, for less: what is no longer asked for is gone
    again = run_demo(["en"], out, model=str(random_model), seed=1, on_step=_nothing)
    assert [run.stats["seed"] for run in again.runs] == [1, 1]


def test_datasets_opens_the_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    datasets = pytest.importorskip("datasets")
    monkeypatch.setattr("curate.models.sources.embedded_mini", lambda: tmp_path / "no")
    result = run_demo(["en"], tmp_path / "demo", on_step=_nothing)
    assert "mini" in result.missing
    assert result.scores == []
    loaded = datasets.load_dataset(
        str(result.release), "en-lsg", split="test", cache_dir=str(tmp_path / "cache")
    )
    assert loaded.num_rows == read_pairs(tmp_path / "demo" / "release").num_rows


def test_without_the_model_the_command_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("curate.models.sources.embedded_mini", lambda: tmp_path / "no")
    result = CliRunner().invoke(APP, ["en", "--lang", "en", "--out", str(tmp_path / "demo")])
    assert result.exit_code == 0, result.output
    words = " ".join(result.output.split())
    assert "LSG only, and no scores: the embedded model 'mini' is missing" in words
    assert words.count(" M ") >= 3
    assert str(tmp_path) in "".join(result.output.split())


def test_unknown_language_and_model(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no embedded corpus for 'tlh'"):
        run_demo(["tlh"], tmp_path / "demo", on_step=_nothing)
    with pytest.raises(InputError):
        run_demo(["en"], tmp_path / "demo", model="./no/such/folder", on_step=_nothing)
    assert not (tmp_path / "demo").exists()


@pytest.mark.parametrize("lang", sorted(embedded_corpora()))
def test_the_sample_corpora(lang: str) -> None:
    """A sentence a line, at least 150, none twice, nothing that reading would drop."""
    (table,) = read_corpus(embedded_corpora()[lang], lang=lang)
    assert table.num_rows >= 150
    assert table.column("problem").null_count == table.num_rows
