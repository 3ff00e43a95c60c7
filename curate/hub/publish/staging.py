"""A copy of a release with its version stamped in: what is published, byte for byte."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from curate.engine import write_json
from curate.errors import InputError
from curate.hub.documents import write_documents
from curate.hub.layout import MANIFEST
from curate.hub.manifest import describe_files, release_files

__all__ = ["stage_release"]

_DATA = "data/"


def stage_release(
    folder: Path,
    into: Path,
    manifest: Mapping[str, Any],
    *,
    version: str,
    date: str | None,
    repository: str | None,
    changes: list[dict[str, Any]],
) -> dict[str, Any]:
    """Lay the release out anew under `into` and return its manifest.

    The data is linked, not copied, where the file system can; the documents are written again
    from it, with `version`, `date`, `repository` and `changes`. Raises InputError where the data is
    not that of the manifest any more.
    """
    stamped = {key: value for key, value in manifest.items() if key not in {"files", "date"}}
    stamped |= {"version": version, "changes": changes}
    stamped.pop("repository", None)
    if repository:
        stamped["repository"] = repository
    if date:
        stamped["date"] = date
    for name in release_files(folder):
        if name.startswith(_DATA):
            _link(folder / name, into / name)
    write_documents(into, stamped)
    whole = {**stamped, "files": describe_files(into)}
    _must_be_as_checked(manifest["files"], whole["files"], folder)
    write_json(into / MANIFEST, whole)
    return whole


def _must_be_as_checked(before: Mapping[str, Any], now: Mapping[str, Any], folder: Path) -> None:
    """Somebody may build anew into the folder while it is being published."""
    for name in sorted(name for name in before.keys() | now.keys() if name.startswith(_DATA)):
        facts = before.get(name, {}), now.get(name, {})
        if facts[0].get("sha256") != facts[1].get("sha256"):
            raise InputError(
                "changed while it was being published", where=folder / name,
                hint="run the same command again, when nobody builds there",
            )  # fmt: skip


def _link(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source, target)
    except OSError:  # another file system, or one without links
        shutil.copyfile(source, target)
