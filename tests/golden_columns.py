"""The columns that were promised, and whether today's tables keep the promise.

``tests/golden/columns.json`` holds every public table with its columns, types and whether they may
be null, and the version of the schema that promised them. After a change that is meant, raise
`curate.schema.SCHEMA_VERSION` as the failing test says, and write the file anew:

    python -m tests.golden_columns

It refuses to write a breaking change under a version that does not tell it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
from semver import Version

from curate import schema
from curate.hub import layout

__all__ = [
    "GOLDEN", "Broken", "Column", "Promise", "advice", "broken_promises", "columns_of", "promised",
    "today", "written",
]  # fmt: skip

GOLDEN = Path(__file__).parent / "golden" / "columns.json"
COMMAND = "python -m tests.golden_columns"
Level = Literal["major", "minor"]


@dataclass(frozen=True)
class Column:
    type: str
    nullable: bool


@dataclass(frozen=True)
class Promise:
    """The tables of one version of the schema: columns by name, in order."""

    version: str
    tables: Mapping[str, Mapping[str, Column]]


@dataclass(frozen=True)
class Broken:
    """A difference that the version does not tell."""

    level: Level
    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what} ({self.level})"


def today() -> Promise:
    """What the code has: the tables of `curate.schema` and those that only releases hold."""
    found = {name: getattr(schema, name) for name in schema.__all__}
    found |= {name: getattr(layout, name) for name in layout.__all__ if name.startswith("RELEASE_")}
    tables = {name: table for name, table in found.items() if isinstance(table, pa.Schema)}
    columns = {name: columns_of(table) for name, table in sorted(tables.items())}
    return Promise(schema.SCHEMA_VERSION, columns)


def columns_of(table: pa.Schema) -> dict[str, Column]:
    """The columns of a table; those inside a struct by their path, ``fill.k``."""
    return {
        name: column
        for field in table
        for name, column in _fields(field.name, field.type, field.nullable)
    }


def _fields(name: str, kind: pa.DataType, nullable: bool) -> list[tuple[str, Column]]:
    shown = "struct" if pa.types.is_struct(kind) else str(kind)
    inner: list[tuple[str, Column]] = []
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        value = kind.value_field
        if pa.types.is_struct(value.type):
            shown = f"{str(kind).partition('<')[0]}<struct>"
            inner = _inside(f"{name}[]", value.type)
    if pa.types.is_struct(kind):
        inner = _inside(name, kind)
    return [(name, Column(shown, nullable)), *inner]


def _inside(name: str, kind: pa.DataType) -> list[tuple[str, Column]]:
    fields = (kind.field(number) for number in range(kind.num_fields))
    return [c for f in fields for c in _fields(f"{name}.{f.name}", f.type, f.nullable)]


def promised(path: Path = GOLDEN) -> Promise:
    """What the golden file promises."""
    content = json.loads(path.read_text(encoding="utf-8"))
    tables = {
        table: {
            name: Column(told["type"], told["nullable"]) for name, told in columns.items()
        }
        for table, columns in content["tables"].items()
    }  # fmt: skip
    return Promise(content["version"], tables)


def broken_promises(old: Promise, new: Promise) -> list[Broken]:
    """What `new` changed without a version that tells it; empty where all is well.

    A table or column that is gone (a renamed one is gone, and another has come), has another type
    or may be null where it was not (or the reverse) asks for a higher major version; one that came
    for a higher minor version at least. A version below the promised one is broken too.
    """
    before, now = Version.parse(old.version), Version.parse(new.version)
    if now < before:
        return [Broken("major", "SCHEMA_VERSION", f"goes back from {before} to {now}")]
    found = [broken for table in sorted(old.tables.keys() | new.tables.keys())
             for broken in _table_changes(table, old, new)]  # fmt: skip
    if now.major > before.major:
        return []
    if (now.major, now.minor) > (before.major, before.minor):
        return [broken for broken in found if broken.level == "major"]
    return found


def _table_changes(table: str, old: Promise, new: Promise) -> list[Broken]:
    if table not in new.tables:
        return [Broken("major", table, "the table is gone")]
    if table not in old.tables:
        return [Broken("minor", table, "a table came")]
    before, now = old.tables[table], new.tables[table]
    found = []
    for name in [*before, *(name for name in now if name not in before)]:
        found += _column_changes(f"{table}.{name}", before.get(name), now.get(name))
    return found


def _column_changes(where: str, old: Column | None, new: Column | None) -> list[Broken]:
    if old is None:
        return [Broken("minor", where, "the column came")]
    if new is None:
        return [Broken("major", where, "the column is gone")]
    found = []
    if old.type != new.type:
        found.append(Broken("major", where, f"is {new.type}, promised as {old.type}"))
    if old.nullable != new.nullable:
        said = "may be null now" if new.nullable else "may not be null any more"
        found.append(Broken("major", where, said))
    return found


def advice(old: Promise, broken: list[Broken]) -> str:
    """What to do about broken promises, for who reads the failing test."""
    before = Version.parse(old.version)
    major = any(item.level == "major" for item in broken)
    asked = before.bump_major() if major else before.bump_minor()
    lines = "\n".join(f"  {item}" for item in broken)
    return (
        f"columns differ from what version {before} promised:\n{lines}\n"
        f"If this is meant, set SCHEMA_VERSION to {asked} in curate/schema/__init__.py and run"
        f" `{COMMAND}`. Releases made with these columns need a {'major' if major else 'minor'}"
        " version."
    )


def written(promise: Promise) -> str:
    """The text of the golden file."""
    tables: dict[str, Any] = {
        table: {name: {"type": c.type, "nullable": c.nullable} for name, c in columns.items()}
        for table, columns in promise.tables.items()
    }
    return json.dumps({"version": promise.version, "tables": tables}, indent=1) + "\n"


def main() -> int:
    new = today()
    if GOLDEN.exists():
        old = promised()
        broken = broken_promises(old, new)
        if broken:
            sys.stderr.write(advice(old, broken) + "\n")
            return 1
    GOLDEN.parent.mkdir(parents=True, exist_ok=True)
    GOLDEN.write_text(written(new), encoding="utf-8")
    sys.stdout.write(f"{GOLDEN.name}: {len(new.tables)} tables of version {new.version}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
