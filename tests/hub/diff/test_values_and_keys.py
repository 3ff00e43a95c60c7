"""Comparing columns and matching rows, against naive Python."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate import schema
from curate.hub.diff.keys import KINDS, kind_of, left_over, matches, row_codes
from curate.hub.diff.values import differing
from curate.schema.pairs import EDITS, FILL

TEXTS = st.none() | st.sampled_from(["", "a", "b", "\N{LATIN SMALL LETTER E WITH ACUTE}"])
NUMBERS = st.none() | st.integers(0, 2)
FLOATS = st.none() | st.sampled_from([0.0, 0.5, float("nan")])
EDIT = st.fixed_dictionaries({"start": NUMBERS, "end": NUMBERS, "rule": TEXTS})
FILLED = {field.name: st.none() for field in FILL} | {"model": TEXTS, "k": NUMBERS, "p_m": FLOATS}
COLUMNS: dict[str, tuple[pa.DataType, st.SearchStrategy[Any]]] = {
    "text": (pa.string(), TEXTS),
    "number": (pa.int32(), NUMBERS),
    "float": (pa.float64(), FLOATS),
    "flag": (pa.bool_(), st.none() | st.booleans()),
    "list": (pa.list_(pa.string()), st.none() | st.lists(TEXTS, max_size=2)),
    "edits": (EDITS, st.none() | st.lists(EDIT, max_size=2)),
    "fill": (FILL, st.none() | st.fixed_dictionaries(FILLED)),
    "lists": (pa.list_(pa.list_(pa.int8())), st.lists(st.lists(NUMBERS, max_size=2), max_size=2)),
    "map": (pa.map_(pa.string(), pa.int8()), st.none() | st.just([("a", 1)]) | st.just([])),
    "nothing": (pa.null(), st.none()),
}


def plain(value: Any) -> str:
    """A value as text, so that not-a-number is like itself."""
    return repr(value)


@pytest.mark.parametrize("name", COLUMNS)
@given(data=st.data())
def test_columns_differ_where_their_values_do(name: str, data: st.DataObject) -> None:
    kind, values = COLUMNS[name]
    pairs = data.draw(st.lists(st.tuples(values, values), max_size=6))
    old, new = (pa.array([pair[side] for pair in pairs], type=kind) for side in (0, 1))
    naive = [plain(a) != plain(b) for a, b in zip(old.to_pylist(), new.to_pylist(), strict=True)]
    assert differing(old, new).tolist() == naive
    assert not differing(old, old).any()
    cut = len(pairs) // 2
    chunked = pa.chunked_array([old.slice(0, cut), old.slice(cut)], type=kind)
    assert differing(chunked, new).tolist() == naive
    assert differing(old.slice(cut), new.slice(cut)).tolist() == naive[cut:]


def test_dictionaries_count_by_their_values() -> None:
    old = pa.array(["a", "b", None]).dictionary_encode()
    new = pa.array(["b", "a", None]).dictionary_encode()
    assert differing(old, new).tolist() == [True, True, False]
    assert differing(old, pa.array(["a", "b", None])).tolist() == [False, False, False]


KEYS = st.lists(st.tuples(TEXTS, NUMBERS), max_size=12)


@given(KEYS, KEYS)
def test_rows_match_by_all_columns_of_the_key(old: list[Any], new: list[Any]) -> None:
    """As many of a repeated key match as both sides have, first with first."""
    tables = [
        pa.table(
            {
                "a": pa.array([row[0] for row in rows], pa.string()),
                "b": pa.array([row[1] for row in rows], pa.int32()),
            }
        )
        for rows in (old, new)
    ]
    in_old, in_new = matches(*row_codes(*tables))
    assert [old[place] for place in in_old] == [new[place] for place in in_new]
    assert Counter(old[place] for place in in_old) == Counter(old) & Counter(new)
    assert in_old.tolist() == sorted(set(in_old.tolist()))
    assert len(set(in_new.tolist())) == len(in_new)
    for key in set(old) & set(new):
        mine = [int(b) for a, b in zip(in_old, in_new, strict=True) if old[a] == key]
        assert mine == [place for place, row in enumerate(new) if row == key][: len(mine)]


def test_left_over() -> None:
    assert left_over(4, [np.array([1]), np.array([3])]).tolist() == [0, 2]
    assert left_over(0, []).tolist() == []


def test_kinds_that_are_not_known_go_by_their_ids() -> None:
    table = pa.schema([("occupation", pa.string()), ("lang", pa.string()), ("share", pa.float64())])
    assert kind_of("occupations", table).keys == (("lang", "occupation"),)
    assert kind_of("else", pa.schema([("x", pa.int8()), ("y", FILL)])).keys == (("x",),)
    assert kind_of("pairs", schema.PAIRS) is KINDS["pairs"]
