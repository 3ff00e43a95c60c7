"""What a report shows of a folder: its pairs, counts, drops, verdicts and scores."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from curate.errors import InputError
from curate.report.files import read_json
from curate.report.scores import Score, read_scores
from curate.report.sections import Section, ShownPair, read_sections, sample, spread

__all__ = ["Content", "Section", "ShownPair", "read_content", "sample", "spread"]


@dataclass
class Content:
    """Everything a report shows; `scores` are the records of every ``summary.json``."""

    title: str
    sections: list[Section]
    scores: list[Score]
    provenance: list[tuple[str, str]]


def read_content(folder: Path, *, pairs: int = 30) -> Content:
    """Read a run folder, a release, a folder of scores, or one that holds several of these.

    `pairs` is how many pairs a section shows, spread evenly over its table. Raises InputError where
    there are neither pairs nor scores.
    """
    if not folder.is_dir():
        raise InputError(
            "no such folder", where=folder, hint="name what `curate pairs` or `score` wrote"
        )
    sections = read_sections(folder, pairs=pairs)
    scores = read_scores(folder)
    if not sections and not scores:
        raise InputError(
            "no pairs here and no scores: no stats.json, no release, no records in summary.json",
            where=folder,
            hint="name a run of `curate pairs`, a release, or a folder of `curate score`",
        )
    return Content(folder.resolve().name, sections, scores, _provenance(folder, sections))


def _provenance(folder: Path, sections: list[Section]) -> list[tuple[str, str]]:
    """What the pairs rest on: seeds and lexicons."""
    said: dict[str, set[str]] = {}
    for section in sections:
        if "seed" in section.stats:
            folds = section.stats.get("folds", 1)
            many = f"{folds} fold{'' if folds == 1 else 's'}"
            said.setdefault("Balance", set()).add(f"seed {section.stats['seed']}, {many}")
    for path in sorted(folder.glob("**/manifest.json")):
        manifest = read_json(path)
        for run in [manifest, *manifest.get("runs", {}).values()]:
            config = run.get("config", {})
            if "lexicon_version" in config:
                version = str(config["lexicon_version"])[:12]
                said.setdefault("Lexicons", set()).add(f"{config.get('lang', '')} {version}")
    return [(name, "; ".join(sorted(values))) for name, values in said.items()]
