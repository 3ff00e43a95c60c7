"""A commit: lines of JSON, all of them or none."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterator
from typing import Any

from tests.hub_server.answers import Answer, Refused, json_answer
from tests.hub_server.api_files import REGULAR_LIMIT
from tests.hub_server.front_matter import yaml_errors
from tests.hub_server.repository import Entry
from tests.hub_server.request import Hub, Request

__all__ = ["commit"]

_STALE = "A commit has happened since. Please refresh and try again."
_SHA256 = re.compile("[0-9a-f]{64}")


def commit(hub: Hub, request: Request, *, kind: str, repo: str, rev: str) -> Answer:
    """Apply the lines to a branch; Refused with 412 where ``parentCommit`` is not its head."""
    place = hub.writable(request, kind, repo)
    if request.is_on("create_pr"):
        raise Refused(400, "This server has no pull requests", "BadRequest")
    header, operations = _read(request)
    with place.lock:
        branch = rev.removeprefix("refs/heads/")
        if branch not in place.refs("heads"):
            raise Refused(404, f"Invalid rev id: {rev}", "RevisionNotFound")
        head = place.resolve(f"refs/heads/{branch}")
        if header.get("parentCommit") and header["parentCommit"] != head:
            raise Refused(412, _STALE, "PreconditionFailed")
        old = place.files(head)
        new = _apply(hub, dict(old), operations)
        oid = head
        if new != old:
            assert request.account is not None
            oid = place.add_commit(
                branch, new, title=str(header["summary"]),
                message=str(header.get("description", "")), user=request.account.user,
            )  # fmt: skip
    where = f"{request.base}/{'' if kind == 'models' else f'{kind}/'}{place.id}"
    return json_answer(
        {"success": True, "commitOid": oid, "commitUrl": f"{where}/commit/{oid}",
         "hookOutput": "", "pullRequestUrl": None}
    )  # fmt: skip


def _read(request: Request) -> tuple[dict[str, Any], list[tuple[str, dict[str, Any]]]]:
    try:
        lines = [json.loads(line) for line in request.content().splitlines() if line.strip()]
        found = [(str(line["key"]), dict(line["value"])) for line in lines]
    except (ValueError, KeyError, TypeError):
        raise Refused(400, "Invalid commit payload", "BadRequest") from None
    if not found or found[0][0] != "header" or not found[0][1].get("summary"):
        raise Refused(400, "The first line must be a header with a summary", "BadRequest")
    return found[0][1], found[1:]


def _apply(
    hub: Hub, files: dict[str, Entry], operations: list[tuple[str, dict[str, Any]]]
) -> dict[str, Entry]:
    for key, value in operations:
        path = _checked(str(value.get("path", "")))
        if key == "file":
            files[path] = _regular(hub, path, value)
        elif key == "lfsFile":
            files[path] = _large(hub, path, value)
        elif key in {"deletedFile", "deletedFolder"}:
            for gone in _below(files, path, folder=key == "deletedFolder"):
                del files[gone]
        else:
            raise Refused(400, f"Unknown operation: {key}", "BadRequest")
    for path in files:
        parents = path.split("/")[:-1]
        if any("/".join(parents[: end + 1]) in files for end in range(len(parents))):
            raise Refused(400, f"A file and a folder have one name: {path}", "BadRequest")
    return files


def _checked(path: str) -> str:
    parts = path.split("/")
    if path.endswith("/"):
        parts = parts[:-1]
    if not path or "\\" in path or any(part in {"", ".", "..", ".git"} for part in parts):
        raise Refused(400, f"Invalid path: {path!r}", "BadRequest")
    return "/".join(parts)


def _below(files: dict[str, Entry], path: str, *, folder: bool) -> Iterator[str]:
    found = [name for name in files if name.startswith(f"{path}/")] if folder else []
    if not folder and path in files:
        found = [path]
    if not found:
        kind = "folder" if folder else "file"
        what = f"A {kind} with this name doesn't exist: {path}"
        raise Refused(404, what, "EntryNotFound")
    return iter(found)


def _regular(hub: Hub, path: str, value: dict[str, Any]) -> Entry:
    try:
        content = base64.b64decode(value["content"], validate=True)
    except (KeyError, TypeError, binascii.Error):
        raise Refused(400, f"No base64 content: {path}", "BadRequest") from None
    if len(content) > REGULAR_LIMIT:
        raise Refused(400, f"Send files over 10 MiB as large files: {path}", "BadRequest")
    if path == "README.md" and (errors := yaml_errors(content.decode("utf-8", "replace"))):
        raise Refused(400, f"Invalid metadata in README.md: {'; '.join(errors)}", "BadRequest")
    return hub.store.add(content)


def _large(hub: Hub, path: str, value: dict[str, Any]) -> Entry:
    oid = str(value.get("oid", ""))
    if not _SHA256.fullmatch(oid) or not hub.store.blob(oid).is_file():
        what = f"LFS pointer pointed to a file that does not exist: {path}"
        raise Refused(400, what, "BadRequest")
    return hub.store.large(oid)
