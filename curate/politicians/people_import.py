"""People from a table that does not come from a query: any CSV or TSV with names and genders."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa

from curate import schema
from curate.engine import write_json, write_parquet
from curate.errors import InputError, UsageError
from curate.language import NO_TEXT, normalize
from curate.politicians.fetch_settings import checked_language
from curate.politicians.genders import ANIMAL, UNKNOWN, gender_of, known_genders
from curate.politicians.people import FILE_NAME, one_line, qid_order
from curate.politicians.people_origin import IMPORT_FILE, refuse_fetched
from curate.sources.delimited import Delimited, read_delimited

__all__ = ["COLUMNS", "GENDERS", "ImportedPeople", "import_people", "write_people"]

COLUMNS = ("name", "gender", "qid", "birth")
"""What a table may tell, in the order in which its columns are named; the first two it must."""

GENDERS = Path(__file__).with_name("people_genders.tsv")
"""Words and letters that say a gender in tables of people, each with its Wikidata item.

Known beside them are the items of `curate.politicians.genders` by id and by name.
"""

_YEAR = re.compile(r"\s*\+?(-?[0-9]{4})(?:(?:0[0-9]|1[0-2])(?:[0-2][0-9]|3[01]))?(?![0-9])")
"""Four digits, and a month and a day that may follow without hyphens (ISO 8601, both forms)."""


@dataclass
class ImportedPeople:
    """The table of `schema.POLITICIANS`, and what could not be read.

    `left_out` counts rows by reason; `unknown` counts the gender values that the table of genders
    lacks, and `unread_births` the birth dates without a year (these people are kept).
    """

    table: pa.Table
    rows: int
    left_out: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)
    unread_births: int = 0

    def counts(self) -> dict[str, Any]:
        """Rows read, people kept by gender, and everything that was not."""
        genders = Counter(self.table.column("gender").to_pylist())
        return {
            "rows": self.rows,
            "people": self.table.num_rows,
            "genders": dict(sorted(genders.items())),
            "left_out": dict(sorted(self.left_out.items())),
            "unknown_genders": dict(sorted(self.unknown.items())),
            "unread_births": self.unread_births,
        }


def import_people(
    path: Path,
    *,
    lang: str,
    columns: tuple[str, ...],
    genders: Path | None = None,
    scheme: str = "default",
    retrieved: str = "",
) -> ImportedPeople:
    """The people of a CSV or TSV file, named in `lang`.

    `columns` are the file's names for `COLUMNS`, in that order. Without a column of ids, a person
    is ``row-N``, N counting the rows from 0. `genders` is a table like `GENDERS`, beside it; people
    with a value that neither knows are left out and counted, the others filed by `scheme` (see
    `gender_of`). `retrieved` is the day (ISO 8601; empty: today). Raises UsageError for columns
    that make no sense or a `lang` that is no tag, InputError for a file that is no such table.
    """
    checked_language(lang)
    _check_columns(columns)
    known = _read_genders(genders)
    read = read_delimited(path, wanted=columns)
    day = retrieved or datetime.now(UTC).date().isoformat()
    found = ImportedPeople(schema.POLITICIANS.empty_table(), len(read.rows))
    people: dict[str, dict[str, Any]] = {}
    for number, cells in enumerate(_cells(read, columns, COLUMNS)):
        qid = cells.get("qid", f"row-{number}")
        reason = _reason(qid, cells["name"], people)
        gender = known.get(cells["gender"].casefold(), "")
        group = gender_of([gender] if gender else [], scheme)
        if reason or group in {ANIMAL, UNKNOWN}:
            found.left_out[reason or "unknown gender"] += 1
            found.unknown.update([] if reason else [cells["gender"]])
            continue
        years = _years(cells.get("birth", ""))
        found.unread_births += bool(cells.get("birth")) and not years
        own = {"name": one_line(cells["name"]), "gender": group, "gender_qids": [gender]}
        people[qid] = {"qid": qid, "lang": lang, "birth_years": years, "retrieved": day} | own
    nothing: dict[str, Any] = {"country_qids": [], "occupation_qids": [], "sitelinks": None}
    rows = [people[qid] | nothing for qid in sorted(people, key=qid_order)]
    found.table = pa.Table.from_pylist(rows, schema=schema.POLITICIANS)
    return found


def _check_columns(columns: tuple[str, ...]) -> None:
    if not 2 <= len(columns) <= len(COLUMNS) or len(set(columns)) < len(columns):
        raise UsageError(
            f"--columns wants {', '.join(COLUMNS)} (two to four names), not {','.join(columns)!r}",
            hint="--columns name_en,gender,wikidata,birth_date",
        )


def write_people(people: ImportedPeople, out: Path, *, about: Mapping[str, Any]) -> dict[str, Any]:
    """Write ``politicians.parquet`` and ``import.json`` (the counts, and `about`) into `out`.

    Raises InputError where nobody is left, UsageError where `out` is a file or holds a fetch.
    """
    if not people.table.num_rows:
        raise InputError(
            "nobody could be read", where=str(about.get("source", "")),
            hint=f"left out: {dict(people.left_out)}; unknown genders: {dict(people.unknown)}",
        )  # fmt: skip
    if out.exists() and not out.is_dir():
        raise UsageError("the folder for the people is a file", where=out, hint="--out FOLDER")
    refuse_fetched(out)
    out.mkdir(parents=True, exist_ok=True)
    write_parquet(out / FILE_NAME, schema.POLITICIANS, [people.table])
    described = {**about, **people.counts()}
    write_json(out / IMPORT_FILE, described)
    return described


def _read_genders(own: Path | None) -> dict[str, str]:
    """The Wikidata item of every value that says a gender, in small letters."""
    found: dict[str, str] = {}
    for qid, gender in known_genders().items():
        found |= {qid.casefold(): qid, gender.name.casefold(): qid}
    columns = ("value", "gender_qid")
    for path in (GENDERS, *([own] if own else [])):
        for row in _cells(read_delimited(path, wanted=columns), columns, columns):
            found[row["value"].casefold()] = row["gender_qid"]
    return found


def _cells(
    table: Delimited, columns: tuple[str, ...], keys: tuple[str, ...]
) -> list[dict[str, str]]:
    """Each row's cells in `columns`, by what they tell; a cell that is not there is empty."""
    places = list(zip(keys, [table.header.index(column) for column in columns], strict=False))
    return [
        {key: normalize(row[at]).strip() if at < len(row) else "" for key, at in places}
        for row in table.rows
    ]


def _reason(qid: str, name: str, people: Mapping[str, object]) -> str:
    """Why a row is left out; empty if it is not."""
    if not name:
        return "no name"
    if NO_TEXT.search(name):
        return "name that is no text"
    if not qid:
        return "no id"
    return "id that stands twice" if qid in people else ""


def _years(birth: str) -> list[int]:
    """The year at the beginning of a date, as a list of at most one."""
    match = _YEAR.match(birth)
    return [int(match[1])] if match else []
