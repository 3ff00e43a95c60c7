"""The folder that `curate occupations build` writes, and reading it again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from curate import schema
from curate.engine import write_json, write_parquet
from curate.errors import InputError, UsageError
from curate.occupations.build import Built
from curate.sources.tables import read_parquet

__all__ = ["MANIFEST", "OccupationTable", "read_table", "write_table"]

LONG = "occupations.parquet"
WIDE = "wide.parquet"
DROPS = "drops.parquet"
STATS = "stats.json"
MANIFEST = "manifest.json"


@dataclass(frozen=True)
class OccupationTable:
    """What a folder holds: `schema.OCCUPATIONS`, the wide table, `schema.DROPS`, the manifest."""

    long: pa.Table
    wide: pa.Table
    drops: pa.Table
    manifest: dict[str, Any]

    @property
    def lang(self) -> str:
        return str(self.manifest["lang"])

    @property
    def version(self) -> str:
        """The hash of the long table, as scores of it name it."""
        return f"sha256:{self.manifest['tables']['occupations'][:16]}"

    @property
    def columns(self) -> list[str]:
        """The subjects of the wide table: ``he``, ``she``, then occupations and their forms."""
        return list(self.wide.schema.names[len(schema.OCCUPATION_PLACES) :])


def write_table(built: Built, out: Path, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Write the tables, ``stats.json`` and, last, ``manifest.json``; what the manifest says.

    `settings` say how the tables were made: they must hold ``lang``.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"no folder to write to ({error.strerror})", where=out) from error
    (out / MANIFEST).unlink(missing_ok=True)  # without it the folder is not whole
    write_parquet(out / LONG, schema.OCCUPATIONS, [built.long])
    write_parquet(out / WIDE, built.wide.schema, [built.wide])
    write_parquet(out / DROPS, schema.DROPS, [built.drops])
    write_json(out / STATS, built.counts)
    manifest = {
        **settings,
        "counts": built.counts,
        "tables": {
            "occupations": schema.table_hash(built.long),
            "wide": schema.table_hash(built.wide),
            "drops": schema.table_hash(built.drops),
        },
    }
    write_json(out / MANIFEST, manifest)
    return manifest


def read_table(folder: Path) -> OccupationTable:
    """Read what `write_table` wrote. Raises InputError for a folder that is not such a one."""
    folder = Path(folder)
    path = folder / MANIFEST
    if not path.is_file():
        raise InputError(
            f"no {MANIFEST} here: no table of occupations, or one that was cut off",
            where=folder,
            hint="curate occupations build --lang LANG --sts FILE --out DIR",
        )
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        tables = dict(manifest["tables"])
        lang = manifest["lang"]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"not a manifest of occupations ({error})", where=path) from error
    found = {name: read_parquet(folder / file) for name, file in _FILES.items()}
    for name, table in found.items():
        if schema.table_hash(table) != tables.get(name):
            raise InputError(
                f"not the table that {MANIFEST} names",
                where=folder / _FILES[name],
                hint=f"build it again for {lang}",
            )
    return OccupationTable(found["occupations"], found["wide"], found["drops"], manifest)


_FILES = {"occupations": LONG, "wide": WIDE, "drops": DROPS}
