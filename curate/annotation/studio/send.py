"""Send a project what it lacks: every call here changes the server, and none is made twice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from curate.annotation.form import TEXT_FIELDS
from curate.annotation.studio.client import Client
from curate.annotation.studio.compare import Plan, Prefill, Wanted
from curate.annotation.studio.config import controls
from curate.annotation.studio.projects import PREFILL, Project
from curate.annotation.studio.standing import Standing, untouched

__all__ = ["Sent", "send"]

_AT_ONCE = 250
_LOOKED_AT = 50

Sent = Callable[[str, int], None]
"""Told of every write that went well: ``new``, ``updated`` or ``deleted``, and how many tasks."""


def send(client: Client, project: Project, plan: Plan, *, sent: Sent) -> None:
    """Do what the plan says; LostError where the connection breaks off in the middle."""
    targets = controls(project.config)
    for start in range(0, len(plan.new), _AT_ONCE):
        part = plan.new[start : start + _AT_ONCE]
        _import(client, project, part, targets)
        sent("new", len(part))
    _mend(client, project, plan, targets, sent)
    free = untouched(client, project, [one.number for one in plan.delete])
    for one in plan.delete:
        if one.number in free:
            _delete(client, one.number)
            sent("deleted", 1)


def _mend(
    client: Client, project: Project, plan: Plan, targets: Mapping[str, str], sent: Sent
) -> None:
    """Tasks with other data or other predictions, where nobody has begun meanwhile."""
    pairs = plan.mended
    update = {there.number for there, _ in plan.update}
    refill = {there.number for there, _ in plan.refill}
    listed = list(pairs)
    for start in range(0, len(listed), _LOOKED_AT):
        part = listed[start : start + _LOOKED_AT]
        for number in sorted(untouched(client, project, part)):
            there, wanted = pairs[number]
            # The prefilled text first: who answers between the two answers under the old hash,
            # and is asked again. The other way round an old text would count for the new pair.
            if number in refill:
                _refill(client, there, wanted.prefill, targets)
            if number in update:
                _update(client, number, wanted)
            sent("updated", 1)


def _import(
    client: Client, project: Project, tasks: Sequence[Wanted], targets: Mapping[str, str]
) -> None:
    rows: list[Any] = [
        {"data": one.data, "predictions": _predictions(one.prefill, targets)} for one in tasks
    ]
    client.write(
        f"sending tasks to {project.ref}",
        lambda studio: studio.projects.import_tasks(id=project.number, request=rows),
    )


def _predictions(prefill: Prefill, targets: Mapping[str, str]) -> list[dict[str, Any]]:
    if not prefill:
        return []
    return [{"model_version": PREFILL, "result": _result(prefill, targets)}]


def _result(prefill: Prefill, targets: Mapping[str, str]) -> list[dict[str, Any]]:
    return [
        {
            "from_name": name,
            "to_name": targets[name],
            "type": "textarea" if name in TEXT_FIELDS else "choices",
            "value": {"text" if name in TEXT_FIELDS else "choices": values},
        }
        for name, values in prefill.items()
    ]


def _refill(client: Client, there: Standing, prefill: Prefill, targets: Mapping[str, str]) -> None:
    """Make our prediction on a task the one that is wanted; those of others stay."""
    own = [one.number for one in there.predictions if one.version == PREFILL]
    what = f"what task {there.number} is prefilled with"
    if prefill:
        result = _result(prefill, targets)
        if own:
            first = own.pop(0)
            client.write(what, lambda studio: studio.predictions.update(id=first, result=result))
        else:
            client.write(
                what,
                lambda studio: studio.predictions.create(
                    task=there.number, result=result, model_version=PREFILL
                ),
            )
    for number in own:
        client.write(what, lambda studio, number=number: studio.predictions.delete(id=number))  # type: ignore[misc]


def _update(client: Client, number: int, wanted: Wanted) -> None:
    client.write(
        f"task {number}",
        lambda studio: studio.tasks.update(id=str(number), data=wanted.data),
    )


def _delete(client: Client, number: int) -> None:
    client.write(f"deleting task {number}", lambda studio: studio.tasks.delete(id=str(number)))
