"""The dataset that comes out of a campaign, whole at any moment: settled pairs, drafts, drops."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from curate import schema
from curate.annotation.campaign import Campaign
from curate.annotation.problems import is_usable
from curate.annotation.tasks import DONE, Source, Task
from curate.engine import write_parquet
from curate.pairs.crows_sides import fill_sides
from curate.sources.crows import CROWS_FILE

__all__ = ["SETTLED", "Merged", "merge", "states", "write_merged"]

SETTLED = ("accepted", "revised", "translated")
"""States in which a pair belongs to the dataset; ``translated``: of a campaign of one pass."""

_STAGE = "translate"


@dataclass(frozen=True, slots=True)
class Merged:
    """One language: `crows` (settled), `draft` (every usable text so far), `drops`, `units`."""

    lang: str
    crows: pa.Table
    draft: pa.Table
    drops: pa.Table
    units: pa.Table


def states(campaign: Campaign, lang: str) -> Counter[str]:
    """How many units are in which state: that of a closed unit, or the stage it waits in."""
    last = campaign.last_tasks(lang)
    return Counter(
        "untouched" if uid not in last else _state(last[uid]) for uid in campaign.sources(lang)
    )


def _state(task: Task) -> str:
    return task.state if task.stage == DONE else f"to-{task.stage}"


def merge(campaign: Campaign, lang: str) -> Merged:
    """The tables of a language, in the order of the source pairs."""
    last = campaign.last_tasks(lang)
    rows = campaign.source.to_pylist()
    texts, settled = [], []
    drops, units = [], []
    seen: dict[str, str] = {}
    for uid, source in campaign.sources(lang).items():
        task = last.get(uid)
        if task is None:
            continue
        row = _crows_row(rows[source.number - 1], source, task)
        units.append(_unit(source, task, row))
        if task.state in SETTLED and row["pair_id"] in seen:
            drops.append(_drop(source, replace(task, state="duplicate", note=seen[row["pair_id"]])))
        elif task.state in SETTLED or (task.stage != DONE and _is_draft(task)):
            texts.append(row)
            settled.append(task.state in SETTLED)
            if settled[-1]:
                seen[row["pair_id"]] = f"as pair {source.source_id}"
        elif task.stage == DONE:
            drops.append(_drop(source, task))
    draft = fill_sides(pa.Table.from_pylist(texts, schema=schema.CROWS))
    return Merged(
        lang,
        draft.filter(pa.array(settled, pa.bool_())),
        draft,
        pa.Table.from_pylist(drops, schema=schema.DROPS),
        pa.Table.from_pylist(units, schema=schema.TRANSLATION_UNITS),
    )


def _is_draft(task: Task) -> bool:
    return task.outcome == "translated" and all(task.texts) and is_usable(task.findings)


def _crows_row(row: dict[str, Any], source: Source, task: Task) -> dict[str, Any]:
    more, less = task.texts
    return row | {
        "pair_id": schema.pair_id(source.lang, "import", more, less), "lang": source.lang,
        "sent_more": more, "sent_less": less, "masculine": None, "feminine": None,
        "round": task.round,
    }  # fmt: skip


def _drop(source: Source, task: Task) -> dict[str, Any]:
    said = "; ".join(map(str, task.findings)) if task.state == "unresolved" else task.note
    return {
        "sent_id": schema.sentence_id(source.lang, source.sent_more), "row": source.number - 1,
        "stage": _STAGE, "code": task.state,
        "detail": ": ".join(filter(None, (f"id {source.source_id}", task.reason, said))),
    }  # fmt: skip


def _unit(source: Source, task: Task, row: dict[str, Any]) -> dict[str, Any]:
    has_text = all(task.texts) and task.outcome == "translated"
    return {
        "uid": task.uid, "lang": task.lang, "source_id": source.source_id,
        "source_pair_id": source.pair_id, "state": _state(task), "step": task.step,
        "round": task.round, "pair_id": row["pair_id"] if has_text else None,
        "sent_more": task.text_more if has_text else None,
        "sent_less": task.text_less if has_text else None,
        "adaptation": list(task.adaptation), "reason": task.reason, "translator": task.author,
        "validator": task.validator, "note": task.note,
    }  # fmt: skip


def write_merged(campaign: Campaign) -> dict[str, Counter[str]]:
    """Write ``<lang>/crows.parquet``, ``draft.parquet`` and ``drops.parquet`` of every language,
    and ``units.parquet``; the states by language.
    """
    units = []
    for lang in campaign.settings.langs:
        merged = merge(campaign, lang)
        folder: Path = campaign.folder / lang
        folder.mkdir(parents=True, exist_ok=True)
        write_parquet(folder / CROWS_FILE, schema.CROWS, [merged.crows])
        write_parquet(folder / "draft.parquet", schema.CROWS, [merged.draft])
        write_parquet(folder / "drops.parquet", schema.DROPS, [merged.drops])
        units.append(merged.units)
    write_parquet(campaign.folder / "units.parquet", schema.TRANSLATION_UNITS, units)
    return {lang: states(campaign, lang) for lang in campaign.settings.langs}
