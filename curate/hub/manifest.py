"""The manifest of a release: its configurations, and the hash, size and rows of every file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from curate.errors import InputError
from curate.hub.layout import MANIFEST, is_beside
from curate.sources.files import sha256_file

__all__ = [
    "SCHEMA", "describe_files", "is_release", "read_release_manifest", "release_files",
    "release_identity",
]  # fmt: skip

SCHEMA = 2
"""The form of the manifest itself; a folder with another one is refused."""

_HINT = "name a folder that `curate release build` made"


class _Config(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)
    file: str
    rows: int = Field(ge=0)
    kind: str
    columns: dict[str, str]


class _File(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)
    bytes: int = Field(ge=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    rows: int | None = Field(default=None, ge=0)


class _Language(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)
    name: str
    version: str
    coverage: float | None = None
    coverage_sentences: int | None = None
    coverage_corpus: str = ""
    reviewers: list[str] = []
    go: bool | None = None
    golden: int = 0
    golden_passed: int | None = None
    licence: str = ""


class _Checked(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)
    curate: str
    pairs: int = Field(ge=0)
    codes: dict[str, int]


class _Change(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)
    version: str
    date: str | None = None
    level: str = ""
    note: str = ""
    configs: dict[str, dict[str, Any]] = {}


class _Manifest(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)
    name: str
    version: str
    curate: str
    configs: dict[str, _Config]
    runs: dict[str, dict[str, Any]]
    lexicons: dict[str, str]
    files: dict[str, _File]
    about: dict[str, Any] = {}
    languages: dict[str, _Language] = {}
    checked: dict[str, _Checked] = {}
    reliability: dict[str, dict[str, Any]] = {}
    changes: list[_Change] = []


def release_files(folder: Path) -> list[str]:
    """Every file of a release but its manifest, relative, in order.

    Hidden files are left out, and the versions that a folder of published ones keeps.
    """
    paths = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return sorted(path.as_posix() for path in paths if not is_beside(path))


def describe_files(folder: Path) -> dict[str, dict[str, Any]]:
    """Bytes, SHA-256 and (of parquet) rows by relative path."""
    described: dict[str, dict[str, Any]] = {}
    for name in release_files(folder):
        path = folder / name
        described[name] = {"bytes": path.stat().st_size, "sha256": sha256_file(path)}
        if path.suffix == ".parquet":
            described[name]["rows"] = pq.read_metadata(path).num_rows
    return described


def release_identity(folder: Path) -> tuple[str, str] | None:
    """Name and version of the release in a folder, sound or not, of any form; None for no release.

    A folder counts as a release if its manifest names itself and lists files.
    """
    try:
        content = _json(Path(folder) / MANIFEST)
    except InputError:
        return None
    if "files" not in content or not {"name", "version"} <= content.keys():
        return None
    return str(content["name"]), str(content["version"])


def is_release(folder: Path) -> bool:
    """Whether the folder holds a release (sound or not)."""
    return release_identity(folder) is not None


def read_release_manifest(folder: Path) -> dict[str, Any]:
    """The content of ``manifest.json``; InputError where the folder is no release of this form."""
    path = Path(folder) / MANIFEST
    content = _json(path)
    if release_identity(folder) is None:
        raise InputError("not the manifest of a release", where=path, hint=_HINT)
    if content.get("schema") != SCHEMA:
        raise InputError(
            f"a release of form {content.get('schema')}; this version reads form {SCHEMA}",
            where=path,
            hint="build it again from its runs with `curate release build`",
        )
    try:
        _Manifest.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(step) for step in first["loc"])
        message = f"not the manifest of a release: {place}: {first['msg']}"
        raise InputError(message, where=path, hint=_HINT) from error
    return content


def _json(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise InputError("no manifest.json: this is no release", where=path.parent, hint=_HINT)
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise InputError("not JSON", where=path) from error
    if not isinstance(content, dict):
        raise InputError("not the manifest of a release", where=path, hint=_HINT)
    return content
