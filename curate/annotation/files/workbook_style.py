"""How the sheet of tasks looks and what may be changed in it."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from curate.annotation.files.given import INFO
from curate.annotation.form import TEXT_FIELDS, Field, form_of

if TYPE_CHECKING:
    from openpyxl.cell.cell import Cell
    from openpyxl.worksheet.worksheet import Worksheet

__all__ = ["FONT", "Styles", "dress_line", "dress_page", "dress_sheet", "row_height"]

FONT = "Calibri"

_TECHNICAL = frozenset({"task_id", "hash", "campaign", "lang", "given"})
_WIDTHS = dict.fromkeys(("source_more", "source_less", "text_more", "text_less"), 38.0) | {
    **dict.fromkeys(TEXT_FIELDS, 46.0), "findings": 44.0, "others": 40.0, "names": 20.0,
    "note": 30.0, "suggestion": 18.0,
}  # fmt: skip
_WIDTH = 15.0
_LINE, _FEWEST, _MOST = 15.0, 3, 25
_PAGE = 100
_READING = {"ltr": 1, "rtl": 2}


class Styles:
    """The looks of cells; `source` and `target` are the directions of the two languages."""

    def __init__(self, *, source: str, target: str) -> None:
        self.source, self.target = source, target

    @cached_property
    def _parts(self) -> dict[Any, Any]:
        from openpyxl.styles import Border, Font, PatternFill, Protection, Side

        line = Side(style="thin", color="C9C9C9")
        plain: dict[Any, Any] = {
            "answer": PatternFill("solid", fgColor="FFF8DC"),
            "given-head": PatternFill("solid", fgColor="D9DEE8"),
            "answer-head": PatternFill("solid", fgColor="F3D98B"),
            "bold": Font(name=FONT, bold=True),
            "open": Protection(locked=False),
            "border": Border(left=line, right=line, top=line, bottom=line),
        }
        for name in ("ltr", "rtl"):
            plain[name] = _alignment(name)
        return plain

    def header(self, cell: Cell, *, answer: bool) -> None:
        """Dress the cell above a column."""
        cell.fill = self._parts["answer-head" if answer else "given-head"]
        cell.font = self._parts["bold"]

    def body(self, cell: Cell, *, answer: bool, target: bool) -> None:
        """Dress a cell of a task. The format is text: what is typed there stays what it is."""
        cell.number_format = "@"
        cell.alignment = self._parts[self.target if target else self.source]
        cell.border = self._parts["border"]
        if answer:
            cell.protection = self._parts["open"]
            cell.fill = self._parts["answer"]


def _alignment(way: str) -> Any:
    """Wrapped text that begins at the top, on the side where the language begins."""
    from openpyxl.styles import Alignment

    side = "right" if way == "rtl" else "left"
    return Alignment(wrap_text=True, vertical="top", readingOrder=_READING[way], horizontal=side)


def row_height(texts: Mapping[str, str]) -> float:
    """Points that a row needs for its longest text: a program that opens a file fits none."""
    lines = _FEWEST  # room to write in
    for name, text in texts.items():
        if name in _TECHNICAL:
            continue
        width = _WIDTHS.get(name, _WIDTH) * 0.9
        wanted = sum(math.ceil(max(_cells(line), 1) / width) for line in text.split("\n"))
        lines = max(lines, min(wanted, _MOST))
    return lines * _LINE + 4


def _cells(line: str) -> int:
    """Columns of a terminal or sheet that a line takes: two for a wide character (UAX 11)."""
    return sum(2 if unicodedata.east_asian_width(one) in {"W", "F"} else 1 for one in line)


def dress_sheet(
    sheet: Worksheet, answers: Sequence[str], stages: Sequence[str], *, empty: set[str],
    right_to_left: bool,
) -> None:  # fmt: skip
    """Widths, frozen header, drop-down lists, and locks without a password on what is given."""
    from openpyxl.utils import get_column_letter

    for number, name in enumerate((*INFO, *answers), start=1):
        column = sheet.column_dimensions[get_column_letter(number)]
        column.width = _WIDTHS.get(name, _WIDTH)
        column.hidden = name in _TECHNICAL or name in empty
        fields = _fields(name, stages) if name in answers else []
        choices = list(dict.fromkeys(choice for field in fields for choice in field.choices))
        if choices:
            many = any(field.many for field in fields)
            _drop_down(sheet, get_column_letter(number), name, choices, many=many)
    sheet.freeze_panes = "A2"
    sheet.print_title_rows = "1:1"
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.fitToHeight = 0  # as many pages as it takes, each as wide as the sheet
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
    sheet.sheet_view.rightToLeft = right_to_left
    sheet.protection.sheet = True
    for allowed in ("formatCells", "formatColumns", "formatRows", "sort", "autoFilter"):
        setattr(sheet.protection, allowed, False)  # False: not forbidden


def dress_line(sheet: Worksheet, row: int, *, heading: bool, length: int, way: str = "ltr") -> None:
    """A line of a page of text: `length` characters in its last column, `way` its direction."""
    from openpyxl.styles import Font

    for column, cell in enumerate(sheet[row], start=1):
        cell.alignment = _alignment(way)
        cell.font = Font(name=FONT, bold=heading and column == 1)
    sheet.row_dimensions[row].height = (_LINE + 1) * (1 + length // _PAGE)


def dress_page(sheet: Worksheet, *, widths: Sequence[float], right_to_left: bool) -> None:
    """A page of text that is read and not changed."""
    from openpyxl.utils import get_column_letter

    for number, width in enumerate(widths, start=1):
        sheet.column_dimensions[get_column_letter(number)].width = width
    sheet.sheet_view.rightToLeft = right_to_left
    sheet.page_setup.fitToHeight = 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
    sheet.protection.sheet = True


def _fields(name: str, stages: Sequence[str]) -> list[Field]:
    forms = [form_of(stage) for stage in stages]
    return [form.fields[name] for form in forms if name in form.fields]


def _drop_down(
    sheet: Worksheet, letter: str, name: str, choices: Sequence[str], *, many: bool
) -> None:
    from openpyxl.worksheet.datavalidation import DataValidation

    rule = DataValidation(type="list", formula1=f'"{",".join(choices)}"', allow_blank=True)
    rule.showErrorMessage = not many  # several choices with commas are typed
    rule.errorTitle, rule.error = name, f"One of: {', '.join(choices)}"
    if many:
        rule.promptTitle, rule.prompt = name, "Several: type them with commas between."
        rule.showInputMessage = True
    sheet.add_data_validation(rule)
    rule.add(f"{letter}2:{letter}{max(sheet.max_row, 2)}")
