"""Text in a sheet: characters that XML cannot hold are written ``_x0007_``, as Excel does."""

from __future__ import annotations

import re

from curate.errors import InputError

__all__ = ["escaped", "unescaped"]

LONGEST_CELL = 32_767
"""UTF-16 units in a cell of a spreadsheet; what is longer is cut off by it."""

_UNWRITABLE = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
_ESCAPE = re.compile("_x([0-9A-Fa-f]{4})_")


def escaped(text: str) -> str:
    """`text` as a cell can hold it; InputError where it is longer than a cell may be."""
    written = _UNWRITABLE.sub(lambda found: f"_x{ord(found.group()):04X}_", text)
    size = len(written.encode("utf-16-le")) // 2
    if size > LONGEST_CELL:
        raise InputError(
            f"a text of {size:,} characters, a cell holds {LONGEST_CELL:,}: {text[:40]!r} …",
            hint="write XLIFF or CSV",
        )
    return written


def unescaped(cell: str) -> str:
    """The text that `escaped` wrote."""
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), cell)
