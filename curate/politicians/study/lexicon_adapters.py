"""Adapters: how to read a sentiment lexicon of anybody's layout, as data.

An adapter is a TOML file::

    name = "name of the lexicon"
    scale = "-1..1"                 # or "negative<positive": see curate.politicians.study.lexica
    header = true                   # the first line names the columns
    delimiter = ","                 # "tab", "space" or one character
    word = "ADJECTIVE"              # a column: its name, or its number from 1
    value = "TomDS"                 # the column of the value; "3,2" joins two columns by a space
    minus = ""                      # a column to subtract from it (separate positive, negative)
    split = ""                      # what separates several words of one cell
    comment = ""                    # lines that begin so are no entries
    [replace]                       # in words, before anything else
    "_" = " "
    [[file]]
    path = "lexicon.csv"            # beside the adapter
    value = ""                      # the value of all words, where a file is a mere list of words

Lines that are blank, or whose value is empty, are no entries.
"""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curate.errors import InputError
from curate.sources.decoding import lines_of, read_unicode

__all__ = ["Adapted", "Entry", "adapted", "adapter_files"]

_KEYS = {
    "name", "scale", "header", "delimiter", "word", "value", "minus", "split", "comment",
    "replace", "file",
}  # fmt: skip
_DELIMITERS = {"tab": "\t", "space": " "}


@dataclass(frozen=True, slots=True)
class Entry:
    """A word and its value as written; `where` is file and line."""

    word: str
    value: str
    where: str


@dataclass(frozen=True, slots=True)
class Adapted:
    """The entries of a lexicon, its name and its scale as written."""

    name: str
    scale: str
    entries: list[Entry]


def adapted(path: Path) -> Adapted:
    """The lexicon that an adapter describes; InputError with file and line."""
    told = _told(path)
    entries: list[Entry] = []
    for file in told["file"]:
        entries += _entries(path.parent / file["path"], told, str(file.get("value", "")))
    return Adapted(str(told.get("name", path.stem)), str(told["scale"]), entries)


def adapter_files(path: Path) -> list[Path]:
    """The files that an adapter reads."""
    return [path.parent / file["path"] for file in _told(path)["file"]]


def _told(path: Path) -> dict[str, Any]:
    try:
        told = tomllib.loads(read_unicode(path))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not TOML ({error})", where=path) from error
    unknown = set(told) - _KEYS
    missing = {"scale", "file"} - set(told)
    if unknown or missing:
        what = f"unknown key {min(unknown)!r}" if unknown else f"no key {min(missing)!r}"
        raise InputError(what, where=path, hint=f"the keys are {', '.join(sorted(_KEYS))}")
    return told


def _entries(path: Path, told: Mapping[str, Any], constant: str) -> Iterator[Entry]:
    rows = _rows(path, told)
    header: list[str] = []
    if told.get("header", False):
        _, header = next(rows, (0, []))
    word = _column(told.get("word", 1), header, path)
    values = [_column(part, header, path) for part in str(told.get("value", 2)).split(",")]
    minus = _column(told["minus"], header, path) if told.get("minus") else None
    for line, cells in rows:
        where = f"{path}:{line}"
        if constant:
            value = constant
        elif max([*values, minus or 0, word]) >= len(cells):
            raise InputError(f"{len(cells)} cells are too few", where=where)
        else:
            value = " ".join(cells[place].strip() for place in values).strip()
            if minus is not None:
                value = _difference(value, cells[minus], where)
        if not value:
            continue
        for own in _words(cells[word], told):
            yield Entry(own, value, where)


def _rows(path: Path, told: Mapping[str, Any]) -> Iterator[tuple[int, list[str]]]:
    delimiter = str(told.get("delimiter", "tab"))
    delimiter = _DELIMITERS.get(delimiter, delimiter)
    comment = str(told.get("comment", ""))
    for number, line in enumerate(lines_of(read_unicode(path)), start=1):
        text = line.rstrip("\r\n")
        if not text.strip() or (comment and text.startswith(comment)):
            continue
        quoted = delimiter == ","
        yield number, next(csv.reader([text])) if quoted else text.split(delimiter)


def _column(named: Any, header: list[str], path: Path) -> int:
    text = str(named).strip()
    if text in header:
        return header.index(text)
    if text.isdigit() and int(text) > 0:
        return int(text) - 1
    raise InputError(
        f"no column {text!r}", where=f"{path}:1", hint="a name in the header, or a number from 1"
    )


def _difference(positive: str, negative: str, where: str) -> str:
    try:
        return repr(float(positive) - float(negative))
    except ValueError as error:
        raise InputError("a value is no number", where=where) from error


def _words(cell: str, told: Mapping[str, Any]) -> list[str]:
    split = str(told.get("split", ""))
    parts = cell.split(split) if split else [cell]
    for old, new in told.get("replace", {}).items():
        parts = [part.replace(old, new) for part in parts]
    return [part.strip() for part in parts if part.strip()]
