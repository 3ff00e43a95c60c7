"""From the people as the endpoint has them to the table: who is kept, and why others are not."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from curate import schema
from curate.politicians.genders import ANIMAL, UNKNOWN, gender_of, unlisted

__all__ = ["Choice", "choose", "tags_of"]

STAGE = "politicians-fetch"
_TAGS = Path(__file__).with_name("label_tags.toml")
_ROWS = 2_048
"""People at a time: their rows are made and written before the next are."""


@cache
def _label_tags() -> dict[str, list[str]]:
    return tomllib.loads(_TAGS.read_text(encoding="utf-8"))


def tags_of(lang: str, *, fallback: bool) -> list[str]:
    """The tags under which labels of a language lie, best first; see label_tags.toml."""
    return _label_tags().get(lang, [lang]) if fallback else [lang]


@dataclass
class Choice:
    """Who is kept, and how many are in and out so far.

    A person is dropped for the first of these that holds: ``no-occupation`` (it was taken away
    while the fetch ran), ``no-birth-date``, ``born-later`` (no date before `born_before`),
    ``animal``, ``another-class`` (an instance of known classes, none of them in `classes`),
    ``no-gender``, ``no-label`` (in none of the languages). `unlisted` counts the people, kept or
    not, who have a gender that genders.tsv lacks.
    """

    langs: Sequence[str]
    born_before: int
    scheme: str
    classes: frozenset[str]
    fallback: bool = False
    people: int = 0
    rows: int = 0
    drops: Counter[str] = field(default_factory=Counter)
    genders: Counter[tuple[str, str]] = field(default_factory=Counter)
    unlisted: Counter[str] = field(default_factory=Counter)
    _numbered: int = 0

    def row(self, person: dict[str, Any]) -> tuple[str, list[dict[str, Any]]]:
        """(why dropped, or empty; a row of the table a language)."""
        gender = gender_of(person["genders"], self.scheme)
        group = gender_of(person["genders"])
        names = self._names(person)
        code = self._code(person, group, names)
        shared = {
            "qid": f"Q{person['number']}",
            "gender_qids": person["genders"],
            "gender": gender,
            "birth_years": person["years"],
            "country_qids": person["countries"],
            "occupation_qids": person["occupations"],
            "sitelinks": person["sitelinks"],
            "retrieved": person["retrieved"],
        }
        rows = [{**shared, "lang": lang, "name": name} for lang, name in names.items()]
        return code, rows

    def _names(self, person: dict[str, Any]) -> dict[str, str]:
        labels = dict(zip(person["tags"], person["labels"], strict=True))
        names = {}
        for lang in sorted(self.langs):
            tags = tags_of(lang, fallback=self.fallback)
            name = next((labels[tag] for tag in tags if tag in labels), "")
            if name:
                names[lang] = name
        return names

    def _code(self, person: dict[str, Any], group: str, names: dict[str, str]) -> str:
        reasons = {
            "no-occupation": not person["occupations"],
            "no-birth-date": not person["years"],
            "born-later": min(person["years"], default=0) >= self.born_before,
            "animal": group == ANIMAL,
            "another-class": bool(person["classes"]) and self.classes.isdisjoint(person["classes"]),
            "no-gender": group == UNKNOWN,
            "no-label": not names,
        }
        return next((code for code, holds in reasons.items() if holds), "")

    def drop(self, person: dict[str, Any], code: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
        """A row of `schema.DROPS`; the detail holds what a count of all genders needs."""
        self.drops[code] += 1
        self._numbered += 1
        detail = {
            "gender_qids": person["genders"],
            "birth_years": person["years"],
            "langs": [row["lang"] for row in rows],
        }
        return {
            "sent_id": f"Q{person['number']}",
            "row": self._numbered - 1,
            "stage": STAGE,
            "code": code,
            "detail": json.dumps(detail),
        }


def choose(facts: pa.Table, choice: Choice) -> Iterator[tuple[pa.Table, pa.Table]]:
    """(`schema.POLITICIANS`, `schema.DROPS`) in pieces, by number, then language."""
    order = pc.sort_indices(facts, sort_keys=[("number", "ascending")])
    for start in range(0, len(order), _ROWS):
        kept: list[dict[str, Any]] = []
        dropped: list[dict[str, Any]] = []
        for person in facts.take(order.slice(start, _ROWS)).to_pylist():
            code, rows = choice.row(person)
            choice.unlisted.update(unlisted(person["genders"]))
            if code:
                dropped.append(choice.drop(person, code, rows))
                continue
            choice.people += 1
            choice.rows += len(rows)
            choice.genders.update((row["lang"], row["gender"]) for row in rows)
            kept += rows
        yield (
            pa.Table.from_pylist(kept, schema=schema.POLITICIANS),
            pa.Table.from_pylist(dropped, schema=schema.DROPS),
        )
