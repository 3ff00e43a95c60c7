"""Cells that no spreadsheet takes for a formula, and the same cells read back."""

from __future__ import annotations

from curate.sources.delimited import guarded

__all__ = ["guarded_cell", "unguarded"]

_ALSO = ("\n", "＝", "＋", "－", "＠")
"""What some spreadsheets take for a formula beside ``= + - @``, tab and carriage return."""


def guarded_cell(text: str) -> str:
    """`text` with an apostrophe before it where it could begin a formula."""
    return f"'{text}" if text.startswith(_ALSO) else guarded(text)


def unguarded(cell: str, first: str) -> str:
    """What was meant by a cell; `first` is the character before which the apostrophe was put.

    The apostrophe is ours only where we put one (else `first` is empty) and the cell still begins
    so. Anywhere else it is a person's own and stays: *'tis*, or a quotation that begins with a
    hyphen.
    """
    return cell[1:] if first and cell.startswith(f"'{first}") else cell
