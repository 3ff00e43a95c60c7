"""By what a text that was given out is known again when a file comes back."""

from __future__ import annotations

import unicodedata

from curate import schema
from curate.annotation.files.guard import guarded_cell

__all__ = ["first_guarded", "folded", "is_as_given", "mark_of"]

_LENGTH = 11
_EMPTY = "none"


def folded(text: str) -> str:
    """NFC with single spaces: what the texts of an answer are compared as."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def mark_of(text: str) -> str:
    """A short hash of a text that stands in an answer field when the file is written.

    It goes into the file: a suggestion that nobody touched is told as such even where the campaign
    has another one by now. After a point follows the character that was guarded, if one was.
    """
    if not folded(text):
        return _EMPTY
    guard = f".{ord(text[0]):x}" if guarded_cell(text) != text else ""
    return schema.stable_id("g", folded(text))[:_LENGTH] + guard


def is_as_given(text: str, mark: str) -> bool:
    """Whether `text` is what was given out under `mark`."""
    return mark_of(text).partition(".")[0] == (mark or _EMPTY).partition(".")[0]


def first_guarded(mark: str) -> str:
    """The character before which an apostrophe was put; empty where there was none."""
    digits = mark.partition(".")[2]
    try:
        return chr(int(digits, 16)) if digits else ""
    except (ValueError, OverflowError):
        return ""
