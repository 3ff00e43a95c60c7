"""``findings.tsv``: everything in a campaign that somebody should look at, a line each."""

from __future__ import annotations

import csv
import unicodedata
from collections.abc import Sequence
from pathlib import Path

from curate.annotation.campaign import Campaign
from curate.annotation.receive import Found
from curate.engine import replacing
from curate.sources.delimited import guarded

__all__ = ["COLUMNS", "open_findings", "write_findings"]

COLUMNS = ("lang", "source_id", "task", "stage", "where", "person", "code", "field", "evidence")


def open_findings(campaign: Campaign) -> list[Found]:
    """The findings on the tasks that wait for people."""
    return [
        Found(lang, task.task_id, "", task.author, problem)
        for lang in campaign.settings.langs
        for task in campaign.open_tasks(lang)
        for problem in task.findings
    ]


def write_findings(campaign: Campaign, found: Sequence[Found]) -> Path:
    """Write what was found just now, then what is still open from before; the path."""
    path = campaign.folder / "findings.tsv"
    source_ids = {
        source.uid: source.source_id
        for lang in campaign.settings.langs
        for source in campaign.sources(lang).values()
    }
    known = {(one.task_id.rpartition(".")[0], one.problem) for one in found}
    earlier = [
        one
        for one in open_findings(campaign)
        if (one.task_id.rpartition(".")[0], one.problem) not in known
    ]
    with replacing(path) as new, new.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(COLUMNS)
        for one in [*found, *earlier]:
            uid = one.task_id.rpartition(".")[0]
            task = campaign.tasks.get(one.task_id)
            problem = one.problem
            cells = [
                one.lang, source_ids.get(uid, ""), one.task_id, task.stage if task else "",
                one.ref, one.person, problem.code, problem.field, problem.evidence,
            ]  # fmt: skip
            writer.writerow([guarded(_line(cell)) for cell in cells])
    return path


def _line(cell: str) -> str:
    """One line without control characters."""
    line = " ".join(cell.split())
    return "".join(char for char in line if unicodedata.category(char) != "Cc")
