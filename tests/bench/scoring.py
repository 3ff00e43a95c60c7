"""The scoring engine on CrowS-Pairs rows, beside a script that masks one token at a time.

    python tests/bench/scoring.py [--shape bert|xlmr] [--rows 60] [--auto-rows 300] [--json FILE]

The model has the shape of BERT-base and predicts like the embedded one (`grown_model.py`), or, as
`--shape random` and `xlmr` (XLM-R base, 250,002 entries), random weights. The rows are spread
evenly over the file. In one run, with two threads: the rate of matrix products alone (a layer's
shapes, fp32), the naive script (batch of one, logits of every position, as the published code of
Nangia et al. 2020 does it), the engine in fp32 and in `auto`, CPS alone and all metrics of masked
models together, and the peak of memory over the loaded model at a budget of 30,000 tokens.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("CURATE_SHARED", ROOT.parent / "shared"))
sys.path.insert(0, str(ROOT))
os.environ.setdefault("HF_HUB_OFFLINE", "1")
THREADS = 2


def crows(rows: int) -> Any:
    from curate.sources import read_pairs

    path = SHARED / "data" / "crows_pairs" / "crows_pairs_anonymized.csv"
    table = read_pairs(path, columns=("sent_more", "sent_less"), lang="en")
    step = max(1, table.num_rows // rows)
    return table.take(list(range(0, table.num_rows, step))[:rows])


def make_model(shape: str, folder: Path, *, seed: int = 0) -> Path:
    """A model of the shape of BERT-base or XLM-R base, with the embedded tokenizer."""
    if shape == "bert":
        from grown_model import grow

        return grow(folder)
    import torch
    import transformers

    from curate.models.sources import embedded_mini

    tokenizer = transformers.AutoTokenizer.from_pretrained(embedded_mini())
    tokenizer.save_pretrained(folder)
    torch.manual_seed(seed)
    if shape == "xlmr":
        config: Any = transformers.XLMRobertaConfig(
            vocab_size=250_002, max_position_embeddings=514, type_vocab_size=1,
            pad_token_id=tokenizer.pad_token_id,
        )  # fmt: skip
        transformers.XLMRobertaForMaskedLM(config).save_pretrained(folder)
    else:
        config = transformers.BertConfig(vocab_size=30_522)
        transformers.BertForMaskedLM(config).save_pretrained(folder)
    return folder


def matrix_rates(seconds: float = 2.0) -> dict[str, float]:
    """Operations a second of fp32 products in a layer's shapes: torch's, oneDNN's packed."""
    import torch

    from curate.models.products import packed

    shapes = [(768, 768)] * 4 + [(768, 3072), (3072, 768)]
    plain = [torch.nn.Linear(one, other) for one, other in shapes]
    inputs = {size: torch.randn(1024, size) for size in (768, 3072)}
    flops = sum(2 * 1024 * one * other for one, other in shapes)
    rates = {}
    for name, layers in (("torch", plain), ("packed", [packed(layer, torch) for layer in plain])):
        done, rounds = 0.0, 0
        with torch.inference_mode():
            for layer, (size, _) in zip(layers, shapes, strict=True):
                layer(inputs[size])
            started = time.perf_counter()
            while done < seconds:
                for layer, (size, _) in zip(layers, shapes, strict=True):
                    layer(inputs[size])
                rounds += 1
                done = time.perf_counter() - started
        rates[name] = flops * rounds / done
    return rates


def naive_cps(folder: Path, table: Any) -> tuple[float, list[tuple[float, float]]]:
    """Seconds and (more, less) of every pair: one masked token at a time."""
    import torch
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForMaskedLM.from_pretrained(folder).eval()
    softmax = torch.nn.LogSoftmax(dim=0)
    pairs = list(zip(table["masculine"].to_pylist(), table["feminine"].to_pylist(), strict=True))
    scores = []
    started = time.perf_counter()
    for pair in pairs:
        ids = [tokenizer.encode(text, return_tensors="pt") for text in pair]
        matcher = difflib.SequenceMatcher(None, ids[0][0].tolist(), ids[1][0].tolist())
        blocks = matcher.get_matching_blocks()
        sums = []
        for side, start in ((0, "a"), (1, "b")):
            places = [getattr(b, start) + i for b in blocks for i in range(b.size)][1:-1]
            total = 0.0
            for place in places:
                masked = ids[side].clone()
                masked[0, place] = tokenizer.mask_token_id
                logits = model(masked).logits[0]  # gradients and all, as published
                total += softmax(logits[place])[ids[side][0, place]].item()
            sums.append(total)
        scores.append((sums[0], sums[1]))
    return time.perf_counter() - started, scores


def context_tokens(folder: Path, table: Any) -> tuple[int, int]:
    """How many tokens the masked contexts of CPS hold, and how many positions are projected."""
    from transformers import AutoTokenizer

    from curate.scoring.alignment import shared_places

    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokens = positions = 0
    for a, b in zip(table["masculine"].to_pylist(), table["feminine"].to_pylist(), strict=True):
        ids = [tokenizer(text, add_special_tokens=False)["input_ids"] for text in (a, b)]
        count = len(shared_places(*ids))
        tokens += count * (len(ids[0]) + len(ids[1]) + 4)
        positions += 2 * count
    return tokens, positions


def engine(folder: Path, table: Any, names: str, precision: str) -> tuple[float, Any]:
    """Seconds (the model loaded before) and the run."""
    from curate.scoring import Dataset, ModelSettings, Options, find_metrics, score_to_folder
    from curate.scoring.folder import load_scorer

    settings = ModelSettings(model=str(folder), precision=precision, device="cpu")
    for one in ("fp32", "bf16") if precision == "auto" else (precision,):
        load_scorer(settings.model_copy(update={"precision": one})).aul(["A word."])
    with tempfile.TemporaryDirectory() as out:
        started = time.perf_counter()
        run = score_to_folder(
            table, Path(out), settings=settings, metrics=find_metrics(names.split(",")),
            dataset=Dataset("crows", "0"), options=Options(), resamples=999,
        )  # fmt: skip
        return time.perf_counter() - started, run


_PEAK = """
import resource, sys
from curate.models.masked import MaskedTokens, load_model
model = load_model(sys.argv[1], device="cpu", budget=30_000)
model.aul(["A word."])
with open("/proc/self/statm") as handle:
    loaded = int(handle.read().split()[1]) * resource.getpagesize()
with open("/proc/self/clear_refs", "w") as handle:
    handle.write("5")  # forget the peak of loading
ids = tuple(range(1000, 1020))
contexts = [MaskedTokens((*ids, entry), (3,), (7,)) for entry in range(2000, 5000)]
model.read(contexts)
model.aul(["word " * length for length in (100, 120)] * 2)
with open("/proc/self/status") as handle:
    (peak,) = [int(line.split()[1]) * 1024 for line in handle if line.startswith("VmHWM")]
print((peak - loaded) / 2**30)
"""


def peak_memory(folder: Path) -> float:
    """GiB over the loaded model, at most, at a budget of 30,000 tokens."""
    done = subprocess.run(
        [sys.executable, "-c", _PEAK, str(folder)], capture_output=True, text=True, check=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    return float(done.stdout)


def by_pair(run: Any, metric: str) -> list[tuple[float, float]]:
    rows = [row for row in run.scores.to_pylist() if row["metric"] == metric]
    return [(row["value_a"], row["value_b"]) for row in rows]


def measure(
    folder: Path, *, rows: int, auto_rows: int, naive_rows: int, shape: str
) -> dict[str, Any]:
    import torch

    torch.set_num_threads(THREADS)
    layer = 12 * 768 * 768  # parameters of a layer's products, BERT-base
    table, few = crows(rows), crows(naive_rows)
    rates = matrix_rates()
    naive_seconds, naive = naive_cps(folder, few)
    found: dict[str, Any] = {
        "shape": shape,
        "rows": rows,
        "matrix_gflops": {n: r / 1e9 for n, r in rates.items()},
    }
    found["naive_rows_per_s"] = naive_rows / naive_seconds
    seconds, run = engine(folder, few, "cps", "fp32")
    ours = by_pair(run, "cps")
    found["largest_difference"] = max(
        abs(x - y)
        for one, other in zip(ours, naive, strict=True)
        for x, y in zip(one, other, strict=True)
    )
    seconds, run = engine(folder, table, "cps", "fp32")
    tokens, positions = context_tokens(folder, table)
    vocabulary = 250_002 if shape == "xlmr" else 30_522
    flops = 2 * (tokens * 12 * layer + positions * 768 * (768 + vocabulary))
    found["fp32_rows_per_s"] = rows / seconds
    found["fp32_times_naive"] = found["fp32_rows_per_s"] / found["naive_rows_per_s"]
    found["fp32_share_of_matrix_rate"] = {n: flops / seconds / r for n, r in rates.items()}
    found["peak_gib_over_model"] = peak_memory(folder)
    if shape == "xlmr":
        return found
    all_seconds, _ = engine(folder, table, "all", "fp32")
    found["all_metrics_times_cps"] = all_seconds / seconds
    if auto_rows:
        more = crows(auto_rows)
        seconds, run = engine(folder, more, "cps", "auto")
        _, exact = engine(folder, more, "cps", "fp32")
        same = [
            (a > b) - (a < b) == (x > y) - (x < y)
            for (a, b), (x, y) in zip(by_pair(run, "cps"), by_pair(exact, "cps"), strict=True)
        ]
        found |= {
            "auto_rows": auto_rows,
            "auto_rows_per_s": auto_rows / seconds,
            "auto_times_naive": auto_rows / seconds / found["naive_rows_per_s"],
            "auto_again": run.summary[0]["auto"],
            "auto_decisions_differ": same.count(False),
        }
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shape", choices=("bert", "random", "xlmr"), default="bert")
    parser.add_argument("--model", type=Path, help="a folder with a model of that shape")
    parser.add_argument("--rows", type=int, default=60)
    parser.add_argument("--naive-rows", type=int, default=20)
    parser.add_argument("--auto-rows", type=int, default=0)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        model = options.model or make_model(options.shape, Path(made))
        figures = measure(
            model, rows=options.rows, auto_rows=options.auto_rows,
            naive_rows=options.naive_rows, shape=options.shape,
        )  # fmt: skip
    print(json.dumps(figures, indent=2))
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2), encoding="utf-8")
