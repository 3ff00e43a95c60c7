"""Run folders of pairs: one configuration a language and method."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from curate import schema
from curate.errors import InputError
from curate.hub.building.parquet import read_columns, rows_of, stream
from curate.hub.building.part import Part, checked_config, public, read_json
from curate.hub.building.verdicts import read_verdicts
from curate.hub.layout import PAIRS, pair_config
from curate.sources.files import sha256_file

__all__ = ["PAIRS_FILE", "read_run"]

PAIRS_FILE, DROPS_FILE = "pairs.parquet", "drops.parquet"

_KEPT = ("method", "lang", "curate", "stage", "config", "config_hash", "input", "seed", "folds")
_KEYS = ("lang", "method", "lexicon_version")
_MODEL = ("model", "revision")


def read_run(folder: Path) -> Iterator[Part]:
    """The configuration of a finished run of `curate pairs`.

    Raises InputError where the run is not finished, a file was changed after it, the pairs are of
    another language or method than the run says, or its verdicts hold errors.
    """
    manifest = read_json(folder / "manifest.json")
    stats = read_json(folder / "stats.json")
    pairs, drops = folder / PAIRS_FILE, folder / DROPS_FILE
    for path in (pairs, drops):
        _must_be_unchanged(path, manifest)
    keys = _distinct(pairs, _KEYS) or {(manifest.get("lang"), manifest.get("method"), None)}
    if {key[:2] for key in keys} != {(manifest.get("lang"), manifest.get("method"))}:
        raise InputError("pairs of another language or method than the manifest says", where=folder)
    lang, method = str(manifest["lang"]), str(manifest["method"])
    models = sorted(_distinct(pairs, _MODEL, inside="fill"))
    about: dict[str, Any] = {
        **{name: public(manifest[name]) for name in _KEPT if name in manifest},
        "models": [dict(zip(_MODEL, model, strict=True)) for model in models],
        "pairs": rows_of(pairs),
        "drops": rows_of(drops),
        "stats": public(stats),
    }
    yield Part(
        config=checked_config(pair_config(lang, method), lang, where=folder),
        kind=PAIRS,
        lang=lang,
        method=method,
        folder=folder,
        tables=lambda: stream(pairs, schema.PAIRS),
        about=about,
        drops=drops,
        lexicons=frozenset(str(key[2]) for key in keys if key[2] is not None),
        checked=read_verdicts(folder, pairs),
    )


def _must_be_unchanged(path: Path, manifest: dict[str, Any]) -> None:
    """A run says the hash of what it wrote; a table that was mended by hand is no run's any more.

    A manifest that lists no files says nothing of them.
    """
    files = manifest.get("files")
    entry = files.get(path.name) if isinstance(files, dict) else None
    said = entry.get("sha256") if isinstance(entry, dict) else None
    if not path.is_file():
        raise InputError("missing: the run is not finished", where=path)
    if said is not None and said != sha256_file(path):
        raise InputError(
            "changed since the run wrote it", where=path,
            hint="make the pairs again with --restart",
        )  # fmt: skip


def _distinct(path: Path, names: tuple[str, ...], *, inside: str = "") -> set[tuple[Any, ...]]:
    """The different values of some columns together (`inside`: fields of a column of structs)."""
    found: set[tuple[Any, ...]] = set()
    wanted = [f"{inside}.{name}" for name in names] if inside else list(names)
    for table in read_columns(path, wanted):
        own = _fields(table, inside, names) if inside else table
        for row in own.group_by(list(names)).aggregate([]).to_pylist():
            found.add(tuple(row[name] for name in names))
    return found


def _fields(table: pa.Table, column: str, names: tuple[str, ...]) -> pa.Table:
    """Fields of a column of structs as a table; rows without one are left out."""
    structs = table.column(column)
    structs = structs.filter(pc.is_valid(structs))
    return pa.table({name: pc.struct_field(structs, name) for name in names})
