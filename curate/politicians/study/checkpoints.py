"""The finished parts of a study that is not finished: a later step that fails loses none of them.

``study_parts/`` lies in the study's folder until its tables are written. ``state.json`` holds what
the parts depend on; a part is the tables of its rows and, written last, a JSON file with its notes.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from curate.engine import write_json, write_parquet
from curate.errors import InputError, UsageError
from curate.politicians.study.findings import Findings
from curate.politicians.study.latent_model import SENTIMENTS
from curate.politicians.study.results import TABLES, as_table

__all__ = ["Checkpoints"]

_PARTS = "study_parts"
"""No name that a fetch or its words use: a study may be written into their folder."""
_STATE = "state.json"
_LARGEST = "largest"
_LARGEST_SCHEMA = pa.schema([("gender", pa.string()), *((s, pa.float64()) for s in SENTIMENTS)])


class Checkpoints:
    """Parts of a study, by number from 0.

    `depends` is what the parts follow from, by name, as JSON values: a part is only read where all
    of it is the same.
    """

    def __init__(self, out: Path, *, depends: Mapping[str, Any]) -> None:
        self.folder = out / _PARTS
        self._depends = json.loads(json.dumps(depends))

    def open(self, *, restart: bool = False) -> None:
        """Begin, or go on; UsageError where another unfinished study lies there."""
        if restart:
            self.remove()
        found = self._state()
        if not found:  # what a removal has left that was interrupted
            self.remove()
        changed = [
            _told(name, found.get(name), value)
            for name, value in sorted(self._depends.items()) if found.get(name) != value
        ]  # fmt: skip
        if changed and any(self.folder.glob("[0-9]*.json")):  # else there is nothing to lose
            raise UsageError(
                f"an unfinished study with other {' and '.join(changed)} lies here",
                where=self.folder.parent,
                hint="--restart throws its parts away and begins anew; or name another folder",
            )
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(
                f"no folder to write to ({error.strerror})", where=self.folder.parent
            ) from error
        write_json(self.folder / _STATE, self._depends)

    def load(self, number: int) -> Findings | None:
        """A finished part, as it was found; None where there is none."""
        try:
            told = json.loads(self._path(number, "json").read_text(encoding="utf-8"))
            found = Findings(notes=told["notes"])
            for name in told["tables"]:
                table = pq.read_table(self._path(number, f"{name}.parquet"))
                if name == _LARGEST:
                    found.largest = table.to_pylist()
                else:
                    found.rows[name] = table.to_pylist()
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError, OSError) as error:
            raise self._damaged(error) from error
        return found

    def save(self, number: int, found: Findings) -> None:
        """Write a part; it counts once all of it lies there."""
        self.folder.mkdir(parents=True, exist_ok=True)
        tables = {name: as_table(name, rows) for name, rows in found.rows.items() if rows}
        schemas = {name: TABLES[name] for name in tables}
        if found.largest:
            tables[_LARGEST] = pa.Table.from_pylist(
                [dict(row) for row in found.largest], schema=_LARGEST_SCHEMA
            )
            schemas[_LARGEST] = _LARGEST_SCHEMA
        for name, table in tables.items():
            write_parquet(self._path(number, f"{name}.parquet"), schemas[name], [table])
        about = {"notes": found.notes, "tables": sorted(tables)}
        write_json(self._path(number, "json"), about)

    def remove(self) -> None:
        """Throw the parts away: the study is written, or begins anew.

        The state goes first: parts that a kill leaves without one are nobody's.
        """
        if self.folder.is_dir():
            (self.folder / _STATE).unlink(missing_ok=True)
            shutil.rmtree(self.folder)

    def _path(self, number: int, ending: str) -> Path:
        return self.folder / f"{number:05d}.{ending}"

    def _state(self) -> dict[str, Any]:
        try:
            found = json.loads((self.folder / _STATE).read_text(encoding="utf-8"))
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except (OSError, ValueError) as error:
            raise self._damaged(error) from error
        if not isinstance(found, dict):
            raise self._damaged(ValueError("no table of settings"))
        return found

    def _damaged(self, error: Exception) -> InputError:
        return InputError(
            f"a part of an unfinished study cannot be read ({error})",
            where=self.folder,
            hint="--restart throws the parts away and begins anew",
        )


def _told(name: str, found: Any, wanted: Any) -> str:
    """What differs: of settings, which."""
    if not (isinstance(found, dict) and isinstance(wanted, dict)):
        return name
    own = sorted(key for key in {*found, *wanted} if found.get(key) != wanted.get(key))
    return f"{name} ({', '.join(own)})"
