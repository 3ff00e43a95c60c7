"""Arrow columns as Croissant fields, nested ones included.

A struct becomes a field with sub-fields, each taken out of the column by a JSON path; a list
becomes an array; a list of structs an array with sub-fields. `mlcroissant` reads all of them.
"""

from __future__ import annotations

import functools
import tomllib
from typing import Any

import pyarrow as pa

from curate.errors import InputError
from curate.resources import hub_cards_folder

__all__ = ["field_of", "fields_of"]

_COLUMNS = "columns.toml"
_TYPES: tuple[tuple[Any, str], ...] = (
    (pa.types.is_boolean, "sc:Boolean"),
    (pa.types.is_int8, "cr:Int8"),
    (pa.types.is_int16, "cr:Int16"),
    (pa.types.is_int32, "cr:Int32"),
    (pa.types.is_int64, "cr:Int64"),
    (pa.types.is_float32, "cr:Float32"),
    (pa.types.is_float64, "cr:Float64"),
    (pa.types.is_string, "sc:Text"),
    (pa.types.is_large_string, "sc:Text"),
)


def fields_of(record_set: str, file: str, columns: pa.Schema) -> list[dict[str, Any]]:
    """A field for every column of `file`; their ids begin with that of the record set.

    Raises InputError for a type that Croissant has no name for.
    """
    return [field_of(record_set, file, column) for column in columns]


def field_of(record_set: str, file: str, column: pa.Field) -> dict[str, Any]:
    """The field of one column; see `fields_of`."""
    source = {"fileObject": {"@id": file}, "extract": {"column": column.name}}
    field: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": f"{record_set}/{column.name}",
        "name": column.name,
        **_described(column.name),
    }
    inner, array = _element(column.type)
    field |= array
    if not pa.types.is_struct(inner):
        return field | {"dataType": _data_type(column.name, inner), "source": source}
    return field | {
        "subField": [_sub_field(field["@id"], part, column.name, source) for part in inner]
    }


def _sub_field(parent: str, part: pa.Field, column: str, source: dict[str, Any]) -> dict[str, Any]:
    inner, array = _element(part.type)
    # "edits_m" and "edits_f" hold the same parts
    whole = column.removesuffix("_m").removesuffix("_f")
    return {
        "@type": "cr:Field",
        "@id": f"{parent}/{part.name}",
        "name": part.name,
        **_described(f"{whole}.{part.name}"),
        "dataType": _data_type(f"{column}.{part.name}", inner),
        **array,
        "source": source | {"transform": {"jsonPath": part.name}},
    }


def _element(kind: pa.DataType) -> tuple[pa.DataType, dict[str, Any]]:
    """The type of a list's elements with what says that it is a list; of others the type itself."""
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return kind.value_type, {"isArray": True, "arrayShape": "-1"}
    return kind, {}


def _data_type(column: str, kind: pa.DataType) -> str:
    for is_kind, name in _TYPES:
        if is_kind(kind):
            return name
    raise InputError(f"column {column}: Croissant has no name for {kind}")


def _described(column: str) -> dict[str, str]:
    text = _descriptions().get(column)
    return {"description": text} if text else {}


@functools.cache
def _descriptions() -> dict[str, str]:
    """By column: what it holds."""
    content = tomllib.loads((hub_cards_folder() / _COLUMNS).read_text(encoding="utf-8"))
    return {name: str(text) for name, text in content.items()}
