"""The rows of a configuration, looked at in pieces of any size."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate import schema
from curate.hub.check.problem import shown_rows
from curate.hub.check.rows import RowCheck
from curate.hub.layout import RELEASE_NAMES
from tests.hub.made_folders import FILL, crow, person


def pair(text: str, original: str, folds: list[int], kind: str | None = None) -> dict[str, Any]:
    m, f = f"he {text}", f"she {text}"
    return {
        "pair_id": schema.pair_id("en", "lsg", m, f), "lang": "en", "masculine": m, "feminine": f,
        "original": original, "method": "lsg", "entries": [], "edits_m": [], "edits_f": [],
        "fill": {**FILL, "kind": kind} if kind else None, "sent_id": "s", "source": "s",
        "licence": "l", "lexicon_version": "v", "folds": folds,
    }  # fmt: skip


def found(config: str, kind: str, table: pa.Table, size: int = 1_000) -> dict[str, str]:
    check = RowCheck(config, kind, "x")
    for batch in table.to_batches(max_chunksize=size):
        check.add(pa.Table.from_batches([batch]))
    return {one.code: one.message for one in check.problems()}


PAIRS = st.lists(
    st.builds(
        pair,
        st.sampled_from("abcdefgh"),
        st.sampled_from(schema.GENDERS),
        st.lists(st.integers(0, 3), unique=True),
        st.sampled_from([None, "both", *schema.GENDERS]),
    ),
    max_size=12,
)


@given(rows=PAIRS, size=st.integers(1, 12))
def test_as_a_naive_reader_would(rows: list[dict[str, Any]], size: int) -> None:
    """Against a reading of the rules one row after the other, whatever the pieces."""
    balance: Counter[int] = Counter()
    for one in rows:
        side = one["fill"]["kind"] if one["fill"] else one["original"]
        for fold in one["folds"]:
            balance[fold] += {"masculine": 1, "feminine": -1}.get(side, 0)
    wanted = {"unbalanced-fold"} if any(balance.values()) else set()
    if len({one["pair_id"] for one in rows}) < len(rows):
        wanted.add("duplicate-id")
    table = pa.Table.from_pylist(rows, schema=schema.PAIRS)
    assert found("en-lsg", "pairs", table, size).keys() == wanted


def test_which_rows_are_told() -> None:
    rows = [pair(text, "masculine", []) for text in "abcdbd"]
    rows[2]["pair_id"] = "p0"
    table = pa.Table.from_pylist(rows, schema=schema.PAIRS)
    messages = found("en-lsg", "pairs", table, 2)
    assert messages["duplicate-id"].startswith("2 rows (4, 5): ")
    assert messages["pair-id"].startswith("1 row (2): ")


def test_rows_of_another_configuration() -> None:
    table = pa.Table.from_pylist([pair("a", "masculine", [])], schema=schema.PAIRS)
    assert found("de-lsg", "pairs", table).keys() == {"wrong-config"}
    table = pa.Table.from_pylist([crow("de", "Er.", "Sie.")], schema=schema.CROWS)
    assert found("de-crows", "crows", table) == {}
    assert found("fr-crows", "crows", table).keys() == {"wrong-config"}


def test_ids_of_judged_pairs() -> None:
    table = pa.Table.from_pylist(
        [crow("de", "Er.", "Sie."), crow("de", "Er da.", "Sie da.", pair_id="p1")],
        schema=schema.CROWS,
    )
    assert found("de-crows", "crows", table)["pair-id"].startswith("1 row (1)")


def test_a_person_stands_once_in_a_language() -> None:
    people = [person("Q1", "A"), person("Q1", "B", lang="ar"), person("Q1", "C")]
    table = pa.Table.from_pylist(people, schema=schema.POLITICIANS)
    assert found("politicians", "politicians", table, 1)["duplicate-id"].startswith("1 row (2)")


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan])
def test_numbers_are_finite(number: float) -> None:
    name = {
        "lang": "en", "country": "", "name": "Ada", "gender": "feminine", "share": number,
        "people": None, "source": "s",
    }  # fmt: skip
    table = pa.Table.from_pylist([name], schema=RELEASE_NAMES)
    assert "'share'" in found("names", "names", table)["not-finite"]


def test_numbers_inside_structs_are_looked_at() -> None:
    one = pair("a", "masculine", [], "both")
    one["fill"]["p_f"] = math.nan
    rows = [pair("b", "masculine", []), one]
    table = pa.Table.from_pylist(rows, schema=schema.PAIRS)
    assert found("en-lsg", "pairs", table)["not-finite"].startswith("1 numbers in 'fill'")


def test_the_first_rows_are_shown() -> None:
    assert shown_rows([3], 1) == "1 row (3)"
    assert shown_rows(range(5), 5) == "5 rows (0, 1, 2, 3, 4)"
    assert shown_rows(range(2_000), 2_000) == "2,000 rows (0, 1, 2, 3, 4, …)"
