"""Tables of words beside names, as `politicians words` writes them, but small."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from curate import schema

__all__ = ["row", "table"]


def row(qid: str, gender: str, lemma: str, **other: Any) -> dict[str, Any]:
    """A word beside the name of a person."""
    return {
        "qid": qid, "lang": "en", "gender": gender, "upos": "ADJ", "position": "before",
        "rank": 1, "word": lemma, "lemma": lemma, "probability": 0.1, "model": "m",
        "revision": "r", **other,
    }  # fmt: skip


def table(path: Path, rows: list[dict[str, Any]]) -> Path:
    """A folder with these rows."""
    path.mkdir(parents=True, exist_ok=True)
    held = pa.Table.from_pylist(rows, schema=schema.POLITICIAN_WORDS)
    pq.write_table(held, path / "words.parquet")
    return path
