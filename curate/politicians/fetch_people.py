"""What is known of the people: facts and labels, some hundred people a query."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from curate.errors import RemoteError
from curate.language import normalize
from curate.politicians import queries
from curate.politicians.parts import Parts
from curate.politicians.people import one_line
from curate.sources.wikidata import Binding, Endpoint, QueryTimeoutError, qid_of

__all__ = ["FACTS", "fetch_people", "year_of"]

_BATCH = 500
_CHUNK = 4 * _BATCH
"""People in a finished table: what a kill can cost."""

_YEAR = re.compile(r"([+-]?[0-9]{4,})(?:-|$)")

FACTS = pa.schema(
    [
        pa.field("number", pa.int64(), nullable=False),
        pa.field("genders", pa.list_(pa.string()), nullable=False),
        pa.field("years", pa.list_(pa.int32()), nullable=False),
        pa.field("countries", pa.list_(pa.string()), nullable=False),
        pa.field("occupations", pa.list_(pa.string()), nullable=False),
        pa.field("classes", pa.list_(pa.string()), nullable=False),
        pa.field("sitelinks", pa.int32()),
        pa.field("tags", pa.list_(pa.string()), nullable=False),
        pa.field("labels", pa.list_(pa.string()), nullable=False),
        pa.field("retrieved", pa.string(), nullable=False),
    ]
)
"""A person as the endpoint has them: every truthy value, sorted; `labels` go with `tags`."""


@dataclass
class _Facts:
    """What the rows of an answer say of one person."""

    qids: dict[str, set[str]] = field(default_factory=dict)
    years: set[int] = field(default_factory=set)
    sitelinks: int | None = None
    labels: dict[str, str] = field(default_factory=dict)

    def add(self, name: str, term: dict[str, str]) -> None:
        if name == queries.LABEL:
            self._label(term)
        elif name == queries.BIRTH:
            if (year := year_of(term)) is not None:
                self.years.add(year)
        elif name == queries.SITELINKS:
            if term["value"].isdecimal():
                self.sitelinks = max(self.sitelinks or 0, int(term["value"]))
        elif qid := qid_of(term):
            self.qids.setdefault(name, set()).add(qid)

    def _label(self, term: dict[str, str]) -> None:
        tag = term.get("xml:lang", "").lower()
        text = one_line(normalize(term["value"]).strip())
        if text:  # an item has one label a language; of several, always the same one
            self.labels[tag] = min(text, self.labels.get(tag, text))


def year_of(term: dict[str, str]) -> int | None:
    """The year of a date; None for an unknown value.

    A truthy value has no precision: a century stands as its last year (20th: 2000), a decade as its
    first.
    """
    if term.get("type") not in {"literal", "typed-literal"}:
        return None
    match = _YEAR.match(term["value"])
    year = int(match[1]) if match else None
    return year if year is not None and abs(year) < 2**31 else None


def fetch_people(
    endpoint: Endpoint, parts: Parts, numbers: npt.NDArray[np.int64], *, occupations: list[str],
    tags: list[str], on_people: Callable[[int], None],
) -> None:  # fmt: skip
    """Ask for everybody in `numbers`; `on_people(people)` hears how many are finished."""
    held = set(occupations)
    for index, start in enumerate(range(0, len(numbers), _CHUNK)):
        name = f"people/{index:06d}"
        chunk = numbers[start : start + _CHUNK]
        if parts.rows(name) is None:
            tables = []
            for first in range(0, len(chunk), _BATCH):
                batch = [int(number) for number in chunk[first : first + _BATCH]]
                tables.append(_asked(endpoint, batch, tags, held))
                on_people(start + first + len(batch))
            parts.write(name, pa.concat_tables(tables).combine_chunks())
        on_people(start + len(chunk))


def _asked(endpoint: Endpoint, batch: Sequence[int], tags: list[str], held: set[str]) -> pa.Table:
    """The facts of a batch; where it is too much for the endpoint, of its halves."""
    try:
        people = [f"Q{number}" for number in batch]
        rows = endpoint.select(queries.facts_query(people, tags), kind="facts")
    except QueryTimeoutError as error:
        if len(batch) == 1:
            raise RemoteError(error.message, where=error.where, hint=error.hint) from None
        half = len(batch) // 2
        return pa.concat_tables(
            _asked(endpoint, some, tags, held) for some in (batch[:half], batch[half:])
        )
    return _table(batch, rows, held)


def _table(batch: Sequence[int], rows: list[Binding], held: set[str]) -> pa.Table:
    people = {number: _Facts() for number in batch}
    for row in rows:
        qid = qid_of(row.get("person"))
        person = people.get(int(qid[1:])) if qid else None
        if person is not None and "property" in row and "value" in row:
            person.add(row["property"]["value"], row["value"])
    today = datetime.now(UTC).date().isoformat()
    records = [_record(number, facts, held, today) for number, facts in people.items()]
    return pa.Table.from_pylist(records, schema=FACTS)


def _record(number: int, facts: _Facts, held: set[str], today: str) -> dict[str, object]:
    def values(name: str) -> list[str]:
        return sorted(facts.qids.get(name, ()))

    return {
        "number": number,
        "genders": values(queries.GENDER),
        "years": sorted(facts.years),
        "countries": values(queries.COUNTRY),
        "occupations": [qid for qid in values(queries.OCCUPATION) if qid in held],
        "classes": values(queries.CLASS),
        "sitelinks": facts.sitelinks,
        "tags": sorted(facts.labels),
        "labels": [facts.labels[tag] for tag in sorted(facts.labels)],
        "retrieved": today,
    }
