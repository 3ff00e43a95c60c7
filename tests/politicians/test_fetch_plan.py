"""However a country is cut up, nobody is left out."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from curate.politicians.fetch_plan import ANY_COUNTRY, LARGEST, NO_COUNTRY, Part, first_parts
from curate.politicians.queries import (
    countries_query,
    facts_query,
    labels_query,
    subclasses_query,
)


def holds(part: Part, number: int, years: list[int]) -> bool:
    """Whether a citizen with these births is in a part; written anew from what a part says."""
    if part.undated and years:
        return False
    if part.born:
        first, after = part.born
        if not any((first is None or y >= first) and (after is None or y < after) for y in years):
            return False
    return f"Q{number}".endswith(part.ending)


@given(
    st.integers(1, 10**9),
    st.lists(st.integers(-500, 2100), max_size=3),
    st.lists(st.integers(0, 30), min_size=1, max_size=7),
    st.integers(1700, 2030),
)
def test_smaller_parts_hold_everybody(
    number: int, years: list[int], choices: list[int], last_year: int
) -> None:
    part = Part("Q30")
    for choice in choices:
        smaller = part.split(last_year)
        if not smaller:
            return
        holders = [one for one in smaller if holds(one, number, years)]
        assert bool(holders) == holds(part, number, years)
        if not holders:
            return
        part = holders[choice % len(holders)]


def test_names_tell_parts_apart() -> None:
    seen: list[str] = []
    waiting = [Part("Q30"), Part(NO_COUNTRY)]
    for _ in range(3):
        seen += [part.name for part in waiting]
        waiting = [smaller for part in waiting for smaller in part.split(2000)]
    assert len(seen) == len(set(seen))
    assert all(re.fullmatch(r"[A-Za-z0-9.-]+", name) for name in seen)
    assert {"Q30", "none", "Q30.-1799", "Q30.1950-1959", "Q30.2000-", "Q30.undated"} <= set(seen)
    assert {"Q30.1955-1955", "Q30.undated.x7", "all.x0", "all.x57"} <= set(seen)


def test_everybody_is_listed_where_no_country_is_too_much() -> None:
    smaller = Part(NO_COUNTRY).split(2000)
    assert {part.country for part in smaller} == {ANY_COUNTRY}
    assert [part.ending for part in smaller] == list("0123456789")
    assert "NOT EXISTS" in Part(NO_COUNTRY).query(["Q1"])
    assert not any(word in smaller[0].query(["Q1"]) for word in ("P27", "EXISTS", "P569"))


def test_parts_end() -> None:
    part = Part("Q30", undated=True)
    for _ in range(5):
        part = part.split(2000)[3]
    assert part.ending == "33333"
    assert part.split(2000) == []


def test_the_largest_country_comes_first_and_by_decades() -> None:
    parts = first_parts({"Q9": 3, "Q10": 3, "Q30": LARGEST + 1, "Q5": LARGEST}, 2000)
    countries = list(dict.fromkeys(part.country for part in parts))
    assert countries == ["Q30", "Q5", "Q9", "Q10", ""]
    decades = [part for part in parts if part.country == "Q30"]
    assert len(decades) == 1 + 21 + 1  # before 1800, 1800s to from 2000, undated
    assert parts[-1] == Part("")


def test_queries_are_filled() -> None:
    part = Part("Q30", (1950, 1960), ending="7")
    queries = [
        part.query(["Q1", "Q2"]), Part("", undated=True).query(["Q1"]), subclasses_query("Q1"),
        countries_query(["Q1"]), countries_query(["Q1"], ending="3"),
        facts_query(["Q1"], ["en"]), labels_query(["Q1"], ["en", "fr"]),
    ]  # fmt: skip
    for query in queries:
        assert not re.search(r"<[A-Z]+>", query)
        assert "SERVICE" not in query
        assert "hint:" not in query
    assert "IN (wd:Q1, wd:Q2)" in queries[0]
    assert "YEAR(?birth) >= 1950 && YEAR(?birth) < 1960" in queries[0]
    assert 'STRENDS(STR(?person), "7")' in queries[0]
    assert 'IN ("en", "fr")' in queries[-1]
