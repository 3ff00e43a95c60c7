"""The tables of words that a study is given, each once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from curate import schema
from curate.errors import InputError
from curate.sources.files import sha256_file
from curate.sources.tables import read_parquet_schema

__all__ = ["WORDS_FILE", "distinct_files", "word_files"]

WORDS_FILE = "words.parquet"


def word_files(paths: Iterable[Path]) -> list[Path]:
    """The tables that `paths` name: files, or folders that hold ``words.parquet``; each once."""
    found = []
    for path in paths:
        inner = sorted(path.rglob(WORDS_FILE)) if path.is_dir() else [path]
        if not inner:
            raise InputError(
                f"no {WORDS_FILE} in this folder", where=path, hint="name what words were written"
            )
        found += inner
    found = list({path.resolve(): path for path in reversed(found)}.values())[::-1]
    for path in found:
        missing = set(schema.POLITICIAN_WORDS.names) - set(read_parquet_schema(path).names)
        if missing:
            raise InputError(f"no column {', '.join(sorted(map(repr, missing)))}", where=path)
    return found


def distinct_files(files: Sequence[Path]) -> tuple[list[Path], list[str]]:
    """The files of different content, and the names of those whose content another has."""
    kept: dict[str, Path] = {}
    twice = []
    sizes = [path.stat().st_size for path in files]
    for path, size in zip(files, sizes, strict=True):
        # only a file of the same size can be the same: a table of the paper's size is large
        key = sha256_file(path) if sizes.count(size) > 1 else str(path)
        if key in kept:
            twice.append(f"{kept[key].parent.name}/{path.name}")
        kept.setdefault(key, path)
    return list(kept.values()), twice
