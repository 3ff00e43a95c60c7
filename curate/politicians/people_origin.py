"""Where the people of a folder come from: a fetch or a table of others, never both."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa

from curate.errors import InputError, UsageError
from curate.politicians.fetch_settings import RECORD_FILE, WIKIDATA
from curate.sources.tables import read_parquet

__all__ = [
    "IMPORT_FILE",
    "imported",
    "read_fetched",
    "refuse_fetched",
    "refuse_imported",
    "source_of",
]

IMPORT_FILE = "import.json"
_UNFINISHED = "parts"
_NOT_KEPT = "source not recorded"


def imported(folder: Path) -> dict[str, Any] | None:
    """What an import says of itself; None where the folder holds none."""
    return _record(folder / IMPORT_FILE)


def read_fetched(folder: Path, name: str, columns: list[str]) -> pa.Table:
    """Columns of a table in a folder of people; InputError where it is not there."""
    path = folder / name
    if not path.is_file():
        raise InputError(
            f"no {name}: not the folder of a finished fetch",
            where=folder, hint="curate politicians fetch --out FOLDER",
        )  # fmt: skip
    return read_parquet(path, wanted=columns)


def source_of(folder: Path) -> str:
    """The source of a folder's people in a few words, on one line, with no tab.

    Raises InputError for a record that cannot be read.
    """
    if (about := imported(folder)) is not None:
        said = str(about.get("source", ""))
    elif (about := _record(folder / RECORD_FILE)) is not None:
        settings = about.get("settings")
        endpoint = str(settings.get("endpoint", "")) if isinstance(settings, dict) else ""
        said = "Wikidata" if endpoint in {"", WIKIDATA} else f"Wikidata at {endpoint}"
    else:
        said = ""
    return " ".join(said.split()) or _NOT_KEPT


def refuse_fetched(folder: Path) -> None:
    """Raise UsageError where a fetch lies, finished or not: it took hours of queries."""
    if any((folder / name).exists() for name in (RECORD_FILE, _UNFINISHED)):
        raise UsageError("a fetch lies here", where=folder, hint="name another folder")


def refuse_imported(folder: Path) -> None:
    """Raise UsageError where people of a table lie, which a fetch would write over."""
    if (folder / IMPORT_FILE).exists():
        raise UsageError(
            "people of an imported table lie here", where=folder, hint="name another folder"
        )


def _record(path: Path) -> dict[str, Any] | None:
    if not path.is_file():
        return None
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError("not JSON", where=path) from error
    if not isinstance(found, dict):
        raise InputError("not a record of people", where=path)
    return found
