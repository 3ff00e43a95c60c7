"""The layouts in which the CrowS-Pairs family is published, as raw rows of one kind.

CrowS-Pairs (Nangia et al. 2020), its revised and multilingual files (Fort et al. 2024), the pairs
of S_JSD (Steinborn et al. 2022), StereoSet (Nadeem et al. 2021).
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from curate.errors import InputError
from curate.sources.decoding import lines_of, read_unicode
from curate.sources.delimited import Delimited, parse_delimited
from curate.sources.files import plain_suffix

__all__ = ["LAYOUTS", "RawRow", "read_layout"]

LAYOUTS = ("crows", "revised", "multilingual", "sjsd", "stereoset")
"""`revised` and `multilingual` are one layout of two names: columns that end in a locale."""

_DELIMITERS = ",\t;"
_IDS = ("id", "index", "", "unnamed: 0")
_LOCALE = r"[a-z]{2,3}(?:[_-][A-Za-z0-9]{2,8})*"
# Fields by layout: the columns (lower-cased) that may hold each, first come, first taken.
_FIELDS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "crows": {
        "more": ("sent_more",), "less": ("sent_less",),
        "direction": ("stereo_antistereo",), "bias": ("bias_type",),
    },
    "sjsd": {
        "more": ("a_x",), "less": ("b_x",),
        "direction": ("stereo_antistereo",), "bias": ("bias_type",),
    },
}  # fmt: skip
_NEEDED = {"more", "less", "direction"}
_BIAS_OF = {"sjsd": "gender"}  # S_JSD holds gender pairs alone and has no such column


@dataclass(frozen=True)
class RawRow:
    """One pair as its file holds it; `problem` (code, detail) where it holds none."""

    row: int
    source_id: str
    more: str = ""
    less: str = ""
    direction: str = ""
    bias: str = ""
    locale: str = ""
    problem: tuple[str, str] | None = field(default=None)


def read_layout(path: Path, layout: str) -> tuple[str, list[RawRow]]:
    """The layout (found where ``auto``) and the rows of a file, each of one language.

    Of a file of several locales every row gives one `RawRow` for each. Rows count from 0.
    Raises InputError for wrong encoding, a file of another layout, broken quotes or JSON.
    """
    if layout == "stereoset" or (layout == "auto" and plain_suffix(path) == ".json"):
        return "stereoset", list(_stereoset(path))
    lines = list(lines_of(read_unicode(path)))
    if not any(line.strip() for line in lines):
        raise InputError("the file is empty", where=path)
    found, columns, delimiter = _recognise(path, lines[0], layout)
    table = parse_delimited(path, lines, delimiter)
    return found, [
        raw for locale, places in columns.items() for raw in _rows(table, places, locale, found)
    ]


Places = Mapping[str, int]


def _recognise(path: Path, first: str, layout: str) -> tuple[str, dict[str, Places], str]:
    """The layout, the places of the fields by locale, and the delimiter under which they are."""
    headers = {d: next(csv.reader([first], delimiter=d), []) for d in _DELIMITERS}
    for delimiter, header in headers.items():
        names = [name.strip() for name in header]
        for known in LAYOUTS[:-1] if layout == "auto" else (layout,):
            columns = _columns(names, known)
            if columns:
                return known, columns, delimiter
    header = max(headers.values(), key=len)
    shown = ", ".join(repr(name.strip()[:40]) for name in header[:12])
    wanted = "of CrowS-Pairs" if layout == "auto" else f"in the layout {layout!r}"
    raise InputError(
        f"not a table {wanted}; the columns are {shown}",
        where=f"{path}:1",
        hint="wanted: sent_more,sent_less,stereo_antistereo,bias_type (or the same with _en_US and "
        "the like), or ID,A_x,B_x,stereo_antistereo",
    )


def _columns(header: list[str], layout: str) -> dict[str, Places]:
    """Places of the fields by locale (``""`` where the file names none); empty if it is another."""
    names = [name.lower() for name in header]
    ids = [name for name in _IDS if name in names]
    own = {"id": names.index(ids[0])} if ids else {}
    if layout in _FIELDS:
        places = own | {
            part: names.index(name)
            for part, columns in _FIELDS[layout].items()
            for name in columns
            if name in names
        }
        return {"": places} if places.keys() >= _NEEDED else {}
    found: dict[str, Places] = {}
    for name in header:
        match = re.fullmatch(rf"sent_more_({_LOCALE})", name, re.IGNORECASE)
        places = _of_locale(names, match[1].lower()) if match else {}
        if match and places.keys() >= _NEEDED:
            found[match[1]] = own | places
    return found


def _of_locale(names: list[str], locale: str) -> dict[str, int]:
    """Places of the columns that end in a locale, or without it where the file has one for all."""
    places = {}
    for part, (column,) in _FIELDS["crows"].items():
        written = f"{column}_{locale}"
        if written in names or column in names:
            places[part] = names.index(written if written in names else column)
    return places


def _rows(table: Delimited, places: Places, locale: str, layout: str) -> Iterator[RawRow]:
    width = len(table.header)
    for row, (cells, line) in enumerate(zip(table.rows, table.lines, strict=True)):
        at = places.get("id")
        source_id = cells[at].strip() if at is not None and at < len(cells) else str(row)
        if len(cells) != width:
            detail = f"line {line}: {len(cells)} cells, the header has {width}"
            yield RawRow(row, source_id, locale=locale, problem=("cell-count", detail))
            continue
        cell = {part: cells[place] for part, place in places.items()}
        yield RawRow(
            row,
            source_id,
            more=cell["more"],
            less=cell["less"],
            direction=cell["direction"],
            bias=cell.get("bias", _BIAS_OF.get(layout, "")),
            locale=locale,
        )


_SIDES = {"stereotype": "more", "anti-stereotype": "less"}


def _stereoset(path: Path) -> Iterator[RawRow]:
    text = read_unicode(path)
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON ({error.msg})", where=f"{path}:{error.lineno}") from error
    except RecursionError as error:
        raise InputError("JSON nested too deeply", where=path) from error
    value = value.get("data", value) if isinstance(value, dict) else {}
    tasks = [value.get(task) for task in ("intrasentence", "intersentence")]
    items = [item for task in tasks if isinstance(task, list) for item in task]
    if not items:
        raise InputError(
            "no list under `intrasentence` or `intersentence`",
            where=path,
            hint='a StereoSet file holds {"data": {"intrasentence": [{"sentences": [...]}]}}',
        )
    for row, item in enumerate(items):
        yield from _stereoset_item(row, item if isinstance(item, dict) else {})


def _stereoset_item(row: int, item: Mapping[str, Any]) -> Iterator[RawRow]:
    """The pair of an item, and its unrelated sentences as problems."""
    source_id = str(item.get("id", row))
    context = str(item.get("context", ""))
    sides: dict[str, str] = {}
    listed = item.get("sentences")
    for sentence in listed if isinstance(listed, list) else []:
        if not isinstance(sentence, dict):
            continue
        text, label = str(sentence.get("sentence", "")), str(sentence.get("gold_label", ""))
        if label in _SIDES:
            sides[_SIDES[label]] = text
        else:
            yield RawRow(row, source_id, problem=("unrelated", f"label {label!r}: {text}"))
    if len(sides) < len(_SIDES):
        missing = ", ".join(label for label, side in _SIDES.items() if side not in sides)
        yield RawRow(row, source_id, problem=("cell-count", f"no sentence labelled {missing}"))
        return
    if "BLANK" not in context and context:  # the sentences of such an item go on after the context
        sides = {side: f"{context.strip()} {text.strip()}" for side, text in sides.items()}
    yield RawRow(
        row, source_id, sides["more"], sides["less"], "stereo", str(item.get("bias_type", ""))
    )
