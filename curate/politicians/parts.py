"""The folder of an unfinished fetch: what is finished there is never asked for again."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from curate.engine import write_json, write_parquet
from curate.errors import InputError, UsageError

__all__ = ["NO_LABELS", "Parts", "differences", "now"]

_STATE, _LOG = "state.json", "requests.tsv"
_VERSION = 1
_FIELDS = ("version", "started", "settings", "kept", "split", "tables")
_REST = "rest until"

NO_LABELS = "languages without labels"
"""What is kept of a fetch that ended because of them: it goes on without them."""


class Parts:
    """The folder ``parts/`` of a fetch.

    ``state.json`` holds the `settings`, answers that steer the fetch (`kept`), the parts that had
    to be split, and the rows of every finished table; ``requests.tsv`` has a line an attempt. A
    table counts once the state names it, and every file is whole or not there.
    """

    def __init__(self, folder: Path, settings: dict[str, Any]) -> None:
        self.folder = folder
        self._state: dict[str, Any] = {
            "version": _VERSION, "started": now(), "settings": settings,
            "kept": {}, "split": [], "tables": {},
        }  # fmt: skip

    def open(self, *, restart: bool) -> None:
        """Find what the same fetch has finished, or begin.

        Raises UsageError where the folder holds another fetch.
        """
        if restart:
            self.remove()
        state = self.folder / _STATE
        found = _read_state(state) if state.is_file() else self._state
        wanted = self._state["settings"]
        # no query depends on the scheme: it may change until the end
        before = {**found["settings"], **{k: wanted[k] for k in ("scheme",) if k in wanted}}
        found = {**found, "settings": before}
        if found["kept"] or found["tables"]:
            changed = differences(before, wanted)
            if changed and not _less_what_is_empty(found, wanted):
                raise UsageError(
                    f"an unfinished fetch with other settings lies here: {'; '.join(changed)}",
                    where=self.folder.parent,
                    hint="--restart throws it away and begins anew; or name another folder",
                )
            self._state = {**found, "settings": wanted}
        self.folder.mkdir(parents=True, exist_ok=True)
        self._save()

    def _save(self) -> None:
        write_json(self.folder / _STATE, self._state)

    def keep(self, name: str, make: Callable[[], Any]) -> Any:
        """An answer (JSON) that is asked for once in the life of this fetch."""
        kept = self._state["kept"]
        if name not in kept:
            kept[name] = make()
            self._save()
        return kept[name]

    def split(self, name: str) -> None:
        """Remember that a part is too large to ask for whole."""
        self._state["split"].append(name)
        self._save()

    def was_split(self, name: str) -> bool:
        return name in self._state["split"]

    @property
    def rest(self) -> float:
        """Until when (seconds since 1970) the endpoint has asked for rest; 0 where it has not."""
        return float(self._state["kept"].get(_REST, 0.0))

    def keep_rest(self, until: float) -> None:
        """Remember that the endpoint asks for a rest which outlasts this run."""
        self._state["kept"][_REST] = until
        self._save()

    @property
    def started(self) -> str:
        """When the first run of this fetch began."""
        return str(self._state["started"])

    @property
    def splits(self) -> int:
        return len(self._state["split"])

    def rows(self, name: str) -> int | None:
        """The rows of a finished table, None where it is not finished."""
        rows: int | None = self._state["tables"].get(name)
        return rows

    def names(self, kind: str) -> list[str]:
        """The finished tables ``kind/…``, in the order of their names."""
        return sorted(name for name in self._state["tables"] if name.startswith(kind + "/"))

    def write(self, name: str, table: pa.Table) -> None:
        """Finish a table."""
        path = self._path(name)
        path.parent.mkdir(exist_ok=True)
        self._state["tables"][name] = write_parquet(path, table.schema, [table])
        self._save()

    def read(self, name: str) -> pa.Table:
        """A finished table. Raises InputError where its file is gone or damaged."""
        path = self._path(name)
        try:
            table = pq.read_table(path, use_threads=False, pre_buffer=False)
        except (OSError, pa.ArrowException) as error:
            raise InputError(
                "a finished part cannot be read", where=path, hint="--restart begins anew"
            ) from error
        if table.num_rows != self.rows(name):
            raise InputError("a finished part was changed", where=path, hint="--restart")
        return table

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.parquet"

    def log(self, kind: str, outcome: str, seconds: float) -> None:
        """Note an attempt at once, so that it is counted even if the next thing is a kill."""
        with (self.folder / _LOG).open("a", encoding="utf-8") as file:
            file.write(f"{kind}\t{outcome}\t{seconds:.3f}\n")

    def requests(self) -> dict[str, Any]:
        """Attempts of all runs of this fetch: `total`, `failed`, `seconds`, by kind and outcome."""
        path = self.folder / _LOG
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        rows = [cells for cells in (line.split("\t") for line in lines) if len(cells) == 3]
        outcomes = Counter(outcome for _, outcome, _ in rows)
        return {
            "total": len(rows),
            "failed": len(rows) - outcomes["ok"],
            "seconds": round(sum(float(seconds) for *_, seconds in rows), 1),
            "by_kind": dict(sorted(Counter(kind for kind, *_ in rows).items())),
            "by_outcome": dict(sorted(outcomes.items())),
        }

    def remove(self) -> None:
        """Throw everything away."""
        if self.folder.exists():
            shutil.rmtree(self.folder)


def differences(found: dict[str, Any], wanted: dict[str, Any]) -> list[str]:
    """What differs between two settings, a phrase each."""
    return [
        f"{name} {_shown(found.get(name))}, not {_shown(wanted.get(name))}"
        for name in sorted({*found, *wanted})
        if found.get(name) != wanted.get(name)
    ]


def _less_what_is_empty(found: dict[str, Any], wanted: dict[str, Any]) -> bool:
    """Whether `wanted` is the fetch found, but for languages that turned out to have no labels."""
    empty = set(found["kept"].get(NO_LABELS, []))
    langs = [lang for lang in found["settings"].get("langs", []) if lang not in empty]
    return bool(empty) and not differences({**found["settings"], "langs": langs}, wanted)


def _shown(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _read_state(path: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if found["version"] != _VERSION:
            raise InputError("of another version of curate", where=path, hint="--restart")
        return {name: found[name] for name in _FIELDS}
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(
            "not the state of a fetch", where=path, hint="--restart begins anew"
        ) from error


def now() -> str:
    """The time, ISO 8601, in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")
