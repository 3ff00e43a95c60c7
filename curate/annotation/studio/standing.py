"""The tasks of a project as they stand on the server."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from curate.annotation.studio.client import Client
from curate.annotation.studio.projects import Project
from curate.errors import RemoteError

__all__ = ["Prediction", "Standing", "standing_tasks", "untouched"]

_PAGE = 500
_READS = 3
_COUNTS = "draft_exists,total_annotations,cancelled_annotations"
_FIELDS = {
    "predictions": f"id,data,predictions,result,model_version,{_COUNTS}",
    "annotations": "id,data,annotations,result,completed_by,was_cancelled,updated_at",
}
"""What is asked for: names hold for the task and for what hangs on it."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a task is prefilled with; `values` by the name of the field."""

    number: int
    version: str
    values: dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class Standing:
    """A task on the server. `annotations` are as Label Studio gives them.

    `answers` counts annotations that are no skips; `begun`: somebody's draft is kept; `touched`:
    there is one of these, or a skip.
    """

    number: int
    data: dict[str, Any]
    answers: int = 0
    begun: bool = False
    touched: bool = False
    predictions: tuple[Prediction, ...] = ()
    annotations: tuple[Any, ...] = ()

    @property
    def task_id(self) -> str:
        return str(self.data.get("task_id") or "")


def standing_tasks(client: Client, project: Project, *, what: str) -> list[Standing]:
    """All tasks of a project with their ``predictions`` or ``annotations`` (`what`), by number.

    Read again where tasks came or went while the pages were turned.
    """
    for _ in range(_READS):
        rows, total = _read(client, project, what)
        if len({one.number for one in rows}) == total == len(rows):
            return rows
    raise RemoteError(
        f"the tasks of {project.ref} change while they are read",
        where=client.url, hint="repeat the command when nobody imports or deletes tasks",
    )  # fmt: skip


def _read(client: Client, project: Project, what: str) -> tuple[list[Standing], int]:
    rows: list[Standing] = []
    page, total = 1, 1
    while len(rows) < total:
        answer = _page(client, project, page, include=_FIELDS[what], size=_PAGE)
        total = int(answer.response.total)
        rows += [_standing(row) for row in answer.items or []]
        if not answer.items:
            break
        page += 1
    return rows, total


def untouched(client: Client, project: Project, numbers: Sequence[int]) -> set[int]:
    """Those of the tasks that are there and that nobody has answered or begun to, just now."""
    query = json.dumps({"selectedItems": {"all": False, "included": list(numbers)}})
    answer = _page(
        client, project, 1, include=f"id,{_COUNTS}", size=max(len(numbers), 1), query=query
    )
    return {
        row.id
        for row in answer.items or []
        if not _count(row, "total_annotations") and not getattr(row, "draft_exists", False)
    }


def _page(
    client: Client, project: Project, page: int, *, include: str, size: int,
    query: str | None = None,
) -> Any:  # fmt: skip
    return client.read(
        f"the tasks of {project.ref}",
        lambda studio: studio.tasks.list(
            project=project.number, fields="all", include=include, page=page, page_size=size,
            resolve_uri=False, query=query,
        ),
    )  # fmt: skip


def _count(row: Any, name: str) -> int:
    return int(getattr(row, name, None) or 0)


def _standing(row: Any) -> Standing:
    answers = _count(row, "total_annotations")
    begun = bool(getattr(row, "draft_exists", False))
    return Standing(
        number=row.id,
        data=row.data if isinstance(row.data, dict) else {},
        answers=answers,
        begun=begun,
        touched=bool(answers or begun or _count(row, "cancelled_annotations")),
        predictions=tuple(
            Prediction(one.id, one.model_version or "", _values(one.result))
            for one in getattr(row, "predictions", None) or []
        ),
        annotations=tuple(getattr(row, "annotations", None) or []),
    )


def _values(result: Any) -> dict[str, list[str]]:
    """What a prediction fills in, by field."""
    values: dict[str, list[str]] = {}
    for item in result if isinstance(result, list) else []:
        if isinstance(item, dict) and isinstance(item.get("value"), dict):
            given = item["value"].get("text", item["value"].get("choices"))
            values[str(item.get("from_name"))] = given if isinstance(given, list) else [str(given)]
    return values
