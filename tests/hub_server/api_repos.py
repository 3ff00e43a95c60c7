"""Repositories as a whole: who asks, making, finding, describing, settings, access."""

from __future__ import annotations

import hashlib
from typing import Any

from tests.hub_server.answers import Answer, Refused, json_answer
from tests.hub_server.front_matter import read_metadata, yaml_errors
from tests.hub_server.repository import Entry, Repository
from tests.hub_server.request import Hub, Request

__all__ = [
    "auth_check", "auth_check_write", "create", "delete", "grant", "info", "listing", "settings",
    "validate", "whoami",
]  # fmt: skip


def whoami(hub: Hub, request: Request) -> Answer:
    return json_answer(hub.accounts.describe(hub.signed_in(request)))


def validate(_hub: Hub, request: Request) -> Answer:
    body = request.json()
    errors = yaml_errors(str(body.get("content", "")))
    warnings = []
    if not errors and read_metadata(str(body.get("content", ""))) is None:
        warnings = [{"message": "empty or missing yaml metadata in repo card"}]
    content = {"errors": [{"message": error} for error in errors], "warnings": warnings}
    return json_answer(content, 400 if errors else 200)


def _target(hub: Hub, request: Request, body: dict[str, Any]) -> tuple[str, str, str]:
    """Kind, namespace and name that a request to make or delete speaks of; rights are checked."""
    account = hub.signed_in(request)
    kind = f"{body.get('type') or 'model'}s"
    namespace = str(body.get("organization") or account.user)
    if account.role != "write":
        raise Refused(403, "You must use a write token to create a repository.", "Forbidden")
    if not hub.accounts.is_namespace(namespace) or not hub.accounts.may_write(account, namespace):
        what = f"You don't have the rights to create a {kind[:-1]} under the namespace {namespace}"
        raise Refused(403, f'{what}"', "Forbidden")
    return kind, namespace, str(body.get("name", ""))


def create(hub: Hub, request: Request) -> Answer:
    body = request.json()
    kind, namespace, name = _target(hub, request, body)
    repo = f"{namespace}/{name}"
    private = body.get("visibility") == "private" or bool(body.get("private"))
    user = hub.signed_in(request).user
    url = f"{request.base}/{'' if kind == 'models' else f'{kind}/'}{repo}"
    if hub.store.create(kind, repo, private=private, user=user) is None:
        raise Refused(409, f"You already created this {kind[:-1]} repo", url=url)
    return json_answer({"url": url, "name": repo, "id": repo})


def delete(hub: Hub, request: Request) -> Answer:
    kind, namespace, name = _target(hub, request, request.json())
    hub.store.delete(hub.writable(request, kind, f"{namespace}/{name}"))
    return json_answer({})


def listing(hub: Hub, request: Request, kind: str) -> Answer:
    """All that the asker may see, by ``author`` and ``search``."""
    found = []
    for repo in hub.store.repositories(kind):
        namespace = repo.id.split("/")[0]
        seen = not repo.info["private"] or hub.accounts.is_member(request.account, namespace)
        fits = request.option("author", namespace) == namespace
        if seen and fits and request.option("search") in repo.id:
            found.append(_describe(hub, repo, repo.resolve("main"), blobs=False))
    return json_answer(found)


def info(hub: Hub, request: Request, *, kind: str, repo: str, rev: str = "main") -> Answer:
    place = hub.readable(request, kind, repo)
    oid = place.resolve(rev)
    answer = _describe(hub, place, oid, blobs=request.is_on("blobs"))
    return json_answer(answer)


def _describe(hub: Hub, repo: Repository, oid: str, *, blobs: bool) -> dict[str, Any]:
    commit, about = repo.commit_of(oid), repo.info
    files: dict[str, Entry] = commit["files"]
    described: dict[str, Any] = {
        "_id": hashlib.sha256(repo.id.encode()).hexdigest()[:24], "id": repo.id,
        "author": repo.id.split("/")[0], "sha": oid, "lastModified": commit["date"],
        "createdAt": about["created"], "private": about["private"], "gated": about["gated"],
        "disabled": False, "tags": [], "downloads": 0, "likes": 0,
        "siblings": [_sibling(path, entry, blobs=blobs) for path, entry in files.items()],
    }  # fmt: skip
    if repo.kind == "models":
        described["modelId"] = repo.id
    if "README.md" in files:
        card = hub.store.blob(files["README.md"]["sha256"]).read_text("utf-8", "replace")
        described["cardData"] = read_metadata(card) or {}
    return described


def _sibling(path: str, entry: Entry, *, blobs: bool) -> dict[str, Any]:
    found: dict[str, Any] = {"rfilename": path}
    if blobs:
        found |= {"size": entry["size"], "blobId": entry["oid"]}
        if entry["lfs"]:
            found["lfs"] = {
                "sha256": entry["sha256"], "size": entry["size"], "pointerSize": entry["pointer"]
            }  # fmt: skip
    return found


def settings(hub: Hub, request: Request, *, kind: str, repo: str) -> Answer:
    place, body = hub.writable(request, kind, repo), request.json()
    changes: dict[str, Any] = {}
    if "gated" in body:
        if body["gated"] not in {"auto", "manual", False}:
            raise Refused(400, '"gated" must be one of [auto, manual, false]', "BadRequest")
        changes["gated"] = body["gated"]
    if "visibility" in body or "private" in body:
        changes["private"] = body.get("visibility") == "private" or bool(body.get("private"))
    place.change_info(**changes)
    return json_answer({})


def grant(hub: Hub, request: Request, *, kind: str, repo: str) -> Answer:
    """Let a user see the files of a gated repository."""
    place, user = hub.writable(request, kind, repo), request.json().get("user")
    if user not in hub.accounts.users:
        raise Refused(404, f"User {user} not found")
    place.change_info(granted=sorted({*place.info["granted"], user}))
    return json_answer({})


def auth_check(hub: Hub, request: Request, *, kind: str, repo: str) -> Answer:
    hub.open_to(request, hub.readable(request, kind, repo))
    return json_answer({})


def auth_check_write(hub: Hub, request: Request, *, kind: str, repo: str) -> Answer:
    hub.writable(request, kind, repo)
    return json_answer({})
