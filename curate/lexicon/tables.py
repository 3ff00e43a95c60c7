"""Read the tab-separated files of a lexicon; every problem is kept with its file and line."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Problem", "Problems", "read_cells", "read_rows", "read_text"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding; `file` is relative to the language's folder, `line` 0 means the whole file."""

    lang: str
    file: str
    line: int
    message: str

    def __str__(self) -> str:
        place = f"{self.lang}/{self.file}" + (f":{self.line}" if self.line else "")
        return f"{place}: {self.message}"


class Problems:
    """Collects findings of one language."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self.found: list[Problem] = []

    def add(self, file: str, line: int, message: str) -> None:
        self.found.append(Problem(self.lang, file, line, message))


def read_text(path: Path, problems: Problems) -> str | None:
    """The file as NFC text, or None with the problem noted."""
    if not path.is_file():
        problems.add(path.name, 0, "file is missing")
        return None
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        problems.add(path.name, line, f"not UTF-8 (byte {error.start})")
        return None
    if "\r" in text:
        problems.add(path.name, 0, "line ends must be LF (sed -i 's/\\r$//' FILE)")
        text = text.replace("\r\n", "\n")
    if not unicodedata.is_normalized("NFC", text):
        problems.add(path.name, 0, "text must be in NFC")
        text = unicodedata.normalize("NFC", text)
    return text


def read_rows(
    path: Path, required: Sequence[str], problems: Problems, *, optional: Sequence[str] = ()
) -> Iterator[tuple[int, dict[str, str]]]:
    """(line number, cells by column) of every row; rows of a wrong width are noted and skipped."""
    columns = (*required, *optional)
    for number, cells in read_cells(path, required, problems, optional=optional):
        yield number, dict(zip(columns, cells, strict=True))


def read_cells(
    path: Path, required: Sequence[str], problems: Problems, *, optional: Sequence[str] = ()
) -> Iterator[tuple[int, list[str]]]:
    """(line number, cells in the order of `required` and `optional`) of every row; see `read_rows`.

    An optional column that the file does not have is empty.
    """
    text = read_text(path, problems)
    if text is None:
        return
    columns = [*required, *optional]
    header: list[str] = []
    width, in_order = 0, True
    for number, line in enumerate(text.split("\n"), start=1):
        if not line or line[0] == "#":
            continue
        cells = line.split("\t")
        if not header:
            header, width, in_order = cells, len(cells), cells == columns
            fault = _header_fault(header, required, optional)
            if fault:
                problems.add(path.name, number, f"wrong header: {fault}")
                return
            continue
        if len(cells) != width:
            cells = _padded(cells, width)
            if len(cells) != width:
                hint = "" if len(cells) > width else ": are there tabs between them?"
                problems.add(path.name, number, f"{len(cells)} cells, {width} expected{hint}")
                continue
        stripped = [*map(str.strip, cells)]
        if stripped != cells:
            problems.add(path.name, number, "a cell begins or ends with white space")
        if not in_order:
            by_name = dict(zip(header, stripped, strict=True))
            stripped = [by_name.get(name, "") for name in columns]
        yield number, stripped
    if not header:
        problems.add(path.name, 0, "file is empty")


def _header_fault(header: Sequence[str], required: Sequence[str], optional: Sequence[str]) -> str:
    missing = [name for name in required if name not in header]
    unknown = [name for name in header if name not in (*required, *optional)]
    return f"missing {missing}" if missing else f"unknown {unknown}" if unknown else ""


def _padded(cells: list[str], width: int) -> list[str]:
    """Editors cut empty cells at the end of a line: put them back, unless most are missing."""
    missing = width - len(cells)
    return [*cells, *[""] * missing] if 0 < missing <= width // 2 else cells
