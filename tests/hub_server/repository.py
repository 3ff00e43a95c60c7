"""One repository on disk: commits that never change, and references that are renamed into place."""

from __future__ import annotations

import hashlib
import json
import os
import re
import threading
import time
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from tests.hub_server.answers import Refused

__all__ = ["Entry", "Repository", "now", "write_atomically"]

Entry = dict[str, Any]  # {"oid": Git's hash, "size": bytes, "sha256": hash, "lfs": bool}
_BAD_REF = re.compile(r"\.\.|[\x00-\x20~^:?*\[\\\x7f]|^[/.-]|[/.]$|\.lock$|//|@\{")


def now() -> str:
    """The time as the Hub writes it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def write_atomically(path: Path, content: str) -> None:
    """Write beside, then rename: a reader sees the old file or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    beside.write_text(content, encoding="utf-8")
    beside.replace(path)


class Repository:
    """A data set or a model: ``info.json``, ``commits/OID.json``, ``refs/{heads,tags}/NAME``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lock = threading.RLock()

    @property
    def info(self) -> dict[str, Any]:
        content: dict[str, Any] = json.loads((self.folder / "info.json").read_text("utf-8"))
        return content

    def change_info(self, **values: Any) -> None:
        with self.lock:
            content = json.dumps(self.info | values, indent=2)
            write_atomically(self.folder / "info.json", content)

    @property
    def id(self) -> str:
        return f"{self.folder.parent.name}/{self.folder.name}"

    @property
    def kind(self) -> str:
        """``datasets`` or ``models``."""
        return self.folder.parent.parent.name

    def refs(self, kind: str) -> dict[str, str]:
        """Names of ``heads`` or ``tags`` and the commits they point to."""
        found = sorted((self.folder / "refs" / kind).glob("[!.]*"))
        return {unquote(path.name): path.read_text("utf-8") for path in found}

    def _ref(self, kind: str, name: str) -> Path:
        return self.folder / "refs" / kind / quote(name, safe="")

    def add_ref(self, kind: str, name: str, oid: str) -> None:
        """A new branch or tag; Refused with 409 where there is one, 400 for a bad name."""
        if not name or _BAD_REF.search(name):
            raise Refused(400, f"Invalid reference name: {name!r}", "BadRequest")
        with self.lock:
            if self._ref(kind, name).exists():
                raise Refused(409, f"Reference already exists: refs/{kind}/{name}", "Conflict")
            write_atomically(self._ref(kind, name), oid)

    def remove_ref(self, kind: str, name: str) -> None:
        with self.lock:
            if not self._ref(kind, name).exists():
                raise Refused(404, f"Reference does not exist: {name}", "RevisionNotFound")
            self._ref(kind, name).unlink()

    def resolve(self, revision: str) -> str:
        """The commit of a branch, a tag or a commit's own id; Refused with 404."""
        named = re.fullmatch(r"refs/(heads|tags)/(.+)", revision)
        looked = [named.groups()] if named else [("heads", revision), ("tags", revision)]
        for kind, name in looked:
            if self._ref(kind, name).is_file():
                return self._ref(kind, name).read_text("utf-8")
        if re.fullmatch("[0-9a-f]{40}", revision) and self._commit(revision).is_file():
            return revision
        raise Refused(404, f"Invalid rev id: {revision}", "RevisionNotFound")

    def _commit(self, oid: str) -> Path:
        return self.folder / "commits" / f"{oid}.json"

    def commit_of(self, oid: str) -> dict[str, Any]:
        content: dict[str, Any] = json.loads(self._commit(oid).read_text("utf-8"))
        return content

    def files(self, oid: str) -> dict[str, Entry]:
        found: dict[str, Entry] = self.commit_of(oid)["files"]
        return found

    def add_commit(
        self, branch: str, files: dict[str, Entry], *, title: str, message: str, user: str
    ) -> str:
        """Write a commit, then move the branch to it. The caller holds `lock`."""
        ref = self._ref("heads", branch)
        parent = ref.read_text("utf-8") if ref.is_file() else None
        content = json.dumps(
            {"title": title, "message": message, "user": user, "date": now(), "parent": parent,
             "files": dict(sorted(files.items()))}
        )  # fmt: skip
        seal = f"{self.id}\n{content}\n{time.time_ns()}\n{os.getpid()}"
        oid = hashlib.sha1(seal.encode()).hexdigest()  # noqa: S324
        write_atomically(self._commit(oid), content)
        write_atomically(ref, oid)
        return oid

    def history(self, oid: str) -> list[tuple[str, dict[str, Any]]]:
        """The commits from `oid` back to the first one."""
        found: list[tuple[str, dict[str, Any]]] = []
        step: str | None = oid
        while step:
            content = self.commit_of(step)
            found.append((step, content))
            step = content["parent"]
        return found
