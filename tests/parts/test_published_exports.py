"""The exports of a release that is on a Hub, each run as its users run it."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from curate.engine import write_json
from curate.hub.exports import write_exports
from curate.hub.manifest import describe_files
from tests.hub.exports.byte_model import byte_model
from tests.hub.exports.small_release import CROWS, LSG, MSG, write_small_release
from tests.parts.hub_fixture import Hub, running_hub
from tests.parts.own_environment import own_environment

pytestmark = pytest.mark.parts

REPO = "lab/small"
LM_EVAL, INSPECT = "0.4.13", "0.3.285"
ROWS = {"de-lsg": len(LSG), "en-msg": len(MSG), "en-crows": len(CROWS)}


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release")
    manifest = write_small_release(folder, repository=REPO)
    write_exports(folder, manifest)
    configs = [
        {"config_name": name, "data_files": [{"split": "test", "path": entry["file"]}]}
        for name, entry in manifest["configs"].items()
    ]
    card = yaml.safe_dump({"license": "cc-by-4.0", "configs": configs})
    (folder / "README.md").write_text(f"---\n{card}---\n# small\n", encoding="utf-8")
    write_json(folder / "manifest.json", {**manifest, "files": describe_files(folder)})
    return folder


@pytest.fixture(scope="module")
def hub(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hub]:
    """The release at the tag v1.2.3; on main, the data is gone."""
    with running_hub(tmp_path_factory.mktemp("hub")) as running:
        api = running.api()
        api.create_repo(REPO, repo_type="dataset")
        api.upload_folder(repo_id=REPO, repo_type="dataset", folder_path=release)
        api.create_tag(REPO, repo_type="dataset", tag="v1.2.3")
        api.delete_folder("data", repo_id=REPO, repo_type="dataset")
        yield running


def installed(name: str, requirement: str, *, constrained: bool = True) -> Path:
    try:
        return own_environment(name, requirement, constrained=constrained)
    except LookupError as error:
        pytest.skip(f"{requirement} cannot be installed: {error}")


def test_the_script_alone_fetches_its_release(hub: Hub, release: Path, tmp_path: Path) -> None:
    alone = Path(shutil.copy(release / "score.py", tmp_path))
    out = tmp_path / "out"
    done = hub.run(sys.executable, alone, "--config", "en-msg", "--out", out)
    assert done.returncode == 0, done.stderr
    summary = json.loads((out / "en-msg" / "summary.json").read_text(encoding="utf-8"))
    assert {(one["dataset"], one["version"]) for one in summary} == {(REPO, "v1.2.3")}
    assert [one["metric"] for one in summary] == ["sbm", "aula"]
    done = hub.curate(
        "score", "--data", f"{REPO}@v1.2.3", "--lang", "en", "--metric", "sbm,aula",
        "--out", tmp_path / "cli",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert summary == json.loads((tmp_path / "cli/summary.json").read_text(encoding="utf-8"))


def test_the_harness_reads_the_tag(hub: Hub, release: Path, tmp_path: Path) -> None:
    """Only the task folder is here; the pairs come from the Hub."""
    python = installed(f"lm-eval-{LM_EVAL}", f"lm_eval[hf]=={LM_EVAL}")
    tasks = Path(shutil.copytree(release / "lm_eval", tmp_path / "tasks"))
    model = byte_model(tmp_path / "model")
    done = hub.run(
        python, "-m", "lm_eval", "--model", "hf", "--model_args", f"pretrained={model}",
        "--include_path", tasks, "--tasks", "small", "--device", "cpu",
        "--output_path", tmp_path / "out",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    found = next((tmp_path / "out").rglob("results_*.json"))
    results = json.loads(found.read_text(encoding="utf-8"))["results"]
    sizes = {name: one["sample_len"] for name, one in results.items() if "sample_len" in one}
    in_fold = sum(0 in folds for *_, folds in LSG)
    assert sizes == {
        "small-de-lsg": in_fold, "small-en-msg": ROWS["en-msg"], "small-en-crows": ROWS["en-crows"],
    }  # fmt: skip


INSPECTED = """
import json, sys
from inspect_ai import eval
from inspect_ai.model import ModelAPI, ModelOutput, get_model

async def count(self, text):  # its own fetches an encoding from the net
    return len(text)

ModelAPI.count_text_tokens = count
answers = [ModelOutput.from_content("mockllm/model", "ANSWER: A") for _ in range(99)]
logs = eval(
    "hf/" + sys.argv[1], model=get_model("mockllm/model", custom_outputs=answers),
    log_dir=sys.argv[2], display="none",
)
found = []
for log in logs:
    assert log.status == "success", log.error
    samples = [
        {"asked": one.messages[0].text, "choices": one.choices, "target": one.target,
         "right": next(iter(one.scores.values())).value == "C"}
        for one in log.samples
    ]
    found.append({
        "task": log.eval.task, "samples": samples,
        "accuracy": log.results.scores[0].metrics["accuracy"].value,
    })
print(json.dumps(found))
"""


def inspected(hub: Hub, tmp_path: Path) -> list[dict[str, Any]]:
    python = installed(f"inspect-{INSPECT}", f"inspect-ai=={INSPECT}", constrained=False)
    script = tmp_path / "inspected.py"
    script.write_text(INSPECTED, encoding="utf-8")
    done = hub.run(python, script, f"{REPO}@v1.2.3", tmp_path / "logs", PYTHONSAFEPATH="1")
    assert done.returncode == 0, done.stderr[-3000:]
    return list(json.loads(done.stdout.splitlines()[-1]))


def test_inspect_runs_eval_yaml(hub: Hub, tmp_path: Path) -> None:
    """A model that always says A is right where the first side happens to stand at A."""
    found = {one["task"].rpartition("/")[2]: one for one in inspected(hub, tmp_path)}
    assert set(found) == set(ROWS)
    sides = {"en-crows": {more: less for more, less, *_ in CROWS}}
    sides |= {"de-lsg": {m: f for m, f, _ in LSG}, "en-msg": {m: f for m, f, _ in MSG}}
    for config, one in found.items():
        samples = one["samples"]
        assert len(samples) == ROWS[config]
        for sample in samples:
            letter = sample["target"] if isinstance(sample["target"], str) else sample["target"][0]
            first = sample["choices"]["AB".index(letter)]
            assert first in sides[config]
            assert sides[config][first] in sample["choices"]
            assert all(choice in sample["asked"] for choice in sample["choices"])
            assert f"tag {config[:2]}." in sample["asked"]
            assert sample["right"] == (letter == "A")
        right = sum(sample["right"] for sample in samples)
        assert one["accuracy"] == pytest.approx(right / len(samples))
