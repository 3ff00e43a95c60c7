"""Rows of a table, from CSV or from a sheet, as returned tasks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from curate.annotation.campaign import Campaign
from curate.annotation.files.given import answer_columns
from curate.annotation.files.guard import guarded_cell, unguarded
from curate.annotation.files.marks import first_guarded, folded
from curate.annotation.files.returned import Returned, Sources
from curate.annotation.form import STAGES, TEXT_FIELDS, form_of
from curate.annotation.problems import Problem
from curate.annotation.tasks import DONE, Source, Task
from curate.errors import InputError

__all__ = ["NEEDED", "Row", "check_header", "returned_rows"]

NEEDED = ("task_id", "hash", "campaign", "lang", "source_more", "source_less", "given")
"""Columns without which no row can be told from another."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row by column. `formulas` tells where a cell holds one: the place by column."""

    where: str
    ref: str
    cells: Mapping[str, str]
    formulas: Mapping[str, str]


def check_header(header: Sequence[str], where: str | Path) -> None:
    """InputError for a column that is missing, or stands there twice."""
    missing = [name for name in NEEDED if name not in header]
    if missing:
        shown = ", ".join(repr(name[:40]) for name in header[:12])
        raise InputError(
            f"no column {' and no column '.join(map(repr, missing))}; the columns are {shown}",
            where=where, hint="the order is free, but every column of the export is needed",
        )  # fmt: skip
    known = {*NEEDED, *answer_columns(list(STAGES))}
    twice = [name for name, number in Counter(header).items() if number > 1 and name in known]
    if twice:
        raise InputError(f"column {twice[0]!r} stands there twice", where=where)


def returned_rows(
    campaign: Campaign, header: Sequence[str], rows: Sequence[Row], where: str | Path
) -> list[Returned]:
    """The rows as returned tasks; empty rows are passed over.

    A sheet may have been a CSV file before, or the other way round, so guards against formulas are
    looked for in both. Raises InputError where a column is missing that the stage of a row asks
    for, or an id is a formula.
    """
    check_header(header, where)
    sources = Sources(campaign)
    present = [name for name in answer_columns(list(STAGES)) if name in header]
    items = []
    for row in rows:
        if not any(text.strip() for text in row.cells.values()) and not row.formulas:
            continue
        for name in NEEDED:
            if name in row.formulas:
                raise InputError(f"{name} is a formula", where=row.where, hint="export it again")
        if not row.cells["task_id"].strip():
            raise InputError("a row without a task_id", where=row.where, hint="export it again")
        if len(row.cells["given"].split()) != len(TEXT_FIELDS):
            message = f"the cell 'given' was changed: {row.cells['given'][:40]!r}"
            raise InputError(message, where=row.where, hint="export it again")
        task = campaign.tasks.get(row.cells["task_id"].strip())
        if task is not None:
            _check_columns(task, present, where)
        items.append(_returned(row, task, sources, present))
    return items


def _check_columns(task: Task, present: Sequence[str], where: str | Path) -> None:
    if task.stage == DONE:
        return
    missing = [name for name in form_of(task.stage).fields if name not in present]
    if missing:
        raise InputError(
            f"no column {' and no column '.join(map(repr, missing))}, "
            f"which the tasks to {task.stage} ask for",
            where=where, hint="the order is free, but every column of the export is needed",
        )  # fmt: skip


def _returned(row: Row, task: Task | None, sources: Sources, present: Sequence[str]) -> Returned:
    fields = {name: row.cells.get(name, "") for name in present}
    given = dict(zip(TEXT_FIELDS, row.cells["given"].split(), strict=True))
    for name, mark in given.items():
        fields[name] = unguarded(fields.get(name, ""), first_guarded(mark))
    source: Source | None = sources.of(task) if task is not None else None
    own = (source.sent_more, source.sent_less) if source else ("", "")
    beside = (row.cells["source_more"], row.cells["source_less"])
    return Returned(
        task_id=row.cells["task_id"].strip(), hash=row.cells["hash"].strip(),
        campaign=row.cells["campaign"].strip(), lang=row.cells["lang"].strip(),
        sources=(_unguarded_source(beside[0], own[0]), _unguarded_source(beside[1], own[1])),
        fields=fields, given=given, where=row.where, ref=row.ref,
        problems=tuple(
            Problem("formula", name, f"{place} holds a formula: {row.cells.get(name, '')}"[:160])
            for name, place in row.formulas.items()
            if name in present
        ),
    )  # fmt: skip


def _unguarded_source(cell: str, own: str) -> str:
    return own if folded(cell) == folded(guarded_cell(own)) else cell
