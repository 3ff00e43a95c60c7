"""Count a configuration's parquet file in one pass, by batches, whatever its size."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from curate.errors import InputError
from curate.hub.card.pair_counts import CrowsCounter, PairCounter
from curate.hub.card.shapes import (
    CrowsFacts,
    DropFacts,
    LexiconFacts,
    PairFacts,
    PeopleFacts,
    SourceFacts,
)
from curate.hub.card.table_counts import DropCounter, LexiconCounter, PeopleCounter
from curate.hub.card.tallies import Tally

__all__ = ["Counted", "config_path", "count_config"]

_MOST_ROWS = 65_536  # in a batch

# The kind of a configuration whose manifest does not say it, by columns that only it has.
_KINDS = (
    ("crows", {"sent_more", "sent_less"}),
    ("pairs", {"masculine", "feminine", "folds"}),
    ("politicians", {"qid", "gender_qids", "gender"}),
    ("occupations", {"occupation", "subject", "source_text"}),
    ("drops", {"stage", "code", "detail"}),
    ("lexicon", {"pair", "upos", "feats"}),
)


class _Counter(Protocol):
    def add(self, batch: pa.RecordBatch) -> None: ...


@dataclass
class Counted:
    """What one file holds; only the parts of its kind are set."""

    name: str
    kind: str
    file: str
    schema: pa.Schema
    rows: int
    file_bytes: int
    memory_bytes: int = 0
    langs: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    sources: tuple[SourceFacts, ...] = ()
    pairs: PairFacts | None = None
    crows: CrowsFacts | None = None
    people: PeopleFacts | None = None
    drops_by_run: dict[tuple[str, str], DropFacts] = field(default_factory=dict)
    lexicons: dict[str, LexiconFacts] = field(default_factory=dict)


def config_path(folder: Path, name: str, entry: Mapping[str, Any]) -> Path:
    """The file of a configuration; InputError where the manifest names none inside the release."""
    file = entry.get("file")
    parts = PurePosixPath(file).parts if isinstance(file, str) else ()
    if not parts or parts[0] == "/" or ".." in parts or "\\" in str(file):
        raise InputError(f"{name} has no file inside the release", where="manifest.json")
    return folder.joinpath(*parts)


def count_config(folder: Path, name: str, entry: Mapping[str, Any]) -> Counted:
    """Everything that is printed of one configuration; `entry` is its part of the manifest.

    Raises InputError for a file that is missing or no parquet file, or that lacks a column which
    its kind needs.
    """
    path = config_path(folder, name, entry)
    try:
        status = path.stat()
        identity = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
        return _counted(path, name, str(entry["file"]), str(entry.get("kind") or ""), identity)
    except (pa.ArrowInvalid, OSError) as error:
        reason = "missing" if not path.is_file() else str(error).splitlines()[0]
        raise InputError(f"{name} cannot be read: {reason}", where=entry["file"]) from error
    except KeyError as error:
        raise InputError(f"{name} has no column {error}", where=entry["file"]) from error


# Five documents are written of one release, each from the facts: the files are read once.
@lru_cache(maxsize=512)
def _counted(path: Path, name: str, file: str, kind: str, _identity: tuple[int, ...]) -> Counted:
    """Count the file; `_identity` changes where its content does."""
    with pq.ParquetFile(path) as parquet:
        schema = parquet.schema_arrow.remove_metadata()
        counted = Counted(
            name=name,
            kind=kind or _kind(schema),
            file=file,
            schema=schema,
            rows=parquet.metadata.num_rows,
            file_bytes=path.stat().st_size,
        )
        _count(parquet, counted)
    return counted


def _kind(schema: pa.Schema) -> str:
    names = set(schema.names)
    return next((kind for kind, columns in _KINDS if columns <= names), "other")


def _count(file: pq.ParquetFile, counted: Counted) -> None:
    origins = {
        key: Tally(*(part for part in parts if part in counted.schema.names))
        for key, parts in (("langs", ["lang"]), ("methods", ["method"]))
        if parts[0] in counted.schema.names
    }
    if {"source", "licence"} <= set(counted.schema.names):
        origins["sources"] = Tally("source", "licence")
    counter = _counter(counted.kind)
    for batch in _batches(file):
        counted.memory_bytes += batch.nbytes
        for tally in origins.values():
            tally.add(batch)
        if counter is not None:
            counter.add(batch)
    found = {key: sorted(tally.counts.items()) for key, tally in origins.items()}
    counted.langs = tuple(lang for (lang,), _ in found.get("langs", ()))
    counted.methods = tuple(method for (method,), _ in found.get("methods", ()))
    counted.sources = tuple(
        SourceFacts(source, licence, rows) for (source, licence), rows in found.get("sources", ())
    )
    _keep(counter, counted)


def _counter(kind: str) -> _Counter | None:
    counters: dict[str, type[_Counter]] = {
        "pairs": PairCounter,
        "crows": CrowsCounter,
        "politicians": PeopleCounter,
        "drops": DropCounter,
        "lexicon": LexiconCounter,
    }
    return counters[kind]() if kind in counters else None


def _keep(counter: _Counter | None, counted: Counted) -> None:
    if isinstance(counter, PairCounter):
        counted.pairs = counter.facts()
    elif isinstance(counter, CrowsCounter):
        counted.crows = counter.facts()
    elif isinstance(counter, PeopleCounter):
        counted.people = counter.facts()
    elif isinstance(counter, DropCounter):
        counted.drops_by_run = counter.facts()
    elif isinstance(counter, LexiconCounter):
        counted.lexicons = counter.facts()


def _batches(file: pq.ParquetFile) -> Iterator[pa.RecordBatch]:
    """Row groups, in the pieces in which `datasets` reads them: so sizes in memory agree."""
    groups = file.metadata.num_row_groups
    size = min(file.metadata.row_group(0).num_rows, _MOST_ROWS) if groups else 0
    for group in range(groups):
        if file.metadata.row_group(group).num_rows:
            yield from file.iter_batches(batch_size=size or _MOST_ROWS, row_groups=[group])
