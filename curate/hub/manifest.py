"""The manifest of a release: the hash, size and rows of every file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from curate.errors import InputError
from curate.hub.layout import MANIFEST
from curate.sources.files import sha256_file

__all__ = ["describe_files", "is_release", "read_release_manifest", "release_files"]

_NEEDED = ("name", "version", "configs", "runs", "lexicons", "files")


def release_files(folder: Path) -> list[str]:
    """Every file of a release but its manifest, relative, in order; hidden ones are left out."""
    paths = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return sorted(
        path.as_posix()
        for path in paths
        if path.as_posix() != MANIFEST and not any(part.startswith(".") for part in path.parts)
    )


def describe_files(folder: Path) -> dict[str, dict[str, Any]]:
    """Bytes, SHA-256 and (of parquet) rows by relative path."""
    described: dict[str, dict[str, Any]] = {}
    for name in release_files(folder):
        path = folder / name
        described[name] = {"bytes": path.stat().st_size, "sha256": sha256_file(path)}
        if path.suffix == ".parquet":
            described[name]["rows"] = pq.read_metadata(path).num_rows
    return described


def is_release(folder: Path) -> bool:
    """Whether the folder holds a release (sound or not)."""
    try:
        read_release_manifest(folder)
    except InputError:
        return False
    return True


def read_release_manifest(folder: Path) -> dict[str, Any]:
    """The content of ``manifest.json``; InputError where the folder is no release."""
    path = Path(folder) / MANIFEST
    hint = "name a folder that `curate release build` made"
    if not path.is_file():
        raise InputError("no manifest.json: this is no release", where=folder, hint=hint)
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError("not JSON", where=path) from error
    missing = [key for key in _NEEDED if not isinstance(content, dict) or key not in content]
    if missing:
        raise InputError(f"not the manifest of a release: no {missing[0]}", where=path, hint=hint)
    return dict(content)
