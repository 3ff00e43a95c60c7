"""What the scored pairs are called, and which version of them it was."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa

from curate import schema
from curate.scoring.run import Dataset

__all__ = ["describe_dataset"]

_CONTENT = ("lang", "masculine", "feminine", "folds")


def describe_dataset(
    path: Path, table: pa.Table, *, published: tuple[str, str] | None = None
) -> Dataset:
    """A release's own name and version; for anything else its file name and a content hash.

    `published` is the repository and the tag of what was read from the Hub: these are its names.
    """
    if published is not None:
        return Dataset(*published)
    path = Path(path)
    manifest = path / "manifest.json"
    if manifest.is_file():
        content = json.loads(manifest.read_text(encoding="utf-8"))
        if isinstance(content, dict) and {"name", "version", "configs"} <= set(content):
            return Dataset(str(content["name"]), str(content["version"]))
    known = table.select([name for name in _CONTENT if name in table.schema.names])
    return Dataset(path.resolve().name, f"sha256:{schema.table_hash(known)[:16]}")
