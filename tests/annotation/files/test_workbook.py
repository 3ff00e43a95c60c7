"""XLSX: what the sheet offers, and what is not believed when it comes back."""

from __future__ import annotations

import csv
import datetime
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.worksheet.formula import ArrayFormula
from openpyxl.worksheet.worksheet import Worksheet

from curate.annotation.begin import add_material
from curate.annotation.campaign import Campaign
from curate.annotation.files import formats, read_answers, workbook_package, write_tasks
from curate.annotation.files.escaped import escaped, unescaped
from curate.annotation.files.guideline_lines import guideline_lines, page_lines
from curate.annotation.form import form_of
from curate.annotation.receive import receive
from curate.errors import InputError, MissingExtraError
from tests.annotation.conftest import GERMAN, open_task
from tests.annotation.files.filling import fill

BEA = "bea@example.org"


@pytest.fixture
def path(campaign: Campaign) -> Path:
    """The German tasks as a workbook."""
    file = campaign.folder / "de.xlsx"
    write_tasks(campaign, "de", file)
    return file


def sheet_of(path: Path, name: str = "tasks") -> Worksheet:
    return load_workbook(path, rich_text=True)[name]


def columns(sheet: Worksheet) -> dict[str, str]:
    """Letters by column name."""
    return {str(cell.value): cell.column_letter for cell in sheet[1]}


def repacked(path: Path, changes: dict[str, bytes | None]) -> None:
    """Replace parts of the package (None: take the part out)."""
    with zipfile.ZipFile(path) as package:
        parts = {name: package.read(name) for name in package.namelist()} | changes
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in parts.items():
            if content is not None:
                package.writestr(name, content)


def test_sources_are_locked_and_answers_open(path: Path) -> None:
    sheet = sheet_of(path)
    place = columns(sheet)
    assert sheet.protection.sheet and sheet.protection.password is None
    assert sheet.freeze_panes == "A2" and not sheet.sheet_view.rightToLeft
    for name, letter in place.items():
        for row, stage in ((2, "translate"), (3, "correct"), (4, "validate")):
            is_open = name in form_of(stage).fields
            assert sheet[f"{letter}{row}"].protection.locked is not is_open, (name, stage)
        assert sheet[f"{letter}2"].number_format == "@"
        assert sheet[f"{letter}2"].alignment.wrap_text
    assert sheet.column_dimensions[place["hash"]].hidden
    assert sheet.column_dimensions[place["suggestion"]].hidden  # there is none
    assert not sheet.column_dimensions[place["findings"]].hidden
    assert sheet.column_dimensions[place["sent_more"]].width > 40


def test_choices_have_a_list(path: Path) -> None:
    sheet = sheet_of(path)
    place = columns(sheet)
    rules = {str(rule.sqref).split("2:")[0]: rule for rule in sheet.data_validations.dataValidation}
    assert rules[place["verdict"]].formula1 == '"accept,revise,reject"'
    assert rules[place["outcome"]].formula1 == '"translated,untranslatable"'
    assert str(rules[place["outcome"]].sqref) == f"{place['outcome']}2:{place['outcome']}5"
    assert rules[place["outcome"]].showErrorMessage
    assert not rules[place["adaptation"]].showErrorMessage  # several may be typed
    assert {place[name] for name in ("verdict", "outcome", "response", "reason", "adaptation")} == (
        set(rules)
    )


def test_differences_are_marked_in_sources_and_texts(path: Path) -> None:
    sheet = sheet_of(path)
    place = columns(sheet)

    def bold(cell: str) -> list[str]:
        value = sheet[cell].value
        assert isinstance(value, CellRichText)
        return [str(part) for part in value if isinstance(part, TextBlock) and part.font.b]

    heights = [sheet.row_dimensions[row].height for row in range(2, 6)]
    assert heights[0] == heights[3] >= 45 and heights[1] >= heights[0]
    assert bold(f"{place['source_more']}3") == ["king", "his"]
    assert bold(f"{place['source_less']}3") == ["queen", "her"]
    assert bold(f"{place['text_more']}3") == ["Der König", "seine"]
    assert sheet[f"{place['findings']}3"].value.endswith("more <b> & less")
    assert sheet[f"{place['sent_more']}3"].value == GERMAN["2"][0]


def test_arabic_runs_from_right_to_left(campaign: Campaign) -> None:
    path = campaign.folder / "ar.xlsx"
    write_tasks(campaign, "ar", path)
    sheet = sheet_of(path)
    place = columns(sheet)
    assert sheet.sheet_view.rightToLeft
    assert sheet[f"{place['sent_more']}2"].alignment.readingOrder == 2
    assert sheet[f"{place['source_more']}2"].alignment.readingOrder == 1


def test_the_second_sheet_says_what_to_do(path: Path) -> None:
    lines = [
        " ".join(str(cell.value or "") for cell in row) for row in sheet_of(path, "instructions")
    ]
    said = "\n".join(lines)
    for word in ("hurtful", "Names", "  verdict", "accept, revise, reject", "must be filled in"):
        assert word in said


def test_a_formula_is_found_and_not_evaluated(campaign: Campaign, path: Path) -> None:
    book = load_workbook(path)
    sheet = book["tasks"]
    place = columns(sheet)
    sheet[f"{place['sent_more']}2"] = '=HYPERLINK("http://example.org", "Max kam.")'
    sheet[f"{place['sent_less']}2"] = ArrayFormula("Q2:Q2", "=1+1")
    sheet[f"{place['outcome']}2"] = "translated"
    sheet[f"{place['note']}5"] = "#NAME?"
    book.save(path)
    first, last = read_answers(campaign, path, person=BEA)
    assert [(one.code, one.field) for one in first.problems] == [
        ("formula", "sent_more"), ("formula", "sent_less"),
    ]  # fmt: skip
    assert f"{place['sent_more']}2 holds a formula: =HYPERLINK" in first.problems[0].evidence
    assert [(one.code, one.field) for one in last.problems] == [("formula", "note")]
    receive(campaign, [first])
    task = open_task(campaign, "1")
    assert task.stage == "correct" and "formula" in {one.code for one in task.findings}
    assert campaign.tasks[first.task_id].text_more == ""


def test_the_guideline_goes_with_it(campaign: Campaign, path: Path) -> None:
    lines = [str(row[0].value) for row in sheet_of(path, "guideline")]
    assert len(lines) > 20 and not any("<" in line for line in lines)
    assert guideline_lines("ar")[1] == "rtl"


def test_a_page_becomes_lines() -> None:
    page = """<div lang="ar" dir="rtl">
    <h1>Pairs &amp; <em>names</em></h1><p>One
    line.</p><ul><li><p>first</p></li><li>second <code>&lt;b&gt;</code></li></ul>
    <table><thead><tr><th></th><th></th></tr></thead>
    <tr><td>She.</td><td>He.</td></tr></table></div>"""
    assert page_lines(page) == (
        [
            ("Pairs & names", True), ("One line.", False), ("• first", False),
            ("• second <b>", False), ("She. | He.", False),
        ],
        "rtl",
    )  # fmt: skip


def test_what_is_needed_is_named_where_it_is_missing(
    campaign: Campaign, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(MissingExtraError, match="openpyxl"):
        write_tasks(campaign, "de", path)
    with pytest.raises(MissingExtraError, match="openpyxl"):
        read_answers(campaign, path, person=BEA)


def test_a_sheet_that_was_a_csv_file_is_read(campaign: Campaign) -> None:
    add_material(campaign, names={}, suggestions={"de": ({"1": ("=Max.", "-Eva.")}, "m")})
    table, path = campaign.folder / "de.csv", campaign.folder / "de.xlsx"
    write_tasks(campaign, "de", table)
    book = Workbook()
    assert book.active is not None
    for row in csv.reader(table.open(encoding="utf-8-sig", newline="")):
        book.active.append(row)
    book.save(path)
    assert read_answers(campaign, path, person=BEA) == []
    book.active["B2"] = "old"
    book.save(path)
    assert read_answers(campaign, path, person=BEA) == []


def test_a_formula_in_an_id_is_refused(campaign: Campaign, path: Path) -> None:
    book = load_workbook(path)
    book["tasks"]["B2"] = "=A1"
    book.save(path)
    with pytest.raises(InputError, match=r"xlsx!A2: hash is a formula"):
        read_answers(campaign, path, person=BEA)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (12, "12"), (12.0, "12"), (12.5, "12.5"), (1e300, "1e+300"), (True, "TRUE"),
        (datetime.datetime(2026, 2, 1), "2026-02-01T00:00:00"), (datetime.time(7, 30), "07:30:00"),
        ("'tis -so-", "'tis -so-"), ("=1+1", "=1+1"), ("_x0041_", "A"), ("x_x000D_y", "x\ry"),
    ],
)  # fmt: skip
def test_cells_are_read_as_text(campaign: Campaign, path: Path, value: Any, text: str) -> None:
    fill(path, {open_task(campaign, "1").task_id: {"note": value}})
    (raw,) = read_answers(campaign, path, person=BEA)
    assert raw.fields["note"] == [text] and not raw.problems


def test_text_that_looks_like_an_escape_survives() -> None:
    for text in ("_x0041_", "_x005F_x0041_", "a\x07b\rc\ufffe", "_x00_", "line\nline\ttab"):
        assert unescaped(escaped(text)) == text
    with pytest.raises(InputError, match="a cell holds 32,767"):
        escaped("😀" * 16_384)


def test_a_text_too_long_for_a_cell_is_refused_whole(campaign: Campaign, path: Path) -> None:
    before = path.read_bytes()
    long = "Max kam. " * 4_000
    add_material(campaign, names={}, suggestions={"de": ({"1": (long, "Eva kam.")}, "m")})
    with pytest.raises(InputError, match="a cell holds 32,767"):
        write_tasks(campaign, "de", path)
    assert path.read_bytes() == before


def test_sheets_and_columns_may_be_moved_and_renamed(campaign: Campaign, path: Path) -> None:
    fill(path, {open_task(campaign, "1").task_id: {"sent_more": "Eins."}})
    book = load_workbook(path)
    sheet = book["tasks"]
    sheet.title = "Meine Arbeit"
    sheet.move_range(f"P1:P{sheet.max_row}", cols=20)
    book.move_sheet("instructions", -1)
    book.save(path)
    (raw,) = read_answers(campaign, path, person=BEA)
    assert raw.fields["sent_more"] == ["Eins."] and raw.ref == "de.xlsx!A2"


def test_a_sheet_without_our_columns_is_refused(campaign: Campaign, path: Path) -> None:
    book = load_workbook(path)
    del book["tasks"]
    book.save(path)
    with pytest.raises(InputError, match="no sheet of tasks here"):
        read_answers(campaign, path, person=BEA)


def test_a_cell_at_the_far_end_costs_nothing(campaign: Campaign, path: Path) -> None:
    book = load_workbook(path)
    book["tasks"]["XFD200000"] = "x"
    book.save(path)
    assert read_answers(campaign, path, person=BEA) == []


DOCTYPE = b'<!DOCTYPE x [<!ENTITY a "b"><!ENTITY c SYSTEM "file:///etc/passwd">]>'


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entities_in_a_part_are_refused(campaign: Campaign, path: Path, encoding: str) -> None:
    with zipfile.ZipFile(path) as package:
        sheet = package.read("xl/worksheets/sheet1.xml")
    text = '<?xml version="1.0"?>' + DOCTYPE.decode() + sheet.decode()
    repacked(path, {"xl/worksheets/sheet1.xml": text.encode(encoding)})
    with pytest.raises(InputError, match=r"sheet1\.xml: a document type"):
        read_answers(campaign, path, person=BEA)


def test_a_part_may_hide_behind_another_name(campaign: Campaign, path: Path) -> None:
    repacked(path, {"xl/worksheets/sheet9.bin": b"\xef\xbb\xbf" + DOCTYPE + b"<x>&a;</x>"})
    with pytest.raises(InputError, match=r"sheet9\.bin: a document type"):
        read_answers(campaign, path, person=BEA)
    repacked(path, {"xl/worksheets/sheet9.bin": None, "xl/drawings/old.vml": b"<xml><br></xml>"})
    assert read_answers(campaign, path, person=BEA) == []


def test_a_bomb_is_not_unpacked(campaign: Campaign, path: Path) -> None:
    repacked(path, {"xl/media/image1.bin": b"\0" * (formats.LARGEST + 1)})
    assert path.stat().st_size < 1 << 20
    with pytest.raises(InputError, match="unpacks to 64 MB"):
        read_answers(campaign, path, person=BEA)


def test_broken_packages_are_refused(
    campaign: Campaign, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(InputError, match="not a whole XLSX file"):
        read_answers(campaign, path, person=BEA)
    for changes, said in (
        ({"xl/worksheets/sheet1.xml": b"<worksheet>"}, "no whole XML"),
        ({"xl/worksheets/sheet1.xml": None}, "broken workbook|no sheet"),
        ({"xl/workbook.xml": None}, "another kind of package"),
        ({"xl/workbook.xml": None, "content.xml": b"<x/>"}, "OpenDocument"),
        ({"[Content_Types].xml": b"<x/>"}, "broken workbook|no sheet"),
        ({"xl/worksheets/sheet1.xml": b"<worksheet/>"}, "no column 'task_id'"),
    ):
        path.write_bytes(content)
        repacked(path, changes)
        with pytest.raises(InputError, match=said):
            read_answers(campaign, path, person=BEA)
    path.write_bytes(content)
    monkeypatch.setattr(workbook_package, "_MOST_PARTS", 3)
    with pytest.raises(InputError, match="parts"):
        read_answers(campaign, path, person=BEA)
