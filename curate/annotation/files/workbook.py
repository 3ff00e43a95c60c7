"""XLSX out: tasks with locked sources and drop-down lists, instructions, and the guideline."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curate.annotation.campaign import Campaign
from curate.annotation.files.escaped import escaped
from curate.annotation.files.given import INFO, Given, answer_columns
from curate.annotation.files.guideline_lines import guideline_lines
from curate.annotation.files.instructions import table_help
from curate.annotation.files.workbook_style import (
    FONT,
    Styles,
    dress_line,
    dress_page,
    dress_sheet,
    row_height,
)
from curate.annotation.form import TEXT_FIELDS, form_of
from curate.annotation.guidelines import direction, language_title
from curate.annotation.shown import marked
from curate.errors import MissingExtraError

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

__all__ = ["GUIDELINE", "INSTRUCTIONS", "TASKS", "write"]

TASKS, INSTRUCTIONS, GUIDELINE = "tasks", "instructions", "guideline"
_SOURCES, _TEXTS = ("source_more", "source_less"), ("text_more", "text_less")


def write(campaign: Campaign, lang: str, tasks: Sequence[Given], path: Path) -> None:
    """Write tasks as a workbook; MissingExtraError where openpyxl is not installed."""
    try:
        from openpyxl import Workbook
    except ImportError as error:
        raise MissingExtraError("openpyxl", "translate") from error
    stages = list(dict.fromkeys(one.task.stage for one in tasks))
    answers = answer_columns(stages)
    styles = Styles(source=direction(campaign.settings.source_lang), target=direction(lang))
    book = Workbook()
    book.properties.creator = "curate"
    book.properties.title = escaped(f"{campaign.settings.name}: {language_title(lang)}")
    sheet = book.active
    sheet.title = TASKS
    _fill(sheet, tasks, answers, styles)
    empty = {name for name in INFO if not any(one.cells[name] for one in tasks)}
    dress_sheet(sheet, answers, stages, empty=empty, right_to_left=styles.target == "rtl")
    _instructions(book, stages)
    _guideline(book, lang)
    book.save(path)


def _fill(sheet: Worksheet, tasks: Sequence[Given], answers: Sequence[str], styles: Styles) -> None:
    for column, name in enumerate((*INFO, *answers), start=1):
        cell = sheet.cell(1, column, name)
        styles.header(cell, answer=name in answers)
    for row, one in enumerate(tasks, start=2):
        marks = dict(zip(_SOURCES, marked(one.source.sent_more, one.source.sent_less), strict=True))
        if all(one.task.texts):
            marks |= zip(_TEXTS, marked(*one.task.texts), strict=True)
        asked = form_of(one.task.stage).fields
        sheet.row_dimensions[row].height = row_height(one.cells | one.prefilled)
        for column, name in enumerate((*INFO, *answers), start=1):
            text = one.prefilled.get(name, "") if name in answers else one.cells[name]
            cell = sheet.cell(row, column)
            if text:
                cell.value = _rich(marks[name]) if name in marks else escaped(text)
                cell.data_type = "s"  # never a formula or an error, whatever it begins with
            target = name in (*TEXT_FIELDS, *_TEXTS, "note", "names", "others")
            styles.body(cell, answer=name in asked, target=target)


def _rich(marked_html: str) -> Any:
    """Text of a cell with the marked parts in bold colour, from HTML of our own making."""
    from openpyxl.cell.rich_text import CellRichText, TextBlock
    from openpyxl.cell.text import InlineFont

    pieces = [escaped(html.unescape(part)) for part in re.split("</?mark>", marked_html)]
    bold = InlineFont(rFont=FONT, sz=11, b=True, color="9C4A00")
    plain = InlineFont(rFont=FONT, sz=11)
    runs = [TextBlock(bold if number % 2 else plain, part) for number, part in enumerate(pieces)]
    return CellRichText([run for run, part in zip(runs, pieces, strict=True) if part])


def _instructions(book: Workbook, stages: list[str]) -> None:
    sheet = book.create_sheet(INSTRUCTIONS)
    for row, (about, said) in enumerate(table_help(stages), start=1):
        sheet.cell(row, 1, about)
        sheet.cell(row, 2, said)
        dress_line(sheet, row, heading=not about.startswith(" "), length=len(said))
    dress_page(sheet, widths=(18, 96), right_to_left=False)


def _guideline(book: Workbook, lang: str) -> None:
    lines, way = guideline_lines(lang)
    sheet = book.create_sheet(GUIDELINE)
    for row, (text, heading) in enumerate(lines, start=1):
        sheet.cell(row, 1, escaped(text)).data_type = "s"
        dress_line(sheet, row, heading=heading, length=len(text), way=way)
    dress_page(sheet, widths=(110,), right_to_left=way == "rtl")
