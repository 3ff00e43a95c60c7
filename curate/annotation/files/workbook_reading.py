"""XLSX in: texts as they stand, formulas found and never evaluated."""

from __future__ import annotations

import warnings
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curate.annotation.campaign import Campaign
from curate.annotation.files.escaped import unescaped
from curate.annotation.files.returned import Returned
from curate.annotation.files.table import NEEDED, Row, returned_rows
from curate.annotation.files.workbook import TASKS
from curate.annotation.files.workbook_package import check_package
from curate.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook

__all__ = ["read"]

_MOST_COLUMNS, _MOST_ROWS = 64, 1_048_576
_BROKEN = (
    KeyError, ValueError, TypeError, AttributeError, IndexError, SyntaxError, OSError, EOFError,
    zipfile.BadZipFile, zlib.error,
)  # fmt: skip
"""What openpyxl raises for a workbook whose parts do not fit together."""


def read(campaign: Campaign, path: Path) -> list[Returned]:
    """Read the sheet of tasks; links to other files are not followed."""
    try:
        from openpyxl import load_workbook
    except ImportError as error:
        raise MissingExtraError("openpyxl", "translate") from error
    check_package(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # lost looks and lists, which are not read
            book = load_workbook(path, read_only=True, keep_links=False, data_only=False)
        try:
            header, rows = _table(book, path)
        finally:
            book.close()
    except _BROKEN as error:
        reason = f"{type(error).__name__}: {error}"[:120]
        raise InputError(f"a broken workbook ({reason})", where=path) from error
    return returned_rows(campaign, header, rows, path)


def _table(book: Workbook, path: Path) -> tuple[list[str], list[Row]]:
    """Header and rows of the sheet called tasks, else of the first that holds our columns."""
    named = [sheet for sheet in book.worksheets if sheet.title == TASKS]
    headers = []
    for sheet in [*named, *(sheet for sheet in book.worksheets if sheet.title != TASKS)]:
        lines = _lines(sheet)
        header = [_text(value).strip().lower() for value, _ in next(lines, (1, []))[1]]
        headers.append([name for name in header if name])
        if set(NEEDED) <= set(header) or sheet.title == TASKS:
            while header and not header[-1]:
                header.pop()
            rows = (_row(path, header, number, cells) for number, cells in lines)
            return header, [row for row in rows if row is not None]
    shown = "; ".join(", ".join(names[:4]) for names in headers[:3])
    raise InputError(f"no sheet of tasks here; the sheets begin with {shown}", where=path)


def _lines(sheet: Any) -> Iterator[tuple[int, list[tuple[Any, str]]]]:
    """Rows with their number, each cell as (value, type); the stated size is not believed."""
    sheet.reset_dimensions()
    for number, cells in enumerate(sheet.iter_rows(max_col=_MOST_COLUMNS), start=1):
        if number > _MOST_ROWS:
            raise InputError(f"more than {_MOST_ROWS:,} rows", where=sheet.title)
        yield number, [(cell.value, cell.data_type) for cell in cells]


def _row(path: Path, header: list[str], number: int, cells: list[tuple[Any, str]]) -> Row | None:
    from openpyxl.utils import get_column_letter

    texts: dict[str, str] = {}
    formulas: dict[str, str] = {}
    for column, (name, (value, kind)) in enumerate(zip(header, cells, strict=False), start=1):
        texts[name] = _text(value)
        if kind in {"f", "e"}:  # "e": the #NAME? that an evaluated formula left behind
            formulas[name] = f"{get_column_letter(column)}{number}"
    if not any(text.strip() for text in texts.values()):
        return None
    column = header.index(NEEDED[0]) + 1 if NEEDED[0] in header else 1
    place = f"{get_column_letter(column)}{number}"
    return Row(f"{path}!{place}", f"{path.name}!{place}", texts, formulas)


def _text(value: Any) -> str:
    """A cell as text: what a spreadsheet took for a number, a date or a truth value, too."""
    if value is None:
        return ""
    if isinstance(value, str):
        return unescaped(value)
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if hasattr(value, "isoformat"):
        return str(value.isoformat())
    return str(getattr(value, "text", None) or value)  # .text: a formula over several cells
