"""Read the run folders that a release is made of."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

import pyarrow as pa

from curate import schema
from curate.errors import InputError, UsageError
from curate.hub.layout import pair_config
from curate.sources.tables import read_parquet

__all__ = ["Run", "read_runs"]

_KEPT = ("method", "lang", "curate", "stage", "config", "config_hash", "input", "seed", "folds")


@dataclass(frozen=True)
class Run:
    """One finished run: its tables, its counts and what it was made with.

    `pairs` is `schema.PAIRS` in order of pair id, `drops` is `schema.DROPS` in order of corpus row.
    """

    lang: str
    method: str
    pairs: pa.Table
    drops: pa.Table
    stats: dict[str, Any]
    manifest: dict[str, Any]

    @property
    def config(self) -> str:
        return pair_config(self.lang, self.method)


def read_runs(folders: Iterable[Path]) -> list[Run]:
    """The runs in order of language and method.

    Raises InputError for a folder that holds no finished run, UsageError for two runs of one
    language and method.
    """
    runs = sorted((_read(Path(folder)) for folder in folders), key=lambda run: run.config)
    if not runs:
        raise UsageError("a release needs a run folder", hint="curate pairs lsg … --out DIR")
    for first, second in itertools.pairwise(runs):
        if first.config == second.config:
            raise UsageError(
                f"two runs are {first.config}", hint="a release holds one run a language and method"
            )
    return runs


def _read(folder: Path) -> Run:
    if not (folder / "pairs.parquet").is_file():
        raise InputError(
            "no pairs.parquet here", where=folder, hint="name a run folder of `curate pairs`"
        )
    manifest = _json(folder / "manifest.json")
    pairs = _table(folder / "pairs.parquet", schema.PAIRS).sort_by("pair_id")
    drops = _table(folder / "drops.parquet", schema.DROPS)
    keys = {(manifest.get("lang"), manifest.get("method"))}
    keys |= set(zip(*(pairs.column(name).to_pylist() for name in ("lang", "method")), strict=True))
    if len(keys) != 1:
        raise InputError("pairs of another language or method than the manifest says", where=folder)
    return Run(
        lang=str(manifest["lang"]),
        method=str(manifest["method"]),
        pairs=pairs,
        drops=drops,
        stats=_json(folder / "stats.json"),
        manifest={name: _public(manifest[name]) for name in _KEPT if name in manifest},
    )


def _table(path: Path, wanted: pa.Schema) -> pa.Table:
    table = read_parquet(path, wanted=wanted.names)
    try:
        return table.cast(wanted)
    except (pa.ArrowInvalid, ValueError) as error:
        raise InputError(f"other columns than ours ({error})", where=path) from error


def _json(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise InputError(
            "missing: the run is not finished", where=path, hint="run the same command again"
        ) from error
    except ValueError as error:
        raise InputError("not JSON", where=path) from error
    if not isinstance(content, dict):
        raise InputError("not a JSON object", where=path)
    return content


def _public(value: Any) -> Any:
    """A setting without the folders of the machine it was made on: a path keeps its last name."""
    if isinstance(value, dict):
        return {key: _public(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_public(inner) for inner in value]
    if isinstance(value, str) and (value.startswith(("/", "~", "./", "../")) or "\\" in value):
        return PurePath(value.replace("\\", "/")).name
    return value
