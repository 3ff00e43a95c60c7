"""What files there are, and how each is to be sent."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from typing import Any

from tests.hub_server.answers import Answer, Refused, json_answer
from tests.hub_server.pages import paged
from tests.hub_server.repository import Entry
from tests.hub_server.request import Hub, Request

__all__ = ["REGULAR_LIMIT", "paths_info", "preupload", "tree"]

REGULAR_LIMIT = 10 * 1024 * 1024
_LARGE = (
    ".parquet", ".arrow", ".bin", ".safetensors", ".pt", ".zip", ".gz", ".xz", ".npy", ".npz",
    ".model", ".png", ".jpg", ".pdf",
)  # fmt: skip


def _file(path: str, entry: Entry) -> dict[str, Any]:
    found: dict[str, Any] = {
        "type": "file", "oid": entry["oid"], "size": entry["size"], "path": path
    }  # fmt: skip
    if entry["lfs"]:
        found["lfs"] = {
            "oid": entry["sha256"], "size": entry["size"], "pointerSize": entry["pointer"]
        }  # fmt: skip
    return found


def _folder(path: str, files: Mapping[str, Entry]) -> dict[str, Any]:
    inside = sorted(f"{name}:{e['oid']}" for name, e in files.items() if name.startswith(path))
    oid = hashlib.sha1("\n".join(inside).encode()).hexdigest()  # noqa: S324
    return {"type": "directory", "oid": oid, "size": 0, "path": path.rstrip("/")}


def tree(hub: Hub, request: Request, *, kind: str, repo: str, rev: str, path: str = "") -> Answer:
    """Folders and files below `path`: its own only, or with ``recursive`` all."""
    place = hub.readable(request, kind, repo)
    files = place.files(place.resolve(rev))
    top = f"{path.strip('/')}/" if path.strip("/") else ""
    below = {name: entry for name, entry in files.items() if name.startswith(top)}
    if top and not below:
        raise Refused(404, f"{path} does not exist on {rev}", "EntryNotFound")
    folders: set[str] = set()
    for found in below:
        parts = found.removeprefix(top).split("/")[:-1]
        folders |= {top + "/".join(parts[:deep]) + "/" for deep in range(1, len(parts) + 1)}
    if not request.is_on("recursive"):
        folders = {folder for folder in folders if folder.removeprefix(top).count("/") == 1}
        below = {name: e for name, e in below.items() if "/" not in name.removeprefix(top)}
    entries = [_folder(folder, files) for folder in sorted(folders)]
    entries += [_file(found, entry) for found, entry in sorted(below.items())]
    return paged(entries, request, size=hub.page)


def paths_info(hub: Hub, request: Request, *, kind: str, repo: str, rev: str) -> Answer:
    """Of the paths that are named, those that there are."""
    place = hub.readable(request, kind, repo)
    files = place.files(place.resolve(rev))
    found = []
    for path in request.form().get("paths", []):
        if path in files:
            found.append(_file(path, files[path]))
        elif any(known.startswith(f"{path.rstrip('/')}/") for known in files):
            found.append(_folder(f"{path.rstrip('/')}/", files))
    return json_answer(found)


def preupload(hub: Hub, request: Request, *, kind: str, repo: str, rev: str) -> Answer:
    """How each file is to be sent, and the hash of what stands there now."""
    place = hub.writable(request, kind, repo)
    files = place.files(place.resolve(rev))
    found = []
    for given in request.json().get("files", []):
        path, size = str(given["path"]), int(given["size"])
        sample = base64.b64decode(given.get("sample", ""))
        large = path.endswith(_LARGE) or size > REGULAR_LIMIT or b"\0" in sample
        known = files.get(path)
        oid = known and (known["sha256"] if known["lfs"] else known["oid"])
        mode = "lfs" if large else "regular"
        found.append({"path": path, "uploadMode": mode, "shouldIgnore": False, "oid": oid})
    return json_answer({"files": found})
