"""Fill in files as other programs do: the csv module, openpyxl, a translation toolkit."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path
from xml.etree import ElementTree

from openpyxl import load_workbook
from translate.storage.xliff2 import Xliff2File

CORE = "{urn:oasis:names:tc:xliff:document:2.0}"
SUFFIXES = ("csv", "xlsx", "xlf")
Filled = Mapping[str, Mapping[str, str]]
"""Values by task_id and field."""


def fill(path: Path, answers: Filled) -> None:
    """Put `answers` into the file and save it."""
    {".csv": fill_csv, ".xlsx": fill_xlsx, ".xlf": fill_xliff}[path.suffix](path, answers)


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def write_csv(
    path: Path, rows: list[dict[str, str]], *, encoding: str = "utf-8-sig", delimiter: str = ","
) -> None:
    sink = io.StringIO()
    writer = csv.DictWriter(sink, list(rows[0]), delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    path.write_bytes(sink.getvalue().encode(encoding))


def fill_csv(path: Path, answers: Filled) -> None:
    write_csv(path, [{**row, **answers.get(row["task_id"], {})} for row in read_csv(path)])


def fill_xlsx(path: Path, answers: Filled) -> None:
    book = load_workbook(path, rich_text=True)
    sheet = book["tasks"]
    header = [cell.value for cell in sheet[1]]
    for cells in sheet.iter_rows(min_row=2):
        row = dict(zip(header, cells, strict=True))
        for name, value in answers.get(str(row["task_id"].value), {}).items():
            row[name].value = value
            if isinstance(value, str):
                row[name].data_type = "s"
    book.save(path)


def fill_xliff(path: Path, answers: Filled) -> None:
    """Through translate-toolkit, which knows nothing of our ids and attributes."""
    store = Xliff2File.parsefile(str(path))
    for unit in store.units:
        task_id, _, name = unit.getid().rpartition(".")
        if name in answers.get(task_id, {}):
            unit.target = answers[task_id][name]
            unit.marktranslated()
    store.savefile(str(path))


def edit_xliff(path: Path) -> tuple[ElementTree.ElementTree, dict[str, ElementTree.Element]]:
    """The tree of a file, and its units by id, for what the toolkit cannot do."""
    tree = ElementTree.parse(path)  # noqa: S314 (our own file)
    return tree, {unit.get("id", ""): unit for unit in tree.iter(f"{CORE}unit")}
