"""Columns as `datasets` writes them in a card (``dataset_info.features``)."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

__all__ = ["hub_features", "type_in_words"]

# Arrow's names of types that `datasets` calls otherwise.
_NAMES = {"double": "float64", "float": "float32", "halffloat": "float16", "date32[day]": "date32"}


def hub_features(schema: pa.Schema) -> list[dict[str, Any]]:
    """Name and type of every column; lists and structs nest as the Hub's format has them."""
    return [_named(column) for column in schema]


def _named(column: pa.Field) -> dict[str, Any]:
    return {"name": column.name} | _type(column.type)


def _type(kind: pa.DataType) -> dict[str, Any]:
    if pa.types.is_list(kind):
        return {"list": _inner(kind.value_type)}
    if pa.types.is_large_list(kind):
        return {"large_list": _inner(kind.value_type)}
    if pa.types.is_struct(kind):
        return {"struct": [_named(kind.field(number)) for number in range(kind.num_fields)]}
    return {"dtype": _NAMES.get(str(kind), str(kind))}


def _inner(kind: pa.DataType) -> Any:
    """What stands under a list: the name of a plain type, the fields of a struct, or more."""
    found = _type(kind)
    return found.get("dtype") or found.get("struct") or found


def type_in_words(kind: pa.DataType) -> str:
    """A type for readers: ``list of string``, ``record of start, end, rule``."""
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return f"list of {type_in_words(kind.value_type)}"
    if pa.types.is_struct(kind):
        names = (kind.field(number).name for number in range(kind.num_fields))
        return f"record of {', '.join(names)}"
    return _NAMES.get(str(kind), str(kind))
