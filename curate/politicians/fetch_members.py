"""Who holds the occupation: QIDs, country by country."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from curate.errors import RemoteError
from curate.politicians.fetch_plan import ANY_COUNTRY, NO_COUNTRY, Part, endings, first_parts
from curate.politicians.parts import Parts
from curate.politicians.queries import countries_query, labels_query, subclasses_query
from curate.sources.wikidata import Endpoint, QueryTimeoutError, qid_of, shown_address

__all__ = ["country_names", "fetch_countries", "fetch_members", "members", "subclasses"]

_NUMBERS = pa.schema([pa.field("number", pa.int64(), nullable=False)])
_BATCH = 500


def subclasses(endpoint: Endpoint, roots: list[str]) -> list[str]:
    """The classes `roots` and all below them, as sorted QIDs."""
    found = set(roots)
    for root in roots:
        rows = endpoint.select(subclasses_query(root), kind="subclasses")
        found |= {qid_of(row.get("class")) for row in rows}
    return _sorted(found)


def _sorted(qids: set[str]) -> list[str]:
    return sorted(qids - {""}, key=lambda qid: int(qid[1:]))


def fetch_countries(endpoint: Endpoint, parts: Parts, occupations: list[str]) -> dict[str, int]:
    """The citizenships of all holders, with how many hold each.

    Where that is too much for one query, by the last digits of the holders' QIDs.
    """
    counts: Counter[str] = Counter()
    waiting = deque([""])
    while waiting:
        ending = waiting.popleft()
        name = f"countries.x{ending}"
        if not parts.was_split(name):
            try:
                counts.update(parts.keep(name, partial(_count, endpoint, occupations, ending)))
            except QueryTimeoutError:
                if not endings(ending):
                    raise
                parts.split(name)
        if parts.was_split(name):
            waiting.extend(endings(ending))
    return dict(counts)


def _count(endpoint: Endpoint, occupations: list[str], ending: str) -> dict[str, int]:
    rows = endpoint.select(countries_query(occupations, ending=ending), kind="countries")
    counts: dict[str, int] = {}
    for row in rows:
        country = qid_of(row.get("country"))
        number = row.get("people", {}).get("value", "")
        if country and not number.isdecimal():
            raise RemoteError(
                f"the people of {country} are not counted ({number[:40]!r})",
                where=shown_address(endpoint.url), hint="does it speak SPARQL 1.1?",
            )  # fmt: skip
        if country:  # no item: an unknown country, or a row that stands for "nobody"
            counts[country] = int(number)
    return counts


def country_names(endpoint: Endpoint, countries: list[str], langs: list[str]) -> dict[str, str]:
    """A name for every country that has one in English, or in the first of `langs` that has."""
    wanted = ["en", *(lang for lang in langs if lang != "en")]
    best: dict[str, tuple[int, str]] = {}
    for start in range(0, len(countries), _BATCH):
        batch = countries[start : start + _BATCH]
        for row in endpoint.select(labels_query(batch, wanted), kind="country names"):
            label = row.get("label")
            if label is None:
                continue
            rank = wanted.index(label["xml:lang"]) if label.get("xml:lang") in wanted else 99
            item = qid_of(row.get("item"))
            best[item] = min(best.get(item, (99, "")), (rank, label["value"]))
    return {item: name for item, (rank, name) in sorted(best.items()) if rank < 99}


def fetch_members(
    endpoint: Endpoint, parts: Parts, occupations: list[str], countries: dict[str, int], *,
    last_year: int, on_part: Callable[[str, int], None],
) -> None:  # fmt: skip
    """List the people of every part; `on_part(country, people)` hears of each that is finished."""
    for part in _parts(parts, countries, last_year):
        name = f"members/{part.name}"
        rows = parts.rows(name)
        if rows is None:
            try:
                numbers = _ask(endpoint, part, occupations)
            except QueryTimeoutError:
                if not part.split(last_year):
                    raise
                parts.split(part.name)  # the iteration goes on with the smaller ones
                continue
            parts.write(name, pa.table({"number": numbers}, schema=_NUMBERS))
            rows = len(numbers)
        on_part(part.country, rows)


def _parts(parts: Parts, countries: dict[str, int], last_year: int) -> Iterator[Part]:
    """Every part, whole; then, where it had to be split meanwhile, what it was split into."""
    waiting = deque(first_parts(countries, last_year))
    while waiting:
        part = waiting.popleft()
        if not parts.was_split(part.name):
            yield part
        if parts.was_split(part.name):
            waiting.extendleft(reversed(part.split(last_year)))


def _ask(endpoint: Endpoint, part: Part, occupations: list[str]) -> pa.Array:
    rows = endpoint.select(part.query(occupations), kind="people")
    qids = {qid_of(row.get("person")) for row in rows} - {""}
    return pa.array(sorted(int(qid[1:]) for qid in qids), pa.int64())


def members(
    parts: Parts, countries: dict[str, int], *, last_year: int
) -> tuple[npt.NDArray[np.int64], list[tuple[str, int]]]:
    """The numbers of all QIDs, each by the first country it is under; people by country."""
    pieces: list[npt.NDArray[np.int64]] = []
    shares: list[tuple[str, int]] = []
    seen = np.empty(0, dtype=np.int64)
    for part in _parts(parts, countries, last_year):
        numbers = parts.read(f"members/{part.name}").column("number").to_numpy()
        new = np.setdiff1d(numbers, seen, assume_unique=True)
        seen = np.union1d(seen, new)
        pieces.append(new)
        country = NO_COUNTRY if part.country == ANY_COUNTRY else part.country
        if shares and shares[-1][0] == country:
            shares[-1] = (country, shares[-1][1] + len(new))
        else:
            shares.append((country, len(new)))
    return np.concatenate(pieces), shares
