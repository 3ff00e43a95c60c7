"""Sizes over which a file or folder cannot be published."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from curate.hub.check.problem import Problem, problem

__all__ = ["LIMITS", "Limits", "check_limits"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Bytes and counts, all inclusive.

    `data_bytes`: files over 50 GB are refused by `huggingface_hub` on plain downloads, and were by
    the Hub on uploads. `text_bytes`: a text that is kept in git itself, as the card must be, is
    refused over 10 MiB. `folder_entries`, `files`: what the Hub's guide to large repositories
    asks for.
    """

    data_bytes: int = 50 * 1000**3
    text_bytes: int = 10 * 1024**2
    folder_entries: int = 10_000
    files: int = 100_000


LIMITS = Limits()


def check_limits(sizes: Mapping[str, int], limits: Limits | None = None) -> Iterator[Problem]:
    """Findings on files by relative path with their bytes; None: held to `LIMITS`."""
    limits = limits or LIMITS
    for name, size in sorted(sizes.items()):
        most = limits.data_bytes if name.endswith(".parquet") else limits.text_bytes
        if size > most:
            yield problem(name, "file-too-large", f"{size:,} bytes, {most:,} at most")
    folders = Counter(PurePosixPath(name).parent.as_posix() for name in sizes)
    for folder, count in sorted(folders.items()):
        if count > limits.folder_entries:
            message = f"{count:,} files in a folder, {limits.folder_entries:,} at most"
            yield problem(folder, "too-many-files", message)
    if len(sizes) > limits.files:
        yield problem(".", "too-many-files", f"{len(sizes):,} files, {limits.files:,} at most")
