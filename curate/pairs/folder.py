"""The manifest of a run folder: what was run on what, and the hash of every file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from curate.engine import read_json, settled
from curate.errors import UsageError
from curate.sources import changed_parts
from curate.sources.files import sha256_file

__all__ = ["MANIFEST", "STATS", "Manifest", "file_entries", "read_manifest", "refuse_another"]

MANIFEST, STATS = "manifest.json", "stats.json"
_SETTINGS = ("method", "lang", "stage", "config", "input", "seed", "folds", "near")


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """What a run depends on; two runs with equal manifests write the same bytes.

    Workers, batch size and times are not in it: they change nothing.
    """

    method: str
    lang: str
    curate: str
    stage: str
    config: dict[str, Any]
    config_hash: str
    input: dict[str, Any]
    seed: int
    folds: int
    near: float | None = None

    def source(self) -> str:
        """The corpus and the balance, as the engine names its input."""
        return json.dumps([self.input, self.seed, self.folds, self.near], sort_keys=True)

    def finished(self, files: Mapping[str, Any], *, rows: int) -> dict[str, Any]:
        """The JSON of ``manifest.json``, written last."""
        return {**asdict(self), "rows": rows, "files": dict(files)}


def file_entries(
    folder: Path, names: Iterable[str], rows: Mapping[str, int]
) -> dict[str, dict[str, Any]]:
    """Bytes, SHA-256 and (of tables) rows by file name."""
    entries = {}
    for name in names:
        path = folder / name
        with settled(path):
            entry: dict[str, Any] = {"bytes": path.stat().st_size, "sha256": sha256_file(path)}
        entries[name] = entry | ({"rows": rows[name]} if name in rows else {})
    return entries


def read_manifest(folder: Path, wanted: Manifest) -> dict[str, Any] | None:
    """The stats of a run that is finished already; None where there is none, or files are gone.

    Raises UsageError where the folder holds a finished run of something else, InputError where its
    manifest is damaged.
    """
    path = folder / MANIFEST
    with settled(path):
        if not path.is_file():
            return None
    found = read_json(path)
    own = asdict(wanted)
    changed = [name for name in _SETTINGS if found.get(name) != own[name]]
    if changed:
        raise UsageError(
            f"a run with another {', '.join(_differences(found, own, changed))} is finished here",
            where=folder,
            hint="name another folder with --out, or begin anew with --restart",
        )
    with settled(folder):
        if any(not (folder / name).is_file() for name in found.get("files", {})):
            return None
    return read_json(folder / STATS)


def refuse_another(unfinished: Path, wanted: Manifest) -> None:
    """UsageError where the unfinished run (its ``run.json``) is over a corpus with other parts."""
    with settled(unfinished):
        if not unfinished.is_file():
            return
    source = read_json(unfinished).get("input", "")
    if source == wanted.source():
        return
    try:
        before = json.loads(source)[0]
    except (ValueError, IndexError, KeyError):
        return  # the engine says that it is another run
    if isinstance(before, dict) and (said := changed_parts(before, wanted.input)):
        raise UsageError(
            f"an unfinished run over another corpus lies here: {said}",
            where=unfinished.parent.parent,
            hint="put the parts back, name another folder, or begin anew with --restart",
        )


def _differences(found: dict[str, Any], own: dict[str, Any], changed: list[str]) -> list[str]:
    """What changed, in words: ``config (threshold 0.01, now 0.02)``."""
    said = []
    for name in changed:
        old, new = found.get(name), own[name]
        if name == "input" and isinstance(old, dict) and (parts := changed_parts(old, new)):
            said.append(f"corpus ({parts})")
            continue
        if isinstance(old, dict) and isinstance(new, dict):
            keys = [key for key in sorted({*old, *new}) if old.get(key) != new.get(key)]
            shown = "; ".join(f"{k} {_short(old.get(k))}, now {_short(new.get(k))}" for k in keys)
        else:
            shown = f"{_short(old)}, now {_short(new)}"
        said.append(f"{name} ({shown})")
    return said


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 24 else text[:12] + "…"
