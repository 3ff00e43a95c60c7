"""A table of people of an occupation from Wikidata, politely and without losing work.

Stańczak et al. (2023), section 3.1, for any occupation, languages and endpoint.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from curate import schema
from curate.engine import replacing, write_json, write_parquet
from curate.errors import InputError, UsageError
from curate.politicians.fetch_choose import Choice, choose
from curate.politicians.fetch_members import (
    country_names,
    fetch_countries,
    fetch_members,
    members,
    subclasses,
)
from curate.politicians.fetch_people import FACTS, fetch_people
from curate.politicians.fetch_plan import ANY_COUNTRY, NO_COUNTRY
from curate.politicians.fetch_record import record_of
from curate.politicians.fetch_settings import (
    DROPS_FILE,
    POLITICIANS_FILE,
    RECORD_FILE,
    Fetch,
    finished,
)
from curate.politicians.parts import NO_LABELS, Parts
from curate.politicians.parts_lock import held
from curate.politicians.people_origin import refuse_imported
from curate.sources.wikidata import Endpoint, QueryTimeoutError, checked_contact, shown_address

__all__ = ["Fetch", "Progress", "fetch"]


@dataclass
class Progress:
    """Who hears how far a fetch has come; every field may be left as it is.

    `on_countries(countries)` the people expected in every country, by name; `on_listed(country,
    people)` a country whose people are listed; `on_people(country, done, all)` the country that is
    at work, and the people of all countries; `on_wait(seconds, reason)`.
    """

    on_countries: Callable[[dict[str, int]], None] = lambda countries: None
    on_listed: Callable[[str, int], None] = lambda country, people: None
    on_people: Callable[[str, int, int], None] = lambda country, done, total: None
    on_wait: Callable[[float, str], None] = lambda seconds, reason: None


def fetch(
    wanted: Fetch, out: Path, *,
    contact: str, pause: float | None = None, timeout: float = 90.0, restart: bool = False,
    progress: Progress | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Write ``politicians.parquet``, ``drops.parquet`` and ``fetch.json`` to `out`; the latter.

    What an earlier run of the same fetch has finished is not asked for again; a fetch that is
    whole asks for nothing, even for another scheme. `contact` goes into the User-Agent and nowhere
    else. The tables depend on what the endpoint holds, not on how often the fetch was cut off.

    Raises UsageError for another fetch or imported people in the folder, an unknown occupation or a
    language without labels, RemoteError where the endpoint fails: finished parts are kept.
    """
    settings, contact = wanted.settings(), checked_contact(contact)
    refuse_imported(out)
    with held(out):
        if not restart and (record := finished(out, settings)):
            return record
        if restart:
            (out / RECORD_FILE).unlink(missing_ok=True)
        for name in (POLITICIANS_FILE, DROPS_FILE, RECORD_FILE):
            for left in out.glob(f".*{name}.*.tmp"):  # of a run that was killed while it wrote
                left.unlink()
        parts = Parts(out / "parts", settings)
        parts.open(restart=restart)
        heard = progress or Progress()
        endpoint = Endpoint(
            wanted.endpoint, contact=contact, pause=pause, timeout=timeout,
            rest=parts.rest, on_request=parts.log, on_wait=heard.on_wait, on_rest=parts.keep_rest,
        )  # fmt: skip
        return _Run(wanted, settings, out, parts, endpoint, heard).run()


@dataclass
class _Run:
    wanted: Fetch
    settings: dict[str, Any]
    out: Path
    parts: Parts
    endpoint: Endpoint
    heard: Progress
    names: dict[str, str] = field(default_factory=dict)

    def run(self) -> dict[str, Any]:
        plan = self._plan()
        self.names = plan["names"]
        self.heard.on_countries({self._name(qid): n for qid, n in plan["countries"].items()})
        occupations, last_year = plan["occupations"], self.wanted.born_before - 1
        fetch_members(
            self.endpoint, self.parts, occupations, plan["countries"], last_year=last_year,
            on_part=lambda country, people: self.heard.on_listed(self._name(country), people),
        )  # fmt: skip
        numbers, shares = members(self.parts, plan["countries"], last_year=last_year)
        if not len(numbers):
            self.parts.remove()  # there is nothing to go on with
            raise UsageError(
                "nobody here has this occupation",
                where=shown_address(self.wanted.endpoint),
                hint="is the QID that of an occupation (P106)?",
            )
        fetch_people(
            self.endpoint, self.parts, numbers, occupations=occupations, tags=self.wanted.tags,
            on_people=lambda done: self.heard.on_people(
                self._at(done, shares), done, len(numbers)
            ),
        )  # fmt: skip
        choice = self._choice(plan)
        self._write(choice)
        record = record_of(self.settings, self.parts, choice, plan, shares)
        write_json(self.out / RECORD_FILE, record)
        self.parts.remove()
        return record

    def _plan(self) -> dict[str, Any]:
        keep, endpoint = self.parts.keep, self.endpoint
        occupations = keep("occupations", lambda: subclasses(endpoint, [*self.wanted.occupations]))
        classes = keep("classes", self._classes)
        countries = fetch_countries(endpoint, self.parts, occupations)
        langs = self.wanted.tags
        names = keep("names", lambda: country_names(endpoint, sorted(countries), langs))
        return {
            "occupations": occupations, "classes": classes, "countries": countries, "names": names,
        }  # fmt: skip

    def _classes(self) -> list[str]:
        try:
            return subclasses(self.endpoint, [*self.wanted.classes])
        except QueryTimeoutError:  # some trees are large; people are hardly ever below Q5
            return [*self.wanted.classes]

    def _name(self, country: str) -> str:
        if country in {NO_COUNTRY, ANY_COUNTRY}:
            return "no country"
        return self.names.get(country, country)

    def _at(self, done: int, shares: list[tuple[str, int]]) -> str:
        for country, people in shares:
            if done <= people:
                return self._name(country)
            done -= people
        return ""

    def _choice(self, plan: dict[str, Any]) -> Choice:
        return Choice(
            self.wanted.langs, self.wanted.born_before, self.wanted.scheme,
            frozenset(plan["classes"]), self.wanted.fallback,
        )  # fmt: skip

    def _write(self, choice: Choice) -> None:
        facts = pa.concat_tables(
            [self.parts.read(name) for name in self.parts.names("people")]
        ).select(FACTS.names)
        drops: list[pa.Table] = [schema.DROPS.empty_table()]

        def kept() -> Iterator[pa.Table]:
            for people, dropped in choose(facts, choice):
                drops.append(dropped)
                yield people

        # a table counts only once its languages are known to have labels
        with replacing(self.out / POLITICIANS_FILE) as temporary:
            write_parquet(temporary, schema.POLITICIANS, kept())
            self._refuse_empty(choice)
        write_parquet(self.out / DROPS_FILE, schema.DROPS, drops)

    def _refuse_empty(self, choice: Choice) -> None:
        labelled = {lang for lang, _ in choice.genders}
        empty = sorted(set(self.wanted.langs) - labelled)
        if empty:
            self.parts.keep(NO_LABELS, lambda: empty)
            raise InputError(
                f"nobody of {choice.people:,} people has a label in {', '.join(empty)}",
                where=shown_address(self.wanted.endpoint),
                hint="finished parts are kept; leave it out of --langs",
            )
