"""The folder of the server: contents by their hash, and the repositories."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
import shutil
import threading
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.hub_server.answers import Refused
from tests.hub_server.repository import Entry, Repository, now, write_atomically

__all__ = ["ATTRIBUTES", "KINDS", "Store"]

KINDS = ("datasets", "models")
ATTRIBUTES = b"*.parquet filter=lfs diff=lfs merge=lfs -text\n"
_NAME = re.compile(r"(?!.*(--|\.\.|\.git$))[\w-][\w.-]{0,94}[\w-]|\w", re.ASCII)


class Store:
    """Blobs under ``blobs/SHA256``, repositories under ``repos/KIND/NAMESPACE/NAME``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("blobs", "incoming"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        if not (folder / "secret").exists():
            write_atomically(folder / "secret", secrets.token_hex(16))
        self._secret = (folder / "secret").read_bytes()
        self._lock = threading.Lock()
        self._open: dict[Path, Repository] = {}

    def sign(self, text: str) -> str:
        """What an address that needs no token carries instead of one."""
        return hmac.new(self._secret, text.encode(), "sha256").hexdigest()[:32]

    def blob(self, sha256: str) -> Path:
        return self.folder / "blobs" / sha256

    def receive(self, chunks: Iterator[bytes]) -> tuple[str, int, Path]:
        """Write a stream to a file of its own: its SHA-256, its size and where it lies."""
        digest, size = hashlib.sha256(), 0
        path = self.folder / "incoming" / uuid.uuid4().hex
        try:
            with path.open("wb") as stream:
                for chunk in chunks:
                    digest.update(chunk)
                    size += len(chunk)
                    stream.write(chunk)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        return digest.hexdigest(), size, path

    def add(self, content: bytes) -> Entry:
        """Keep a small file."""
        sha256, size, path = self.receive(iter([content]))
        path.replace(self.blob(sha256))
        head = b"blob %d\0" % size
        oid = hashlib.sha1(head + content).hexdigest()  # noqa: S324
        return {"oid": oid, "size": size, "sha256": sha256, "lfs": False}

    def large(self, sha256: str) -> Entry:
        """The entry of a large file whose content is here already; its `oid` is the pointer's."""
        size = self.blob(sha256).stat().st_size
        pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{sha256}\nsize {size}\n"
        head = f"blob {len(pointer)}\0".encode()
        oid = hashlib.sha1(head + pointer.encode()).hexdigest()  # noqa: S324
        return {"oid": oid, "size": size, "sha256": sha256, "lfs": True, "pointer": len(pointer)}

    def find(self, kind: str, repo: str) -> Repository | None:
        if kind not in KINDS or not all(_NAME.fullmatch(part) for part in repo.split("/")):
            return None
        folder = self.folder / "repos" / kind / repo
        if not (folder / "info.json").is_file():
            return None
        with self._lock:
            return self._open.setdefault(folder, Repository(folder))

    def repositories(self, kind: str) -> list[Repository]:
        found = sorted((self.folder / "repos" / kind).glob("*/*/info.json"))
        names = ["/".join(path.parts[-3:-1]) for path in found]
        return [repo for name in names if (repo := self.find(kind, name)) is not None]

    def create(self, kind: str, repo: str, *, private: bool, user: str) -> Repository | None:
        """A repository with its first commit, or None where there is one of that name.

        ``info.json`` is written last and makes it exist.
        """
        if kind not in KINDS or not all(_NAME.fullmatch(part) for part in repo.split("/")):
            raise Refused(400, f"Invalid repo name: {repo}", "BadRequest")
        folder = self.folder / "repos" / kind / repo
        with self._lock:
            if (folder / "info.json").is_file():
                return None
            made = Repository(folder)
            files = {".gitattributes": self.add(ATTRIBUTES)}
            made.add_commit("main", files, title="initial commit", message="", user=user)
            info: dict[str, Any] = {
                "private": private, "gated": False, "created": now(), "granted": []
            }  # fmt: skip
            write_atomically(folder / "info.json", json.dumps(info, indent=2))
            return self._open.setdefault(folder, made)

    def delete(self, repo: Repository) -> None:
        with self._lock, repo.lock:
            self._open.pop(repo.folder, None)
            gone = self.folder / "incoming" / uuid.uuid4().hex
            repo.folder.rename(gone)
            shutil.rmtree(gone)
