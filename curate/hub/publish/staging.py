"""A copy of a release with its version stamped in: what is published, byte for byte."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from curate.engine import write_json
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
    from it, with `version`, `date`, `repository` and `changes`.
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
    write_json(into / MANIFEST, whole)
    return whole


def _link(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source, target)
    except OSError:  # another file system, or one without links
        shutil.copyfile(source, target)
