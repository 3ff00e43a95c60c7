"""Read the tab-separated files of a lexicon; every problem is kept with its file and line."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Problem", "Problems", "read_rows"]


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
    text = read_text(path, problems)
    if text is None:
        return
    header: list[str] | None = None
    for number, line in enumerate(text.split("\n"), start=1):
        if not line or line.startswith("#"):
            continue
        cells = line.split("\t")
        if header is None:
            header = cells
            missing = [name for name in required if name not in header]
            unknown = [name for name in header if name not in (*required, *optional)]
            if missing or unknown:
                detail = f"missing {missing}" if missing else f"unknown {unknown}"
                problems.add(path.name, number, f"wrong header: {detail}")
                return
            continue
        if len(cells) > len(header) or len(cells) < len(header):
            cells = _padded(cells, len(header))
            if len(cells) != len(header):
                hint = "" if len(cells) > len(header) else ": are there tabs between them?"
                message = f"{len(cells)} cells, {len(header)} expected{hint}"
                problems.add(path.name, number, message)
                continue
        if any(cell != cell.strip() for cell in cells):
            problems.add(path.name, number, "a cell begins or ends with white space")
        yield (
            number,
            dict.fromkeys(optional, "") | dict(zip(header, map(str.strip, cells), strict=True)),
        )
    if header is None:
        problems.add(path.name, 0, "file is empty")


def _padded(cells: list[str], width: int) -> list[str]:
    """Editors cut empty cells at the end of a line: put them back, unless most are missing."""
    missing = width - len(cells)
    return [*cells, *[""] * missing] if 0 < missing <= width // 2 else cells
