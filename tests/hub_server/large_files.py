"""The upload of large files: a batch that says where to, one PUT each, and a check."""

from __future__ import annotations

import re
from typing import Any

from tests.hub_server.answers import Answer, Refused, json_answer
from tests.hub_server.request import Hub, Request

__all__ = ["batch_datasets", "batch_models", "upload", "verify"]

_SHA256 = re.compile("[0-9a-f]{64}")


def batch_datasets(hub: Hub, request: Request, *, repo: str) -> Answer:
    return _batch(hub, request, "datasets", repo)


def batch_models(hub: Hub, request: Request, *, repo: str) -> Answer:
    return _batch(hub, request, "models", repo)


def _batch(hub: Hub, request: Request, kind: str, repo: str) -> Answer:
    """For every object that is not here the address to send it to, in one part."""
    hub.writable(request, kind, repo)
    body = request.json()
    if body.get("operation") != "upload" or "basic" not in body.get("transfers", ["basic"]):
        raise Refused(422, "Only uploads in one part are possible here")
    objects = [_action(hub, request, given) for given in body.get("objects", [])]
    answer = json_answer({"transfer": "basic", "objects": objects})
    answer.headers["Content-Type"] = "application/vnd.git-lfs+json"
    return answer


def _action(hub: Hub, request: Request, given: dict[str, Any]) -> dict[str, Any]:
    oid, size = str(given.get("oid", "")), int(given.get("size", 0))
    known = {"oid": oid, "size": size, "authenticated": True}
    if not _SHA256.fullmatch(oid):
        return known | {"error": {"code": 422, "message": f"not a SHA-256: {oid!r}"}}
    if hub.store.blob(oid).is_file():
        return known
    address = f"{request.base}/__lfs/{oid}"
    signature = hub.store.sign(f"PUT {oid} {size}")
    return known | {
        "actions": {
            "upload": {"href": f"{address}?size={size}&signature={signature}", "header": {}},
            "verify": {"href": f"{address}/verify", "header": {}},
        }
    }


def upload(hub: Hub, request: Request, oid: str) -> Answer:
    """The content must have the size and the hash that the batch was asked for."""
    size = request.option("size")
    if request.option("signature") != hub.store.sign(f"PUT {oid} {size}"):
        raise Refused(403, "The request signature does not match")
    found, length, path = hub.store.receive(request.body())
    if found != oid or length != int(size):
        path.unlink()
        raise Refused(400, "The content does not have the hash and size announced", "BadDigest")
    path.replace(hub.store.blob(oid))
    return Answer(200)


def verify(hub: Hub, request: Request, oid: str) -> Answer:
    hub.signed_in(request)
    body = request.json()
    blob = hub.store.blob(oid)
    if body.get("oid") != oid or not blob.is_file() or blob.stat().st_size != body.get("size"):
        raise Refused(404, f"No such object: {oid}", "EntryNotFound")
    return json_answer({"message": "OK"})
