"""The dataset that comes out of a campaign, whole at any moment: settled pairs, drafts, drops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
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
    return Counter(_states(campaign.sources(lang), campaign.last_tasks(lang)).values())


def _states(sources: Mapping[str, Source], last: Mapping[str, Task]) -> dict[str, str]:
    """States by uid. A settled pair with the texts of an earlier one is a ``duplicate`` of it."""
    found: dict[str, str] = {}
    seen: set[tuple[str, str]] = set()
    for uid in sources:
        task = last.get(uid)
        if task is None:
            found[uid] = "untouched"
        elif task.stage != DONE:
            found[uid] = f"to-{task.stage}"
        elif task.state in SETTLED and task.texts in seen:
            found[uid] = "duplicate"
        else:
            found[uid] = task.state
            if task.state in SETTLED:
                seen.add(task.texts)
    return found


def merge(campaign: Campaign, lang: str) -> Merged:
    """The tables of a language, in the order of the source pairs."""
    last = campaign.last_tasks(lang)
    rows = campaign.source.to_pylist()
    texts, settled = [], []
    drops, units = [], []
    sources = campaign.sources(lang)
    for uid, state in _states(sources, last).items():
        task, source = last.get(uid), sources[uid]
        if task is None:
            continue
        row = _crows_row(rows[source.number - 1], source, task)
        units.append(_unit(source, task, row, state))
        if state in SETTLED or (task.stage != DONE and _is_draft(task)):
            texts.append(row)
            settled.append(state in SETTLED)
        elif task.stage == DONE:
            drops.append(_drop(source, task, state))
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


def _drop(source: Source, task: Task, state: str) -> dict[str, Any]:
    said = "; ".join(map(str, task.findings)) if state in {"unresolved", "duplicate"} else task.note
    return {
        "sent_id": schema.sentence_id(source.lang, source.sent_more), "row": source.number - 1,
        "stage": _STAGE, "code": state,
        "detail": ": ".join(filter(None, (f"id {source.source_id}", task.reason, said))),
    }  # fmt: skip


def _unit(source: Source, task: Task, row: dict[str, Any], state: str) -> dict[str, Any]:
    has_text = all(task.texts) and task.outcome == "translated"
    return {
        "uid": task.uid, "lang": task.lang, "source_id": source.source_id,
        "source_pair_id": source.pair_id, "state": state, "step": task.step,
        "round": task.round, "pair_id": row["pair_id"] if has_text else None,
        "sent_more": task.text_more if has_text else None,
        "sent_less": task.text_less if has_text else None,
        "adaptation": list(task.adaptation), "reason": task.reason, "translator": task.author,
        "validator": task.validator, "note": task.note,
    }  # fmt: skip


def write_merged(campaign: Campaign) -> None:
    """Write ``<lang>/crows.parquet``, ``draft.parquet`` and ``drops.parquet`` of every language,
    and ``units.parquet``.
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
