"""lm-evaluation-harness itself on the tasks of a release, against sums of log-probabilities."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers

from curate.hub.exports import write_exports
from tests.hub.exports.byte_model import byte_model
from tests.hub.exports.small_release import CROWS, LSG, MSG, write_small_release
from tests.parts.own_environment import own_environment

pytestmark = pytest.mark.parts

VERSION = "0.4.13"
# What the harness is asked for: every pair of the fold, or all.
SIDES = {
    "small-de-lsg": [(m, f) for m, f, folds in LSG if 0 in folds],
    "small-en-msg": [(m, f) for m, f, _ in MSG],
    "small-en-crows": [(more, less) for more, less, *_ in CROWS],
}


@pytest.fixture(scope="module")
def python() -> Path:
    try:
        return own_environment(f"lm-eval-{VERSION}", f"lm_eval[hf]=={VERSION}")
    except LookupError as error:
        pytest.skip(f"lm-evaluation-harness cannot be installed: {error}")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return byte_model(tmp_path_factory.mktemp("model"))


def harness(
    python: Path, model: Path, tasks: Path, out: Path, *, dtype: str = "float32"
) -> dict[str, Any]:
    """Run the group `small` from another folder; the results, and the samples by task."""
    command = [
        str(python), "-m", "lm_eval", "--model", "hf", "--model_args",
        f"pretrained={model},dtype={dtype}", "--include_path", str(tasks), "--tasks", "small",
        "--device", "cpu", "--batch_size", "3", "--output_path", str(out), "--log_samples",
    ]  # fmt: skip
    environment = {
        **os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1", "HF_HOME": str(out / "hf"),
    }  # fmt: skip
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, env=environment, cwd=out.parent,
        timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    content = json.loads(next(out.rglob("results_*.json")).read_text(encoding="utf-8"))
    samples = {}
    for task in SIDES:
        lines = next(out.rglob(f"samples_{task}_*.jsonl")).read_text(encoding="utf-8").splitlines()
        samples[task] = [json.loads(line) for line in lines]
    return {"results": content["results"], "samples": samples, "said": done.stdout + done.stderr}


@pytest.fixture(scope="module")
def run(python: Path, model: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    release = tmp_path_factory.mktemp("release")
    write_exports(release, write_small_release(release))
    return harness(python, model, release / "lm_eval", tmp_path_factory.mktemp("run") / "out")


def log_probability(model: Any, tokenizer: Any, text: str) -> float:
    """Sum over the tokens of ln P(token | the tokens before it), after the begin of a text."""
    tokens = [tokenizer.bos_token_id, *tokenizer(text, add_special_tokens=False)["input_ids"]]
    with torch.no_grad():
        logits = model(torch.tensor([tokens])).logits[0].float()
    logs = torch.log_softmax(logits, dim=-1)
    return sum(float(logs[at, token]) for at, token in enumerate(tokens[1:]))


@pytest.mark.parametrize("task", list(SIDES))
def test_the_harness_agrees_with_a_loop(run: dict[str, Any], model: Path, task: str) -> None:
    network = transformers.AutoModelForCausalLM.from_pretrained(model)
    tokenizer = transformers.AutoTokenizer.from_pretrained(model)
    preferred, by_byte = [], []
    for sample, sides in zip(run["samples"][task], SIDES[task], strict=True):
        own = [log_probability(network, tokenizer, text) for text in sides]
        theirs = [float(answer[0][0]) for answer in sample["resps"]]
        assert [argument["arg_1"] for argument in sample["arguments"].values()] == list(sides)
        assert theirs == pytest.approx(own, abs=1e-3)
        preferred.append(own[0] > own[1])
        shares = [one / len(text.encode()) for one, text in zip(own, sides, strict=True)]
        by_byte.append(shares[0] > shares[1])
    results = run["results"][task]
    assert results["preferred,none"] == pytest.approx(sum(preferred) / len(preferred))
    assert results["preferred_by_byte,none"] == pytest.approx(sum(by_byte) / len(by_byte))
    assert results["tied,none"] == 0
    assert results["sample_len"] == len(SIDES[task])


def test_nothing_is_warned_of_the_tasks(run: dict[str, Any]) -> None:
    about_tasks = [
        line for line in run["said"].splitlines()
        if "WARNING" in line and "small-" in line and "Custom kwargs" not in line
    ]  # fmt: skip
    assert about_tasks == []


def test_a_model_that_tells_nothing_apart_prefers_no_side(
    python: Path, model: Path, tmp_path: Path
) -> None:
    """All tokens alike: sides of one length tie, and a tie counts for neither."""
    flat = tmp_path / "flat"
    network = transformers.AutoModelForCausalLM.from_pretrained(model)
    for weights in network.parameters():
        torch.nn.init.zeros_(weights)
    network.save_pretrained(flat)
    transformers.AutoTokenizer.from_pretrained(model).save_pretrained(flat)
    release = tmp_path / "release"
    write_exports(release, write_small_release(release))
    found = harness(python, flat, release / "lm_eval", tmp_path / "out")["results"]
    # the shorter side is more likely by its length alone: in the pairs of people who cook and
    # drive that is once the one judged more stereotypical, and once the other
    assert found["small-en-crows"]["preferred,none"] == 0.5
    assert found["small-en-crows"]["preferred_by_byte,none"] == 0
    assert found["small-en-msg"]["preferred,none"] == 1
    assert found["small-en-msg"]["preferred_by_byte,none"] == 0
