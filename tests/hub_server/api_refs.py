"""Branches, tags and the history of commits."""

from __future__ import annotations

from typing import Any

from tests.hub_server.answers import Answer, Refused, json_answer
from tests.hub_server.pages import paged
from tests.hub_server.request import Hub, Request

__all__ = ["add_branch", "add_tag", "commits", "refs", "remove_branch", "remove_tag"]


def refs(hub: Hub, request: Request, *, kind: str, repo: str) -> Answer:
    place = hub.readable(request, kind, repo)

    def listed(of: str) -> list[dict[str, str]]:
        found = place.refs(of).items()
        return [{"name": n, "ref": f"refs/{of}/{n}", "targetCommit": oid} for n, oid in found]

    content: dict[str, Any] = {"branches": listed("heads"), "tags": listed("tags"), "converts": []}
    return json_answer(content | {"pullRequests": []})


def add_tag(hub: Hub, request: Request, *, kind: str, repo: str, rev: str) -> Answer:
    place = hub.writable(request, kind, repo)
    tag = str(request.json().get("tag", ""))
    place.add_ref("tags", tag, place.resolve(rev))
    return json_answer({})


def remove_tag(hub: Hub, request: Request, *, kind: str, repo: str, rev: str) -> Answer:
    hub.writable(request, kind, repo).remove_ref("tags", rev)
    return json_answer({})


def add_branch(hub: Hub, request: Request, *, kind: str, repo: str, rev: str) -> Answer:
    place = hub.writable(request, kind, repo)
    start = str(request.json().get("startingPoint") or "main")
    place.add_ref("heads", rev, place.resolve(start))
    return json_answer({})


def remove_branch(hub: Hub, request: Request, *, kind: str, repo: str, rev: str) -> Answer:
    place = hub.writable(request, kind, repo)
    if rev == "main":
        raise Refused(403, "You cannot delete the default branch", "Forbidden")
    place.remove_ref("heads", rev)
    return json_answer({})


def commits(hub: Hub, request: Request, *, kind: str, repo: str, rev: str) -> Answer:
    """The newest first."""
    place = hub.readable(request, kind, repo)
    found = [
        {"id": oid, "title": commit["title"], "message": commit["message"],
         "authors": [{"user": commit["user"]}], "date": commit["date"]}
        for oid, commit in place.history(place.resolve(rev))
    ]  # fmt: skip
    return paged(found, request, size=hub.page)
