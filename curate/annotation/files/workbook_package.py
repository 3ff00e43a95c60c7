"""What an XLSX file is packed of, looked at before anything of it is believed."""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path

from curate.annotation.files.formats import LARGEST
from curate.annotation.files.safe_xml import refuse_doctype
from curate.errors import InputError

__all__ = ["check_package"]

_MOST_PARTS = 2_000
_ENCRYPTED = 0x1


def check_package(path: Path) -> None:
    """InputError for what is no workbook, unpacks to too much, or holds XML with entities.

    The sizes in a package's list are binding: reading stops where a part is longer than it says.
    """
    try:
        with zipfile.ZipFile(path) as package:
            parts = package.infolist()
            _check_list(path, parts)
            for part in parts:
                # A sheet may have any name; old drawings are nearly XML.
                whole = part.filename.lower().endswith((".xml", ".rels"))
                with package.open(part) as stream:
                    refuse_doctype(stream, f"{path}: {part.filename}", whole=whole)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise InputError(f"not a whole XLSX file ({error})", where=path) from error


def _check_list(path: Path, parts: list[zipfile.ZipInfo]) -> None:
    names = {part.filename for part in parts}
    if "xl/workbook.xml" not in names:
        other = "an OpenDocument file" if "content.xml" in names else "another kind of package"
        raise InputError(f"no XLSX workbook: this is {other}", where=path, hint="save it as .xlsx")
    if any(part.flag_bits & _ENCRYPTED for part in parts):
        raise InputError("parts of it are encrypted", where=path, hint="save it without a password")
    size = sum(part.file_size for part in parts)
    if size > LARGEST or len(parts) > _MOST_PARTS:
        raise InputError(
            f"it unpacks to {size >> 20} MB in {len(parts)} parts, at most {LARGEST >> 20} MB in "
            f"{_MOST_PARTS:,} are read",
            where=path,
        )
