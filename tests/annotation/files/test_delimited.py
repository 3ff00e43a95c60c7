"""CSV: guarded cells, and files as spreadsheets save them."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.annotation.begin import add_material
from curate.annotation.campaign import Campaign
from curate.annotation.files import read_answers, write_tasks
from curate.annotation.files.guard import guarded_cell, unguarded
from curate.annotation.files.marks import first_guarded, is_as_given, mark_of
from curate.errors import InputError
from tests.annotation.conftest import GERMAN, open_task, translated
from tests.annotation.files.filling import fill, read_csv, write_csv

BEA = "bea@example.org"
ATTACK = "=cmd|' /C calc'!A0"


@pytest.fixture
def path(campaign: Campaign) -> Path:
    """The German tasks as CSV."""
    file = campaign.folder / "de.csv"
    write_tasks(campaign, "de", file)
    return file


def texts(campaign: Campaign, path: Path) -> list[str]:
    """What the only answer holds as sent_more."""
    (raw,) = read_answers(campaign, path, person=BEA)
    return list(raw.fields["sent_more"])


@pytest.mark.parametrize("start", list("=+-@\t\r\n＝＋－＠"))
def test_no_cell_begins_a_formula(campaign: Campaign, start: str) -> None:
    hostile = f"{start}1+1"
    assert guarded_cell(hostile) == f"'{hostile}"
    add_material(
        campaign, names={"de": {"1": (ATTACK,)}},
        suggestions={"de": ({"1": (hostile, ATTACK)}, ATTACK)},
    )  # fmt: skip
    file = campaign.folder / "de.csv"
    write_tasks(campaign, "de", file)
    for row in read_csv(file):
        assert not any(cell.startswith(tuple("=+-@\t\r\n＝＋－＠")) for cell in row.values())
    assert read_answers(campaign, file, person=BEA) == []


@pytest.mark.parametrize(
    ("given", "written", "meant"),
    [
        ("- Ja.", "'- Nein.", "- Nein."),  # ours: it was there when the file went out
        ("- Ja.", "- Nein.", "- Nein."),  # a spreadsheet took it for a sign of text
        ("- Ja.", "'tis so", "'tis so"),
        ("- Ja.", "'=Nein", "'=Nein"),  # another sign than the one that was guarded
        ("", "'-ismus' ist ein Wort", "'-ismus' ist ein Wort"),  # the person's own
        ("", "'=1", "'=1"),
        ("", ATTACK, ATTACK),
        ("'- Ja.", "'- Ja.", "'- Ja."),  # the apostrophe is part of what was given out
        ("'= Ja.", "'=", "'="),
        ("''", "''", "''"),
    ],
)
def test_our_apostrophe_goes_and_a_persons_stays(given: str, written: str, meant: str) -> None:
    assert unguarded(written, first_guarded(mark_of(given))) == meant
    assert unguarded(guarded_cell(given), first_guarded(mark_of(given))) == given


def test_marks_know_a_text_again() -> None:
    assert is_as_given("Die\u0308  Tante ", mark_of("Di\u00eb Tante")) is True
    assert is_as_given("Die Tanten", mark_of("Die Tante")) is False
    assert is_as_given(" ", mark_of("")) and is_as_given("", "") and not is_as_given("x", "")
    assert first_guarded("gabc.zz") == "" and first_guarded("gabc.110000000") == ""


@pytest.mark.parametrize(
    ("encoding", "delimiter", "start"),
    [
        ("utf-8-sig", ",", ""), ("utf-8", ",", ""), ("utf-8-sig", ";", ""), ("utf-8", "\t", ""),
        ("utf-16", "\t", ""), ("utf-16", ";", ""), ("utf-8", ";", "sep=;\r\n"),
    ],
)  # fmt: skip
def test_files_as_spreadsheets_save_them(
    campaign: Campaign, path: Path, encoding: str, delimiter: str, start: str
) -> None:
    rows = read_csv(path)
    rows[0] |= translated("1") | {"adaptation": "Name, food; place", "note": "a; b, c\n\nd"}
    write_csv(path, rows, encoding=encoding, delimiter=delimiter)
    if start:
        path.write_bytes(start.encode() + path.read_bytes())
    (raw,) = read_answers(campaign, path, person=BEA)
    assert raw.fields["sent_more"] == [GERMAN["1"][0]]
    assert raw.fields["adaptation"] == ["name", "food", "place"]
    assert raw.fields["note"] == ["a; b, c\n\nd"]
    assert raw.ref == ("de.csv:3" if start else "de.csv:2")
    rows[0] |= {"outcome": "", "sent_less": ""}
    rows[3] |= translated("4")
    write_csv(path, rows, encoding=encoding, delimiter=delimiter)
    _, raw = read_answers(campaign, path, person=BEA)
    assert raw.ref == "de.csv:7"  # the note above takes two more lines


def test_columns_may_stand_in_any_order_and_others_beside_them(
    campaign: Campaign, path: Path
) -> None:
    rows = [
        {"my own": "x", **dict(reversed(row.items())), "Sent_More": row["sent_more"]}
        for row in read_csv(path)
    ]
    for row in rows:
        del row["sent_more"]
    rows[0]["Sent_More"] = "Eins."
    write_csv(path, rows)
    assert texts(campaign, path) == ["Eins."]


@pytest.mark.parametrize("gone", ["task_id", "hash", "given", "source_more", "campaign"])
def test_a_column_that_is_gone_is_named(campaign: Campaign, path: Path, gone: str) -> None:
    rows = read_csv(path)
    for row in rows:
        del row[gone]
    write_csv(path, rows)
    with pytest.raises(InputError, match=rf"de\.csv:1: no column '{gone}'"):
        read_answers(campaign, path, person=BEA)


def test_an_answer_column_that_is_gone_is_named(campaign: Campaign, path: Path) -> None:
    rows = read_csv(path)
    for row in rows:
        row["judgement"] = row.pop("verdict")
    write_csv(path, rows)
    with pytest.raises(InputError, match="no column 'verdict', which the tasks to validate"):
        read_answers(campaign, path, person=BEA)


def test_a_column_twice_is_refused(campaign: Campaign, path: Path) -> None:
    content = path.read_text(encoding="utf-8").replace(",note", ",note,outcome", 1)
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match="column 'outcome' stands there twice"):
        read_answers(campaign, path, person=BEA)


def test_broken_files_name_the_line(campaign: Campaign, path: Path) -> None:
    content = path.read_bytes()
    for old, new, said in (
        (b"James", "Jérôme".encode("latin1"), r"csv:2: not UTF-8: byte 0xe9"),
        (b"James was", b'"James" "was', r"csv:2: broken quotes"),
        (b"James was late", b"James, was, late, and, so, on" + b",x" * 20, r"csv:2: \d+ cells"),
    ):
        path.write_bytes(content.replace(old, new, 1))
        with pytest.raises(InputError, match=said):
            read_answers(campaign, path, person=BEA)
    path.write_bytes(content.splitlines(keepends=True)[0])
    with pytest.raises(InputError, match="a header and no rows"):
        read_answers(campaign, path, person=BEA)
    path.write_bytes(b"\xff\xfea")
    with pytest.raises(InputError, match="broken UTF-16"):
        read_answers(campaign, path, person=BEA)


def test_rows_that_lost_their_empty_end_are_read(campaign: Campaign, path: Path) -> None:
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    path.write_text("\r\n".join(line.rstrip(",") for line in [*lines, ",,,", ""]), encoding="utf-8")
    assert read_answers(campaign, path, person=BEA) == []
    fill(path, {open_task(campaign, "1").task_id: {"sent_more": "Eins."}})
    assert texts(campaign, path) == ["Eins."]


def test_a_changed_mark_is_refused(campaign: Campaign, path: Path) -> None:
    fill(path, {open_task(campaign, "4").task_id: {"given": "none"}})
    with pytest.raises(InputError, match=r"csv:5: the cell 'given' was changed: 'none'"):
        read_answers(campaign, path, person=BEA)


def test_a_row_without_an_id_is_refused(campaign: Campaign, path: Path) -> None:
    fill(path, {open_task(campaign, "1").task_id: {"task_id": "", "sent_more": "Eins."}})
    with pytest.raises(InputError, match=r"csv:2: a row without a task_id"):
        read_answers(campaign, path, person=BEA)


def test_a_field_of_another_stage_is_left_to_the_core(campaign: Campaign, path: Path) -> None:
    fill(path, {open_task(campaign, "3").task_id: {"verdict": "accept", "outcome": "translated"}})
    (raw,) = read_answers(campaign, path, person=BEA)
    assert raw.fields["outcome"] == ["translated"] and raw.fields["verdict"] == ["accept"]
