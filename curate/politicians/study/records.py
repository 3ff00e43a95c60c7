"""What a study writes down: of the files it read, and of all it found."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from curate import __version__
from curate.engine import write_json
from curate.politicians.study.findings import Study
from curate.politicians.study.lexicon_adapters import adapter_files
from curate.politicians.study.page import write_page
from curate.politicians.study.results import as_table, clear_tables, write_tables
from curate.politicians.study.subsets import PEOPLE_FILE
from curate.sources.files import decoded_lines, plain_suffix, sha256_file

__all__ = ["PAGE", "SUMMARY", "input_record", "lexicon_records", "people_file", "write_study"]

PAGE = "study.html"
SUMMARY = "study.json"


def people_file(path: Path) -> Path:
    """The table of people that a path names: itself, or inside a folder."""
    return path / PEOPLE_FILE if path.is_dir() else path


def input_record(kind: str, path: Path, *, lang: str = "") -> dict[str, Any]:
    """A file by name, rows and SHA-256. Rows of a text are its lines that hold something."""
    if plain_suffix(path) == ".parquet":
        rows = pq.ParquetFile(path).metadata.num_rows
    else:
        rows = sum(bool(line.strip()) for line in decoded_lines(path))
    record = {"kind": kind, "name": path.name, "rows": rows, "sha256": sha256_file(path)}
    return {**record, "lang": lang} if lang else record


def lexicon_records(lang: str, files: Sequence[Path]) -> list[dict[str, Any]]:
    """Sentiment lexica, with the files that their adapters read."""
    found = []
    for path in files:
        found.append(input_record("lexicon", path, lang=lang))
        if plain_suffix(path) == ".toml":
            own = adapter_files(path)
            found += [input_record("lexicon", inner, lang=lang) for inner in own]
    return found


def write_study(
    out: Path, found: Study, *, settings: Mapping[str, Any], inputs: Sequence[Mapping[str, Any]],
    lexica: Mapping[str, Any],
) -> dict[str, Any]:  # fmt: skip
    """Write tables, page and summary into a folder; returns the summary."""
    out.mkdir(parents=True, exist_ok=True)
    earlier = _earlier_files(out / SUMMARY)
    tables = {name: as_table(name, rows) for name, rows in found.rows.items()}
    about = {
        "settings": dict(settings),
        "inputs": {"files": list(inputs), "lexica": dict(lexica)},
    }
    written = write_tables(out, tables)
    clear_tables(out, earlier, kept=written)
    summary = {
        "curate": __version__,
        **about,
        "files": [*written, PAGE],
        "rows": {name: table.num_rows for name, table in tables.items()},
        "notes": found.notes,
    }
    write_page(out / PAGE, found, about)
    write_json(out / SUMMARY, summary)
    return summary


def _earlier_files(summary: Path) -> list[str]:
    """What an earlier study in this folder says that it wrote."""
    try:
        return [str(name) for name in json.loads(summary.read_text(encoding="utf-8"))["files"]]
    except (OSError, ValueError, TypeError, KeyError):
        return []  # none, or another program's
