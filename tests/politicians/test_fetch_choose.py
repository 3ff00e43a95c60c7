"""Who is kept, and why others are not."""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa
import pytest

from curate.politicians.fetch_choose import Choice, choose, tags_of
from curate.politicians.fetch_people import FACTS, year_of

MALE, TRANS_FEMALE, ANIMAL = "Q6581097", "Q1052281", "Q44148"


def person(number: int, **values: Any) -> dict[str, Any]:
    usual = {
        "number": number, "genders": [MALE], "years": [1950], "countries": ["Q30"],
        "occupations": ["Q82955"], "classes": ["Q5"], "sitelinks": 3, "tags": ["en", "fr"],
        "labels": ["Ann", "Anne"], "retrieved": "2026-01-02",
    }  # fmt: skip
    return usual | values


def chosen(*many: dict[str, Any], **options: Any) -> tuple[list[Any], list[Any], Choice]:
    choice = Choice(
        options.pop("langs", ("fr", "en")), options.pop("born_before", 2001),
        options.pop("scheme", "default"), frozenset({"Q5"}), **options,
    )  # fmt: skip
    pieces = list(choose(pa.Table.from_pylist(list(many), schema=FACTS), choice))
    kept, drops = (pa.concat_tables(list(part)).to_pylist() for part in zip(*pieces, strict=True))
    return kept, drops, choice


REASONS: dict[str, dict[str, Any]] = {
    "no-occupation": {"occupations": []},
    "no-birth-date": {"years": []},
    "born-later": {"years": [2001, 2003]},
    "animal": {"genders": [ANIMAL], "classes": ["Q144"]},
    "another-class": {"classes": ["Q15632617"]},
    "no-gender": {"genders": []},
    "no-label": {"tags": ["de"], "labels": ["Anna"]},
}


@pytest.mark.parametrize("code", REASONS)
def test_each_reason(code: str) -> None:
    kept, drops, choice = chosen(person(7, **REASONS[code]), person(8))
    assert [row["qid"] for row in kept] == ["Q8", "Q8"]
    assert [(drop["sent_id"], drop["code"]) for drop in drops] == [("Q7", code)]
    assert choice.drops == {code: 1}
    assert (choice.people, choice.rows) == (1, 2)


KEPT: dict[str, dict[str, Any]] = {
    "one birth is before": {"years": [2000, 2003]},
    "before our era": {"years": [-44]},
    "of no class": {"classes": []},
    "of several classes": {"classes": ["Q15632617", "Q5"]},
    "of no country": {"countries": []},
    "no sitelinks known": {"sitelinks": None},
}


@pytest.mark.parametrize("case", KEPT)
def test_kept(case: str) -> None:
    kept, drops, _ = chosen(person(7, **KEPT[case]))
    assert len(kept) == 2
    assert not drops


def test_rows_are_in_order_of_number_then_language() -> None:
    kept, *_ = chosen(person(100), person(20, tags=["fr"], labels=["Vingt"]), person(3))
    found = [(row["qid"], row["lang"], row["name"]) for row in kept]
    assert found == [
        ("Q3", "en", "Ann"), ("Q3", "fr", "Anne"), ("Q20", "fr", "Vingt"),
        ("Q100", "en", "Ann"), ("Q100", "fr", "Anne"),
    ]  # fmt: skip


def test_the_scheme_sorts_and_the_values_stay() -> None:
    for scheme, gender in (("default", "female"), ("paper", "non-binary"),
                           ("raw", "transgender female")):  # fmt: skip
        kept, *_ = chosen(person(1, genders=[TRANS_FEMALE]), scheme=scheme)
        assert {row["gender"] for row in kept} == {gender}
        assert {tuple(row["gender_qids"]) for row in kept} == {(TRANS_FEMALE,)}
    assert not chosen(person(1, genders=[ANIMAL]), scheme="raw")[0]


def test_a_drop_says_what_a_count_needs() -> None:
    _, drops, _ = chosen(person(1, genders=[]))
    detail = json.loads(drops[0]["detail"])
    assert detail == {"gender_qids": [], "birth_years": [1950], "langs": ["en", "fr"]}


def test_close_tags_count_only_when_asked() -> None:
    chinese = person(1, tags=["zh-hant", "zh-hans"], labels=["國", "国"])
    assert not chosen(chinese, langs=("zh",))[0]
    kept, *_ = chosen(chinese, langs=("zh",), fallback=True)
    assert [(row["lang"], row["name"]) for row in kept] == [("zh", "国")]
    assert tags_of("zh", fallback=False) == ["zh"]
    assert tags_of("tlh", fallback=True) == ["tlh"]


@pytest.mark.parametrize(
    ("value", "year"),
    [
        ("1950-01-02T00:00:00Z", 1950), ("-0044-03-15T00:00:00Z", -44), ("1950", 1950),
        ("+1950-00-00T00:00:00Z", 1950), ("0850-01-01T00:00:00Z", 850), ("t12345", None),
        ("-13798000000-01-01T00:00:00Z", None), ("", None),
    ],
)  # fmt: skip
def test_years(value: str, year: int | None) -> None:
    assert year_of({"type": "literal", "value": value}) == year


def test_an_unknown_date_has_no_year() -> None:
    assert year_of({"type": "bnode", "value": "1950-01-01"}) is None
    assert year_of({"type": "uri", "value": "http://example.org/.well-known/genid/1"}) is None
