"""The tasks of a project as they stand on the server."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from curate.annotation.studio.client import Client
from curate.annotation.studio.projects import Project

__all__ = ["Prediction", "Standing", "standing_tasks", "untouched"]

_PAGE = 500
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
    """All tasks of a project with their ``predictions`` or ``annotations`` (`what`), by number."""
    rows = client.read_all(
        f"the tasks of {project.ref}",
        lambda studio, page: studio.tasks.list(
            project=project.number, fields="all", include=_FIELDS[what],
            page=page, page_size=_PAGE, resolve_uri=False,
        ),
    )  # fmt: skip
    return [_standing(row) for row in rows]


def untouched(client: Client, project: Project, numbers: Sequence[int]) -> set[int]:
    """Those of the tasks that are there and that nobody has answered or begun to, just now."""
    if not numbers:
        return set()
    query = json.dumps({"selectedItems": {"all": False, "included": list(numbers)}})
    rows = client.read_all(
        f"the tasks of {project.ref}",
        lambda studio, page: studio.tasks.list(
            project=project.number, fields="all", include=f"id,{_COUNTS}",
            page=page, page_size=_PAGE, query=query,
        ),
    )  # fmt: skip
    return {
        row.id
        for row in rows
        if not _count(row, "total_annotations") and not getattr(row, "draft_exists", False)
    }


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
