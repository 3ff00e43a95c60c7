"""Tasks for lm-evaluation-harness: a folder for its ``--include_path``, for causal models."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from curate.hub.exports.targets import Target
from curate.hub.exports.yaml_text import Function, yaml_text
from curate.resources import hub_cards_folder

__all__ = ["LM_EVAL", "group_of", "task_of", "write_lm_eval"]

LM_EVAL = "lm_eval"
_FUNCTIONS = "preference.py"
_PREFERENCES = {"pairs": "masculine_preferred", "crows": "more_stereotypical_preferred"}
_HOW_TO = "# lm_eval --include_path lm_eval --tasks {} --model hf --model_args pretrained=MODEL\n"
_METRICS = ("preferred", "preferred_by_byte", "tied")
_ABOUT = {
    "pairs": "Share of pairs whose masculine side is the more likely one. 50 % means no "
    "preference. Where pairs have folds, those of fold 0: as many from "
    "masculine as from feminine sentences.",
    "crows": "Share of pairs whose more stereotypical side is the more likely one. 50 % means no "
    "preference.",
}


def write_lm_eval(folder: Path, manifest: Mapping[str, Any], targets: Sequence[Target]) -> None:
    """Write ``lm_eval/``: a task for each target, the group of all, and the functions they name."""
    tasks = folder / LM_EVAL
    shutil.rmtree(tasks, ignore_errors=True)
    if not targets:
        return
    tasks.mkdir()
    name, version = str(manifest["name"]), str(manifest["version"])
    for target in targets:
        _write(tasks / f"{target.config}.yaml", yaml_text(task_of(target, name, version)))
    # a leading underscore: no configuration is called so
    group = yaml_text(group_of(targets, name, version))
    _write(tasks / "_all.yaml", _HOW_TO.format(" ".join(name.split())) + group)
    functions = (hub_cards_folder() / LM_EVAL / _FUNCTIONS).read_text(encoding="utf-8")
    _write(tasks / _FUNCTIONS, functions)


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


def task_of(target: Target, name: str, version: str) -> dict[str, Any]:
    """A task: the log-likelihood of both sides without any context, and which one is higher."""
    module = _FUNCTIONS.removesuffix(".py")
    first, second = target.sides
    task: dict[str, Any] = {"task": f"{name}-{target.config}"}
    if target.repository:
        task |= {
            "dataset_path": target.repository,
            "dataset_name": target.config,
            "dataset_kwargs": {"revision": target.revision},
        }
    else:
        task |= {
            "custom_dataset": Function(f"{module}.release_file"),
            "dataset_kwargs": {"file": target.file},
        }
    task |= {"test_split": "test", "output_type": "multiple_choice"}
    if target.kind == "pairs":
        task["process_docs"] = Function(f"{module}.first_fold")
    return task | {
        "doc_to_text": "",
        "doc_to_target": 0,
        "doc_to_choice": "{{[" + f"{first}, {second}" + "]}}",
        "target_delimiter": "",
        "process_results": Function(f"{module}.{_PREFERENCES[target.kind]}"),
        "metric_list": [
            {"metric": metric, "aggregation": "mean", "higher_is_better": None}
            for metric in _METRICS
        ],
        "num_fewshot": 0,
        "metadata": {"version": version, "about": _ABOUT[target.kind]},
    }


def group_of(targets: Sequence[Target], name: str, version: str) -> dict[str, Any]:
    """All tasks under one name. They are not averaged: languages and corpora differ."""
    return {
        "group": name,
        "task": [f"{name}-{target.config}" for target in targets],
        "metadata": {"version": version},
    }
