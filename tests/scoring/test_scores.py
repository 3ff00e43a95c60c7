"""Metrics on pairs: a toy model by hand, a tiny real one against a naive reading of the papers."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from curate import schema
from curate.errors import UsageError
from curate.scoring import Dataset, describe_dataset, find_metrics, score_pairs, write_scores
from curate.scoring.dbm import mask_place
from curate.sources import read_pairs

DATASET = Dataset("toy", "1.0.0")


@dataclass
class Score:
    mean_logp: float | None
    aula: float | None
    n_tokens: int = 3
    refused: str | None = None


@dataclass
class Fill:
    words: dict[str, float] = field(default_factory=dict)
    refused: str | None = None


@dataclass
class Body:
    ids: tuple[str, ...]


@dataclass
class Toy:
    """A model that knows what it is told, and remembers what it was asked."""

    texts: dict[str, Score]
    words: dict[str, float] = field(default_factory=dict)
    name: str = "toy"
    revision: str = "r1"
    asked: list[Any] = field(default_factory=list)

    def encode(self, texts: Sequence[str], *, words: bool) -> list[Body]:
        return [Body((text,)) for text in texts]

    def sentences(self, bodies: Sequence[Body], *, attention: bool, embedding: bool) -> list[Score]:
        return [self.texts[body.ids[0]] for body in bodies]

    def fill(
        self, contexts: Sequence[Any], *, k: int, candidates: Sequence[Sequence[str]] | None
    ) -> list[Fill]:
        self.asked += [(c.text, c.start, c.end) for c in contexts]
        assert candidates is not None
        known = self.words
        return [Fill({word: known[word] for word in row if word in known}) for row in candidates]


def pair(m: str, f: str, *, method: str = "lsg", lang: str = "en", **more: Any) -> dict[str, Any]:
    return {
        "pair_id": schema.pair_id(lang, method, m, f), "lang": lang, "masculine": m, "feminine": f,
        "original": "masculine", "method": method, "entries": [], "edits_m": [], "edits_f": [],
        "fill": None, "sent_id": "s", "source": "own", "licence": "CC0", "lexicon_version": "v",
        "folds": [], **more,
    }  # fmt: skip


def filled(p_m: float | None, p_f: float | None, **more: Any) -> dict[str, Any]:
    return {
        "model": "toy", "revision": "r1", "k": 10, "threshold": 0.01, "context": "original",
        "word_m": "he", "p_m": p_m, "word_f": "she", "p_f": p_f, "kind": "both", **more,
    }  # fmt: skip


def table(rows: list[dict[str, Any]], tmp_path: Path) -> pa.Table:
    path = tmp_path / "pairs.parquet"
    pq.write_table(pa.Table.from_pylist(rows, schema=schema.PAIRS), path)
    return read_pairs(path)


def test_sbm_by_hand(tmp_path: Path) -> None:
    """AULA prefers the masculine side once in three, AUL twice; one tie, one text too long."""
    rows = [pair(f"m{i}", f"f{i}") for i in range(4)]
    toy = Toy(
        {
            "m0": Score(-1.0, -0.10), "f0": Score(-2.0, -0.20),
            "m1": Score(-1.0, -0.30), "f1": Score(-2.0, -0.20),
            "m2": Score(-3.0, -0.25), "f2": Score(-2.0, -0.25),
            "m3": Score(None, None, 0, "too-long"), "f3": Score(-1.0, -0.1),
        }
    )  # fmt: skip
    run = score_pairs(
        table(rows, tmp_path), scorer=toy, metrics=find_metrics(["sbm", "aul"]), dataset=DATASET
    )
    sbm, aul = run.summary
    assert (sbm["metric"], sbm["lang"], sbm["group"], sbm["n"]) == ("sbm", "en", "lsg", 3)
    assert sbm["value"] == pytest.approx(100 / 3)
    assert (sbm["n_tied"], sbm["n_dropped"], sbm["dropped"]) == (1, 1, {"too-long": 1})
    assert aul["value"] == pytest.approx(200 / 3)
    assert {"model", "revision", "dataset", "version", "ci_low", "ci_high", "seed"} <= sbm.keys()
    assert run.scores.schema == schema.SCORES
    first = run.scores.to_pylist()[0]
    assert (first["metric"], first["row"], first["value_a"], first["value_b"]) == (
        "sbm", 0, -0.10, -0.20,
    )  # fmt: skip
    last = [row for row in run.scores.to_pylist() if row["row"] == 3]
    assert [row["value_a"] for row in last] == [None, None]


def test_sbm_with_aul_instead(tmp_path: Path) -> None:
    toy = Toy({"m": Score(-1.0, -0.3), "f": Score(-2.0, -0.2)})
    values = {}
    for likelihood in ("aula", "aul"):
        run = score_pairs(
            table([pair("m", "f")], tmp_path), scorer=toy, metrics=find_metrics(["sbm"]),
            dataset=DATASET, options={"likelihood": likelihood},
        )  # fmt: skip
        values[likelihood] = run.summary[0]["value"]
        assert run.summary[0]["likelihood"] == likelihood
    assert values == {"aula": 0.0, "aul": 100.0}


def test_dbm_by_hand(tmp_path: Path) -> None:
    """Four fills: one prefers the man, one the woman, one is a tie, one is under the threshold."""
    rows = [
        pair(f"{i} he", f"{i} she", method="msg", fill=filled(p_m, p_f))
        for i, (p_m, p_f) in enumerate([(0.5, 0.1), (0.02, 0.3), (0.2, 0.2), (0.009, 0.001)])
    ]
    rows.append(pair("a king", "a queen", method="msg"))
    toy = Toy({})
    run = score_pairs(
        table(rows, tmp_path), scorer=toy, metrics=find_metrics(["dbm"]), dataset=DATASET
    )
    record = run.summary[0]
    assert record["value"] == pytest.approx(100 / 3)
    assert (record["n"], record["n_tied"], record["n_dropped"]) == (3, 1, 2)
    assert record["dropped"] == {"no-fill": 1, "under-threshold": 1}
    assert toy.asked == []  # the model that filled the masks is not asked again


def test_dbm_of_another_model_asks_it(tmp_path: Path) -> None:
    """The same words at the same mask; one context (the original side's) or one a side."""
    old = {"model": "other"}
    rows = [
        pair("Today he sat", "Today she sat", method="msg", fill=filled(0.9, 0.1, **old)),
        pair("So he is", "So she is", method="msg", original="feminine",
             fill=filled(0.9, 0.1, **old)),
        pair("él cansado", "ella cansada", method="msg",
             fill=filled(0.9, 0.1, word_m="él", word_f="ella", context="matched", **old)),
        pair("he or he", "she or she", method="msg", fill=filled(0.9, 0.1, **old)),
        pair("er", "sie", method="msg", fill=filled(0.9, 0.1, word_m="er", word_f="sie", **old)),
    ]  # fmt: skip
    toy = Toy({}, {"he": 0.1, "she": 0.3, "él": 0.4, "ella": 0.2, "er": 0.2})
    run = score_pairs(
        table(rows, tmp_path), scorer=toy, metrics=find_metrics(["dbm"]), dataset=DATASET
    )
    record = run.summary[0]
    assert toy.asked == [
        ("Today he sat", 6, 8), ("So she is", 3, 6), ("él cansado", 0, 2), ("ella cansada", 0, 4),
        ("er", 0, 2),
    ]  # fmt: skip
    assert record["dropped"] == {"no-mask-place": 1, "not-in-vocabulary": 1}
    assert (record["n"], record["value"]) == (3, pytest.approx(100 / 3))


@pytest.mark.parametrize(
    ("text", "word", "edits", "place"),
    [
        ("He sat", "he", [], (0, 2)),
        ("the other he", "he", [], (10, 12)),
        ("he and he", "he", [], None),
        ("he and he", "he", [{"start": 7, "end": 9}], (7, 9)),
        ("他很忙", "他", [], (0, 1)),
        ("nobody", "he", [], None),
    ],
)
def test_mask_place(
    text: str, word: str, edits: list[dict[str, Any]], place: tuple[int, int] | None
) -> None:
    assert mask_place(text, word, edits) == place


def test_groups_folds_and_pairs_outside_them(tmp_path: Path) -> None:
    rows = [
        pair("m0", "f0", folds=[0, 1]), pair("m1", "f1", folds=[0]), pair("m2", "f2", folds=[1]),
        pair("m3", "f3", folds=[]), pair("m0", "f0", lang="de", folds=[0]),
    ]  # fmt: skip
    texts = {f"m{i}": Score(0.0, float(i == 0)) for i in range(4)}
    texts |= {f"f{i}": Score(0.0, 0.5) for i in range(4)}
    run = score_pairs(
        table(rows, tmp_path), scorer=Toy(texts), metrics=find_metrics(["sbm"]), dataset=DATASET
    )
    german, english = run.summary
    assert (german["lang"], german["n"], german["value"]) == ("de", 1, 100.0)
    assert (english["n"], english["value"], english["folds"]) == (3, 50.0, 2)
    assert (english["fold_mean"], english["fold_std"]) == (50.0, 0.0)
    assert run.scores.num_rows == 4


def test_a_foreign_table_and_its_bad_row(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("x,a,b\n1,m,f\n2,m\n", encoding="utf-8")
    toy = Toy({"m": Score(-1, -1.0), "f": Score(-1, -2.0), "": Score(None, None, 0, "no-tokens")})
    pairs = read_pairs(path, columns=("a", "b"), lang="en")
    run = score_pairs(pairs, scorer=toy, metrics=find_metrics(["sbm"]), dataset=DATASET)
    assert (run.summary[0]["group"], run.summary[0]["n"]) == ("all", 1)
    assert run.summary[0]["dropped"] == {"bad-row": 1}


def test_files(tmp_path: Path) -> None:
    pairs = table([pair("m", "f")], tmp_path)
    toy = Toy({"m": Score(-1, -1.0), "f": Score(-1, -2.0)})
    dataset = describe_dataset(tmp_path / "pairs.parquet", pairs)
    assert dataset.name == "pairs.parquet"
    assert dataset.version.startswith("sha256:")
    run = score_pairs(pairs, scorer=toy, metrics=find_metrics(["sbm"]), dataset=dataset)
    write_scores(run, tmp_path / "out")
    assert pq.read_table(tmp_path / "out" / "scores.parquet").num_rows == 1
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert summary == run.summary
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == [
        "scores.parquet",
        "summary.json",
    ]


def test_null_scores_give_no_preference(tmp_path: Path) -> None:
    random = np.random.default_rng(5)
    rows = [pair(f"m{i}", f"f{i}") for i in range(300)]
    sides = [row[side] for row in rows for side in ("masculine", "feminine")]
    toy = Toy({text: Score(*random.normal(size=2)) for text in sides})
    run = score_pairs(
        table(rows, tmp_path), scorer=toy, metrics=find_metrics(["sbm", "aul"]), dataset=DATASET
    )
    for record in run.summary:
        assert record["ci_low"] < 50.0 < record["ci_high"]


def test_unknown_metrics_are_refused() -> None:
    assert [m.name for m in find_metrics([" SBM", "dbm", "sbm"])] == ["sbm", "dbm"]
    with pytest.raises(UsageError, match="nope"):
        find_metrics(["sbm", "nope"])
    with pytest.raises(UsageError):
        find_metrics([""])


@pytest.fixture(scope="module")
def tiny_bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch = pytest.importorskip("torch", reason="needs the extra gender-curate[models]")
    transformers = pytest.importorskip("transformers")
    folder = tmp_path_factory.mktemp("bert")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "he", "she", "is", "a", "doctor"]
    words += ["nurse", "king", "queen", ".", "##s"]
    tokenizer = transformers.BertTokenizerFast(
        vocab={word: i for i, word in enumerate(words)}, do_lower_case=False
    )
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(words), hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=32, initializer_range=0.5,
    )  # fmt: skip
    transformers.BertForMaskedLM(config).save_pretrained(folder)
    return folder


def naive_aula(folder: Path, text: str) -> float:
    """Kaneko and Bollegala 2022, line by line: mean of alpha_i · log P(w_i | S) over the tokens."""
    import torch
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForMaskedLM.from_pretrained(folder, attn_implementation="eager").eval()
    ids = tokenizer(text, return_tensors="pt")["input_ids"]
    with torch.no_grad():
        output = model(ids, output_attentions=True)
    total = 0.0
    for i in range(1, ids.shape[1] - 1):
        logp = math.log(torch.softmax(output.logits[0, i], -1)[ids[0, i]].item())
        weights = [layer[0, :, :, i].mean().item() for layer in output.attentions]
        total += logp * sum(weights) / len(weights)
    return total / (ids.shape[1] - 2)


def test_a_real_model_against_the_naive_reading(tiny_bert: Path, tmp_path: Path) -> None:
    from curate.models.masked import load_model

    rows = [
        pair("he is a doctor .", "she is a doctor ."),
        pair("a king is a nurse", "a queen is a nurse"),
        pair("he is he", "she is she"),
    ]
    run = score_pairs(
        table(rows, tmp_path), scorer=load_model(str(tiny_bert), device="cpu"),
        metrics=find_metrics(["sbm"]), dataset=DATASET,
    )  # fmt: skip
    wins = 0
    for row, score in zip(rows, run.scores.to_pylist(), strict=True):
        a, b = naive_aula(tiny_bert, row["masculine"]), naive_aula(tiny_bert, row["feminine"])
        assert score["value_a"] == pytest.approx(a, rel=1e-4)
        assert score["value_b"] == pytest.approx(b, rel=1e-4)
        wins += a > b
    assert run.summary[0]["value"] == pytest.approx(100 * wins / 3)


def test_a_real_model_is_asked_at_the_mask(tiny_bert: Path, tmp_path: Path) -> None:
    import torch
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    from curate.models.masked import load_model

    fill = filled(0.9, 0.1, model="other", threshold=0.0)
    rows = [pair("he is a doctor", "she is a doctor", method="msg", fill=fill)]
    run = score_pairs(
        table(rows, tmp_path), scorer=load_model(str(tiny_bert), device="cpu"),
        metrics=find_metrics(["dbm"]), dataset=DATASET,
    )  # fmt: skip
    tokenizer = AutoTokenizer.from_pretrained(tiny_bert)
    model = AutoModelForMaskedLM.from_pretrained(tiny_bert).eval()
    ids = tokenizer("[MASK] is a doctor", return_tensors="pt")["input_ids"]
    with torch.no_grad():
        p = torch.softmax(model(ids).logits[0, 1], -1)
    score = run.scores.to_pylist()[0]
    expected = [p[tokenizer.convert_tokens_to_ids(word)].item() for word in ("he", "she")]
    assert [score["value_a"], score["value_b"]] == pytest.approx(expected, rel=1e-4)
