"""Parts of the people: by country, its official language, time of birth, prominence.

A subset is written ``country=Q142``, ``official-language=fr`` (``official-language`` alone: of the
language studied), ``born=..1945`` or ``born=1946..1964`` (years included; a person with several
values is in where one is), ``sitelinks=50..`` (how many pages of Wikimedia projects tell of them).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from curate import schema
from curate.errors import UsageError
from curate.politicians.study.counts import WordUse
from curate.sources.tables import read_parquet

__all__ = [
    "EVERYONE",
    "PEOPLE_FILE",
    "People",
    "Subset",
    "official_languages",
    "parse_subset",
    "read_people",
]

EVERYONE = "everyone"
PEOPLE_FILE = "politicians.parquet"

_LANGUAGES = Path(__file__).with_name("official_languages.tsv")
_FORMS = "country=QID, official-language[=LANG], born=FROM..TO or sitelinks=FROM..TO"


@dataclass(frozen=True, slots=True)
class Person:
    """What a subset asks of a person."""

    gender: str
    birth_years: tuple[int, ...]
    countries: tuple[str, ...]
    sitelinks: int | None


class People:
    """People by qid, of one language's rows."""

    def __init__(self, people: Mapping[str, Person]) -> None:
        self._people = people

    @property
    def genders(self) -> dict[str, str]:
        return {qid: person.gender for qid, person in self._people.items()}

    def members(self, use: WordUse, subset: Subset, *, lang: str) -> NDArray[np.bool_]:
        """(people,) who of `use` is in the subset."""
        known = (self._people.get(qid) for qid in use.people)
        return np.array(
            [person is not None and subset.holds(person, lang) for person in known], dtype=np.bool_
        )


@dataclass(frozen=True, slots=True)
class Subset:
    """A named part of the people; `holds` tells of a person and the language studied."""

    name: str
    holds: Callable[[Person, str], bool]


def read_people(path: Path, *, lang: str) -> People:
    """The rows of one language of `schema.POLITICIANS`; `path` is the file or its folder."""
    file = path / PEOPLE_FILE if path.is_dir() else path
    wanted = ["qid", "lang", "gender", "birth_years", "country_qids", "sitelinks"]
    table = read_parquet(file, wanted=wanted).select(wanted)
    table = table.cast(_schema(wanted))
    rows = table.filter(pc.equal(table.column("lang"), lang)).to_pylist()
    return People({row["qid"]: _person(row) for row in rows})


def parse_subset(text: str) -> Subset:
    """The subset that `text` names; UsageError where it names none."""
    kind, _, value = text.partition("=")
    if kind == "country" and value:
        return Subset(text, lambda person, _: value in person.countries)
    if kind == "official-language":
        return Subset(text, lambda person, lang: _speaks(person, value or lang))
    if kind in {"born", "sitelinks"} and ".." in value:
        low, high = _ends(text, value)
        if kind == "born":
            return Subset(text, lambda p, _: any(low <= year <= high for year in p.birth_years))
        return Subset(text, lambda p, _: p.sitelinks is not None and low <= p.sitelinks <= high)
    raise UsageError(f"{text!r} is no subset", hint=_FORMS)


@cache
def official_languages() -> Mapping[str, frozenset[str]]:
    """The official languages of countries, by Wikidata id (see the file's head for its source)."""
    lines = _LANGUAGES.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")][1:]
    return {country: frozenset(languages.split(",")) for country, _, languages in rows}


def _schema(names: list[str]) -> Any:
    import pyarrow as pa

    return pa.schema([schema.POLITICIANS.field(name) for name in names])


def _person(row: Mapping[str, Any]) -> Person:
    return Person(
        row["gender"], tuple(row["birth_years"]), tuple(row["country_qids"]), row["sitelinks"]
    )


def _speaks(person: Person, lang: str) -> bool:
    base = lang.split("-", maxsplit=1)[0]
    known = official_languages()
    return any(base in known.get(country, ()) for country in person.countries)


def _ends(text: str, value: str) -> tuple[float, float]:
    low, high = value.split("..", 1)
    try:
        ends = (float(low) if low else -np.inf, float(high) if high else np.inf)
    except ValueError as error:
        raise UsageError(f"{text!r} has an end that is no number", hint=_FORMS) from error
    if ends[0] > ends[1]:
        raise UsageError(f"{text!r} ends before it begins", hint=_FORMS)
    return ends
