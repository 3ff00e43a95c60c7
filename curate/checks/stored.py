"""Verdicts kept beside the pairs that they are about."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from curate import __version__, schema
from curate.engine import write_parquet
from curate.errors import InputError
from curate.sources.files import sha256_file
from curate.sources.tables import read_parquet_schema

__all__ = ["VERDICTS_FILE", "Stamp", "read_stamp", "write_verdicts"]

VERDICTS_FILE = "verdicts.parquet"
_KEY = b"curate.verdicts"


@dataclass(frozen=True, slots=True)
class Stamp:
    """Which pairs verdicts are about: the version that checked, the rows, the SHA-256 of the file.

    A table of verdicts holds findings only, so it cannot tell by itself that nothing was found.
    """

    curate: str
    pairs: int
    pairs_sha256: str


def write_verdicts(verdicts: pa.Table, pairs: Path) -> Path:
    """Write all verdicts on a file of pairs beside it, stamped; returns where. Whole or not at all.

    `verdicts` is a table of `schema.VERDICTS` on every row of `pairs`, notes among them.
    """
    rows = pq.read_metadata(pairs).num_rows
    stamp = Stamp(__version__, rows, sha256_file(pairs))
    text = json.dumps(asdict(stamp), sort_keys=True).encode()
    path = pairs.with_name(VERDICTS_FILE)
    columns = schema.VERDICTS.with_metadata({_KEY: text})
    write_parquet(path, columns, [verdicts.cast(columns)])
    return path


def read_stamp(path: Path) -> Stamp | None:
    """The stamp of a file of verdicts; None where it has none. InputError for no parquet file."""
    text = (read_parquet_schema(path).metadata or {}).get(_KEY)
    if text is None:
        return None
    try:
        found = json.loads(text)
        return Stamp(str(found["curate"]), int(found["pairs"]), str(found["pairs_sha256"]))
    except (ValueError, KeyError, TypeError) as error:
        raise InputError("a stamp that cannot be read", where=path) from error
