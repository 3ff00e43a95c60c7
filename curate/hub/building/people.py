"""Folders of `curate politicians`: the people, and the names that one gender bears."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from curate import schema
from curate.errors import InputError
from curate.hub.building.parquet import read_columns, stream
from curate.hub.building.part import Part, language_of, public, read_json
from curate.hub.layout import NAMES, POLITICIANS, RELEASE_NAMES
from curate.sources.delimited import read_delimited
from curate.sources.files import decoded_lines

__all__ = ["NAMES_FILE", "PEOPLE_FILE", "read_names", "read_people"]

PEOPLE_FILE, NAMES_FILE = "politicians.parquet", "names_by_country.tsv"
_DROPS, _FETCH, _IMPORT = "drops.parquet", "fetch.json", "import.json"
_BEARERS = re.compile(r", ([0-9]+) people$")
_WIKIDATA, _PUBLIC_DOMAIN = "Wikidata", "CC0 1.0"
"""The structured data of Wikidata is in the public domain."""

_OF_LANGUAGE = ("name", "gender", "share", "source")
_OF_COUNTRY = ("lang", "country", "name", "gender", "share", "people")


def read_people(folder: Path) -> Iterator[Part]:
    """The people of a finished fetch or an import.

    Raises InputError where the folder does not say how they were found.
    """
    path, drops = folder / PEOPLE_FILE, folder / _DROPS
    langs: set[str] = set()
    for table in read_columns(path, ["lang"]):
        langs.update(table.column("lang").unique().to_pylist())
    fetched = (folder / _FETCH).is_file()
    about = _fetch(folder / _FETCH) if fetched else _import(folder / _IMPORT)
    lang = language_of(sorted(langs))
    yield Part(
        config=POLITICIANS,
        kind=POLITICIANS,
        lang=lang,
        method=POLITICIANS,
        folder=folder,
        tables=lambda: stream(path, schema.POLITICIANS),
        about={"lang": lang, "langs": sorted(langs), "method": POLITICIANS, **about},
        drops=drops if fetched and drops.is_file() else None,
    )


def _fetch(path: Path) -> dict[str, Any]:
    """How they were fetched: the day is in the rows, and a server at home is left out."""
    record = read_json(path)
    settings = record.get("settings")
    settings = dict(settings) if isinstance(settings, dict) else {}
    endpoint = str(settings.pop("endpoint", ""))
    own = {"input": {"name": _WIKIDATA}, "licence": _PUBLIC_DOMAIN, "config": public(settings)}
    if "wikidata.org" in endpoint:
        own["config"]["endpoint"] = endpoint
    return own | {name: record[name] for name in ("curate", "counts") if name in record}


def _import(path: Path) -> dict[str, Any]:
    record = read_json(path, hint="curate politicians import, or fetch, makes such a folder")
    source = str(record.pop("source", "")) or "a table of people"
    licence = str(record.pop("licence", "unstated"))
    return {"input": {"name": public(source)}, "licence": licence, "config": public(record)}


def read_names(folder: Path) -> Iterator[Part]:
    """The names that `curate politicians names` listed, of all countries together and by country.

    Raises InputError for a share or a count that is no number.
    """
    files = sorted(folder.glob("*/names.tsv"))
    source = str(read_json(folder / "names.json").get("source", ""))
    rows = [row for path in files for row in _of_language(path)]
    rows += _of_countries(folder / NAMES_FILE, source)
    table = pa.Table.from_pylist(rows, schema=RELEASE_NAMES)
    langs = sorted({row["lang"] for row in rows})
    lang = language_of(langs)
    licence = _PUBLIC_DOMAIN if source == _WIKIDATA else "unstated"
    yield Part(
        config=NAMES,
        kind=NAMES,
        lang=lang,
        method=NAMES,
        folder=folder,
        tables=lambda: iter([table]),
        about={
            "lang": lang, "langs": langs, "method": NAMES, "input": {"name": public(source)},
            "licence": licence,
        },
    )  # fmt: skip


def _of_language(path: Path) -> Iterator[dict[str, Any]]:
    for number, cells in _cells(path, _OF_LANGUAGE):
        bearers = _BEARERS.search(cells["source"])
        yield {
            "lang": path.parent.name, "country": "", "name": cells["name"],
            "gender": cells["gender"], "share": _number(cells["share"], path, number),
            "people": int(bearers[1]) if bearers else None,
            "source": _BEARERS.sub("", cells["source"]),
        }  # fmt: skip


def _of_countries(path: Path, source: str) -> Iterator[dict[str, Any]]:
    for number, cells in _cells(path, _OF_COUNTRY):
        people = _number(cells["people"], path, number)
        share = _number(cells["share"], path, number)
        yield {**cells, "share": share, "people": int(people), "source": source}


def _cells(path: Path, columns: tuple[str, ...]) -> Iterator[tuple[int, dict[str, str]]]:
    """The line number and the cells of every row; a header alone is a list of no names."""
    if sum(1 for _ in decoded_lines(path)) == 1:
        return
    read = read_delimited(path, wanted=columns)
    places = [read.header.index(column) for column in columns]
    for number, row in enumerate(read.rows, start=2):
        if len(row) <= max(places):
            raise InputError("a row with too few cells", where=f"{path}:{number}")
        yield number, {name: row[at] for name, at in zip(columns, places, strict=True)}


def _number(text: str, path: Path, line: int) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise InputError(f"{text!r} is no number", where=f"{path}:{line}") from error
