"""Write the exports of a release."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from curate.hub.exports.eval_yaml import EVAL_YAML, eval_yaml
from curate.hub.exports.lm_eval import write_lm_eval
from curate.hub.exports.score_script import SCORE_SCRIPT, score_script
from curate.hub.exports.targets import scored_targets
from curate.hub.exports.yaml_text import yaml_text

__all__ = ["write_exports"]


def write_exports(folder: Path, manifest: dict[str, Any]) -> None:
    """Write ``lm_eval/``, ``eval.yaml`` and ``score.py`` into a release folder.

    A release without pairs has nothing that a model could be scored on: no export is written, and
    older ones are removed. The same manifest gives the same bytes.
    """
    folder = Path(folder)
    targets = scored_targets(manifest)
    write_lm_eval(folder, manifest, targets)
    for name in (EVAL_YAML, SCORE_SCRIPT):
        (folder / name).unlink(missing_ok=True)
    if targets:
        _write(folder / EVAL_YAML, yaml_text(eval_yaml(manifest, targets)))
        _write(folder / SCORE_SCRIPT, score_script(manifest))


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
