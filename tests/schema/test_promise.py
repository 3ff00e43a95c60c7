"""The promise of columns: kept by today's tables, and broken by every change that breaks it."""

from __future__ import annotations

from collections.abc import Callable

import pyarrow as pa
import pytest

from tests.golden_columns import (
    COMMAND,
    GOLDEN,
    Promise,
    advice,
    broken_promises,
    columns_of,
    promised,
    today,
    written,
)

FILL = pa.struct([("model", pa.string()), ("k", pa.int32())])
EDITS = pa.list_(pa.struct([("start", pa.int32()), ("rule", pa.string())]))
FIELDS = (
    pa.field("pair_id", pa.string(), nullable=False),
    pa.field("lang", pa.string(), nullable=False),
    pa.field("fill", FILL),
    pa.field("edits", EDITS, nullable=False),
    pa.field("folds", pa.list_(pa.int8()), nullable=False),
)
Change = Callable[[list[pa.Field]], list[pa.Field]]


def test_today_keeps_the_promise() -> None:
    old, new = promised(), today()
    broken = broken_promises(old, new)
    assert not broken, advice(old, broken)
    assert GOLDEN.read_text(encoding="utf-8") == written(new), f"write it anew: {COMMAND}"


def test_every_public_table_is_promised() -> None:
    assert {"PAIRS", "CROWS", "DROPS", "SCORES", "RELEASE_DROPS", "RELEASE_LEXICON"} <= set(
        promised().tables
    )
    assert all(promised().tables.values())


def promise(fields: list[pa.Field], version: str = "1.2.0") -> Promise:
    return Promise(version, {"PAIRS": columns_of(pa.schema(fields))})


def without(name: str) -> Change:
    return lambda fields: [field for field in fields if field.name != name]


def with_field(name: str, field: pa.Field) -> Change:
    return lambda fields: [field if old.name == name else old for old in fields]


def adding(field: pa.Field) -> Change:
    return lambda fields: [*fields, field]


def fill(*inner: tuple[str, pa.DataType]) -> Change:
    return with_field("fill", pa.field("fill", pa.struct(inner)))


def edits(*inner: tuple[str, pa.DataType]) -> Change:
    kind = pa.list_(pa.struct(inner))
    return with_field("edits", pa.field("edits", kind, nullable=False))


START, RULE = ("start", pa.int32()), ("rule", pa.string())
MODEL, K = ("model", pa.string()), ("k", pa.int32())
BREAKING: dict[str, Change] = {
    "first column removed": without("pair_id"),
    "last column removed": without("folds"),
    "struct removed": without("fill"),
    "all but one removed": lambda fields: fields[:1],
    "renamed": with_field("lang", pa.field("language", pa.string(), nullable=False)),
    "other case": with_field("lang", pa.field("Lang", pa.string(), nullable=False)),
    "wider text": with_field("lang", pa.field("lang", pa.large_string(), nullable=False)),
    "text to number": with_field("lang", pa.field("lang", pa.int32(), nullable=False)),
    "wider items": with_field("folds", pa.field("folds", pa.list_(pa.int16()), nullable=False)),
    "list to item": with_field("folds", pa.field("folds", pa.int8(), nullable=False)),
    "null to required": with_field("fill", pa.field("fill", FILL, nullable=False)),
    "required to null": with_field("lang", pa.field("lang", pa.string())),
    "field of a struct removed": fill(MODEL),
    "field of a struct renamed": fill(MODEL, ("top_k", pa.int32())),
    "field of a struct retyped": fill(MODEL, ("k", pa.int64())),
    "field of a list's struct removed": edits(START),
    "field of a list's struct retyped": edits(START, ("rule", pa.int32())),
    "struct to text": with_field("fill", pa.field("fill", pa.string())),
    "one removed and one added": lambda fields: adding(pa.field("new", pa.string()))(fields[1:]),
}
ADDING: dict[str, Change] = {
    "column added": adding(pa.field("new", pa.string())),
    "required column added": adding(pa.field("new", pa.string(), nullable=False)),
    "column added in front": lambda fields: [pa.field("new", pa.int8()), *fields],
    "field of a struct added": fill(MODEL, K, ("p", pa.float64())),
    "field of a list's struct added": edits(START, RULE, ("end", pa.int32())),
}


@pytest.mark.parametrize("name", BREAKING)
def test_breaking_changes_need_a_higher_major_version(name: str) -> None:
    old, fields = promise(list(FIELDS)), BREAKING[name](list(FIELDS))
    for version in ("1.2.0", "1.2.1", "1.3.0"):
        broken = broken_promises(old, promise(fields, version))
        assert broken and any(item.level == "major" for item in broken), version
        assert "SCHEMA_VERSION to 2.0.0" in advice(old, broken)
    assert not broken_promises(old, promise(fields, "2.0.0"))


@pytest.mark.parametrize("name", ADDING)
def test_additions_need_a_higher_minor_version(name: str) -> None:
    old, fields = promise(list(FIELDS)), ADDING[name](list(FIELDS))
    for version in ("1.2.0", "1.2.1"):
        broken = broken_promises(old, promise(fields, version))
        assert {item.level for item in broken} == {"minor"}, version
        assert "SCHEMA_VERSION to 1.3.0" in advice(old, broken) and COMMAND in advice(old, broken)
    assert not broken_promises(old, promise(fields, "1.3.0"))
    assert not broken_promises(old, promise(fields, "2.0.0"))


def test_order_alone_breaks_nothing() -> None:
    """Columns are read by their names."""
    assert not broken_promises(promise(list(FIELDS)), promise(list(FIELDS[::-1])))


def test_tables_come_and_go() -> None:
    one = promise(list(FIELDS))
    two = Promise("1.2.0", {**one.tables, "MORE": one.tables["PAIRS"]})
    assert [item.level for item in broken_promises(one, two)] == ["minor"]
    assert [item.level for item in broken_promises(two, one)] == ["major"]


def test_the_version_never_goes_back() -> None:
    broken = broken_promises(promise(list(FIELDS)), promise(list(FIELDS), "1.1.0"))
    assert "goes back" in str(broken[0])
