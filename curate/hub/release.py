"""Build a release folder from run folders: the same input gives the same bytes."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from curate import __version__
from curate.engine import write_json, write_parquet
from curate.errors import UsageError
from curate.hub.card import render_card
from curate.hub.layout import (
    CARD,
    DROPS_CONFIG,
    LEXICON_CONFIG,
    MANIFEST,
    config_schema,
    data_path,
)
from curate.hub.manifest import describe_files, is_release
from curate.hub.runs import Run, read_runs
from curate.hub.tables import drops_table, lexicon_table, lexicons_of
from curate.lexicon import Lexicon

__all__ = ["build_release"]

_VERSION = re.compile(r"\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.-]+)?")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}")


def build_release(
    runs: Iterable[Path],
    out: Path,
    *,
    name: str = "gender-minimal-pairs",
    version: str = "0.1.0",
    date: str | None = None,
) -> dict[str, Any]:
    """Lay out finished run folders as a release under `out`; returns its manifest.

    Nothing depends on the clock, on the order of `runs`, or on where they lie; `date` is written
    only if given. The release appears whole or not at all; an older release under `out` is
    replaced, any other folder that holds something is refused.

    Raises UsageError for a bad name or version, two runs of one configuration, or a lexicon that
    has changed since a run; InputError for a folder that holds no finished run.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} is no name for a data set", hint="letters, digits, . _ -")
    if not _VERSION.fullmatch(version):
        raise UsageError(f"{version!r} is no version", hint="three numbers, like 1.0.0")
    out = Path(out)
    if out.exists() and not (out.is_dir() and (is_release(out) or not any(out.iterdir()))):
        raise UsageError("this exists and is no release", where=out, hint="name another --out")
    found = read_runs(runs)
    lexicons = lexicons_of(found)
    out.parent.mkdir(parents=True, exist_ok=True)
    building = out.with_name(f".{out.name}.{os.getpid()}.building")
    shutil.rmtree(building, ignore_errors=True)
    try:
        manifest = _write(building, found, lexicons, name=name, version=version, date=date)
        _put_in_place(building, out)
    finally:
        shutil.rmtree(building, ignore_errors=True)
    return manifest


def _write(
    folder: Path,
    runs: Sequence[Run],
    lexicons: Sequence[Lexicon],
    *,
    name: str,
    version: str,
    date: str | None,
) -> dict[str, Any]:
    tables: dict[str, pa.Table] = {run.config: run.pairs for run in runs}
    tables[DROPS_CONFIG] = drops_table(runs)
    tables[LEXICON_CONFIG] = lexicon_table(lexicons)
    for config, table in tables.items():
        path = folder / data_path(config)
        path.parent.mkdir(parents=True)
        write_parquet(path, config_schema(config), [table])
    card = render_card(runs, lexicons, name=name, version=version, date=date)
    (folder / CARD).write_text(card, encoding="utf-8")
    manifest: dict[str, Any] = {
        "name": name,
        "version": version,
        "curate": __version__,
        "schema": 1,
        "configs": {
            config: {"file": data_path(config), "rows": table.num_rows}
            for config, table in tables.items()
        },
        "runs": {run.config: _run_entry(run) for run in runs},
        "lexicons": {lexicon.lang: lexicon.version for lexicon in lexicons},
        "files": describe_files(folder),
    }
    if date:
        manifest["date"] = date
    write_json(folder / MANIFEST, manifest)
    return manifest


def _run_entry(run: Run) -> dict[str, Any]:
    """A run's settings and seed, with the models that filled its masks."""
    models = sorted(
        {
            (fill["model"], fill["revision"])
            for fill in run.pairs.column("fill").to_pylist()
            if fill is not None
        }
    )
    return {
        **run.manifest,
        "models": [{"model": model, "revision": revision} for model, revision in models],
        "pairs": run.pairs.num_rows,
        "drops": run.drops.num_rows,
        "stats": run.stats,
    }


def _put_in_place(building: Path, out: Path) -> None:
    """Rename the finished folder to `out`; an older release gives way only then."""
    old = out.with_name(f".{out.name}.{os.getpid()}.old")
    if out.exists():
        out.rename(old)
    try:
        building.rename(out)
    except OSError:
        if old.exists():
            old.rename(out)
        raise
    shutil.rmtree(old, ignore_errors=True)
