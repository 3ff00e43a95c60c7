"""What the tests of corpora share: a corpus as one table, and its drops by row."""

from __future__ import annotations

import gzip
import lzma
from pathlib import Path

import pyarrow as pa

from curate.sources import admit, read_corpus

__all__ = ["drops_of", "table_of", "texts_of", "written"]


def written(path: Path, data: bytes) -> Path:
    """Write a file, compressed as its suffix says."""
    if path.suffix == ".gz":
        data = gzip.compress(data)
    elif path.suffix == ".xz":
        data = lzma.compress(data)
    path.write_bytes(data)
    return path


def table_of(spec: Path | str, **options: object) -> pa.Table:
    return pa.concat_tables(read_corpus(spec, lang="xx", **options))  # type: ignore[arg-type]


def texts_of(table: pa.Table) -> list[str]:
    return list(admit(table)[0].column("text").to_pylist())


def drops_of(table: pa.Table) -> dict[int, tuple[str, str]]:
    """Code and detail by row."""
    drops = admit(table)[1].to_pylist()
    return {drop["row"]: (drop["code"], drop["detail"]) for drop in drops}
