"""Folders of `curate occupations build`: a configuration a language, ``sv-occupations``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from curate import schema
from curate.errors import InputError
from curate.hub.building.parquet import stream
from curate.hub.building.part import Part, checked_config, public, read_json
from curate.hub.layout import OCCUPATIONS, pair_config

__all__ = ["OCCUPATIONS_FILE", "read_occupations"]

OCCUPATIONS_FILE = "occupations.parquet"
_DROPS, _MANIFEST = "drops.parquet", "manifest.json"
_AGAIN = "curate occupations build makes such a folder"


def read_occupations(folder: Path) -> Iterator[Part]:
    """The long table of a finished folder; the wide one says the same and stays behind.

    Raises InputError where the folder is not finished, was changed since, or is of another
    language than it says.
    """
    record = read_json(folder / _MANIFEST, hint=_AGAIN)
    path, drops = folder / OCCUPATIONS_FILE, folder / _DROPS
    table = _unchanged(path, record, OCCUPATIONS, schema.OCCUPATIONS)
    _unchanged(drops, record, "drops", schema.DROPS)
    lang = str(record.get("lang"))
    if set(table.column("lang").unique().to_pylist()) - {lang}:
        raise InputError(f"rows of another language than {lang!r}", where=path)
    settings = {name: value for name, value in record.items() if name not in {"counts", "tables"}}
    yield Part(
        config=checked_config(pair_config(lang, OCCUPATIONS), lang, where=folder),
        kind=OCCUPATIONS,
        lang=lang,
        method=OCCUPATIONS,
        folder=folder,
        tables=lambda: stream(path, schema.OCCUPATIONS),
        about={
            "lang": lang, "method": OCCUPATIONS, "config": public(settings),
            "stats": public(record.get("counts", {})),
        },
        drops=drops,
    )  # fmt: skip


def _unchanged(path: Path, record: dict[str, object], name: str, columns: pa.Schema) -> pa.Table:
    """The table in a file; InputError where it is not the one that the record names."""
    hashes = record.get("tables")
    if not path.is_file() or not isinstance(hashes, dict):
        raise InputError("missing: the table is not finished", where=path, hint=_AGAIN)
    table = pa.concat_tables([columns.empty_table(), *stream(path, columns)])
    if hashes.get(name) != schema.table_hash(table):
        raise InputError("changed since it was built", where=path, hint="build it again")
    return table
