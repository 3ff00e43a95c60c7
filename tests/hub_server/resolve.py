"""Files for readers: small ones at once, large ones by a redirect, any stretch of them."""

from __future__ import annotations

import re
from urllib.parse import quote

from tests.hub_server.answers import Answer, Refused
from tests.hub_server.request import Hub, Request

__all__ = ["dataset_file", "delivery", "model_file"]


def dataset_file(hub: Hub, request: Request, *, repo: str, rev: str, path: str) -> Answer:
    return _resolve(hub, request, kind="datasets", repo=repo, rev=rev, path=path)


def model_file(hub: Hub, request: Request, *, repo: str, rev: str, path: str) -> Answer:
    return _resolve(hub, request, kind="models", repo=repo, rev=rev, path=path)


def _resolve(hub: Hub, request: Request, *, kind: str, repo: str, rev: str, path: str) -> Answer:
    found = hub.readable(request, kind, repo)
    oid = found.resolve(rev)
    headers = {"X-Repo-Commit": oid}
    hub.open_to(request, found)
    entry = found.files(oid).get(path)
    if entry is None:
        refused = Refused(404, "Entry not found", "EntryNotFound").answer()
        refused.headers |= headers
        return refused
    name, content = path.rsplit("/", 1)[-1], entry["sha256"]
    if entry["lfs"]:
        address = f"/__cdn/{content}/{quote(name)}?signature={hub.store.sign(f'GET {content}')}"
        linked = {"X-Linked-Etag": f'"{content}"', "X-Linked-Size": str(entry["size"])}
        # the entity tag of a redirect is that of the pointer: readers must take the linked one
        headers |= linked | {
            "ETag": f'"{entry["oid"]}"',
            "Location": f"{_elsewhere(request)}{address}",
        }
        return Answer(302, b"Found", headers)
    headers |= {"ETag": f'"{entry["oid"]}"', "Content-Type": "text/plain; charset=utf-8"}
    return _stretch(hub, request, content, headers)


def _elsewhere(request: Request) -> str:
    """This server by another host name: the Hub's large files lie elsewhere too.

    Clients follow redirects within the Hub themselves, and send their token along.
    """
    return f"http://localhost:{request.base.rpartition(':')[2]}"


def delivery(hub: Hub, request: Request, oid: str, name: str) -> Answer:
    """What a redirect leads to: the signature stands for the right to read."""
    if request.option("signature") != hub.store.sign(f"GET {oid}"):
        raise Refused(403, "The request signature does not match")
    headers = {
        "ETag": f'"{oid}"', "Content-Type": "application/octet-stream",
        "Content-Disposition": f'attachment; filename="{name}"',
    }  # fmt: skip
    return _stretch(hub, request, oid, headers)


def _stretch(hub: Hub, request: Request, content: str, headers: dict[str, str]) -> Answer:
    """All of a file, or with ``Range`` the bytes asked for (206), or 416 where there are none."""
    path = hub.store.blob(content)
    size = path.stat().st_size
    headers = headers | {"Accept-Ranges": "bytes"}
    asked = re.fullmatch(r"bytes=(\d*)-(\d*)", request.headers.get("range", "").strip())
    if asked is None or asked[0] == "bytes=-":
        return Answer(200, b"", headers, file=path, end=size)
    first, last = asked.groups()
    start = int(first) if first else max(0, size - int(last))
    end = min(size, int(last) + 1) if first and last else size
    if start >= end:
        return Answer(416, b"", headers | {"Content-Range": f"bytes */{size}"})
    headers["Content-Range"] = f"bytes {start}-{end - 1}/{size}"
    return Answer(206, b"", headers, file=path, start=start, end=end)
