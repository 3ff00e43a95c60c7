"""Text of files that spreadsheets wrote: UTF-8 with or without a mark, UTF-16; mojibake mended."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Literal

from curate.errors import InputError
from curate.sources.files import not_utf8, open_binary, readable

__all__ = ["Mojibake", "lines_of", "mend_mojibake", "read_unicode"]

Mojibake = Literal["none", "mended", "broken"]

_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_HEAD = 256
# One sequence alone may be chance (*HYVÄ”*): it counts where it spells what such files hold most,
# Western letters and typographic marks; of anything else several are wanted.
_ENOUGH = 3
_TELLING = (range(0x80, 0x100), range(0x2010, 0x2123))


def read_unicode(path: Path) -> str:
    """The text of a file, compressed or not: UTF-8, or UTF-16 with its byte order mark.

    Raises InputError for any other bytes, with the line that holds the first one, and for an
    empty file.
    """
    with open_binary(readable(path)) as stream:
        data = stream.read()
    if data[:2] in _UTF16:
        return _utf16(path, data)
    if b"\x00" in data[:_HEAD]:
        raise InputError(
            "byte 0x00: this looks like UTF-16 without a byte order mark",
            where=f"{path}:1",
            hint="convert it first, for example: iconv -f utf-16le -t utf-8 FILE > NEW",
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise not_utf8(path, line, error) from error


def _utf16(path: Path, data: bytes) -> str:
    try:
        return data.decode("utf-16")
    except UnicodeDecodeError as error:
        line = data[: error.start].decode("utf-16", "replace").count("\n") + 1
        raise InputError(
            f"not UTF-16, though its byte order mark says so ({error.reason})",
            where=f"{path}:{line}",
            hint="save it again as UTF-8",
        ) from error


def lines_of(text: str) -> Iterator[str]:
    """The lines with their ends, cut at ``\\n``, ``\\r`` and ``\\r\\n`` alone."""
    return iter(io.StringIO(text, newline=""))


@cache
def _bytes_of() -> dict[str, int]:
    """Windows-1252 by character; its five empty places as the controls that Latin-1 has there."""
    table = {chr(code): code for code in range(0x80, 0x100)}
    for code in range(0x80, 0xA0):
        try:
            table[bytes([code]).decode("cp1252")] = code
        except UnicodeDecodeError:
            continue
    return table


@cache
def _sequence() -> re.Pattern[str]:
    """What the bytes of one character beyond ASCII look like when they are read one by one."""
    by_byte: dict[int, str] = {}
    for char, code in _bytes_of().items():
        by_byte[code] = by_byte.get(code, "") + char

    def group(first: int, last: int) -> str:
        return "[" + re.escape("".join(by_byte[code] for code in range(first, last + 1))) + "]"

    rest = group(0x80, 0xBF)
    return re.compile(
        f"{group(0xC2, 0xDF)}{rest}|{group(0xE0, 0xEF)}{rest}{{2}}|{group(0xF0, 0xF4)}{rest}{{3}}"
    )


def mend_mojibake(text: str) -> tuple[str, Mojibake]:
    """UTF-8 that was read as Windows-1252 or Latin-1, read anew where that is certain.

    It is certain where the whole text goes back to bytes that are UTF-8, and what they spell is
    a Western letter, a typographic mark, or more than two characters. ``broken``: parts of the
    text are such mojibake, but the text as a whole has no way back.
    """
    if text.isascii():
        return text, "none"
    found = [_decoded(match.group()) for match in _sequence().finditer(text)]
    chars = [char for char in found if char]
    if not (len(chars) >= _ENOUGH or any(_is_telling(char) for char in chars)):
        return text, "none"
    table = _bytes_of()
    if any(ord(char) > 0x7F and char not in table for char in text):
        return text, "broken"
    raw = bytes(ord(char) if ord(char) < 0x80 else table[char] for char in text)
    try:
        return raw.decode("utf-8"), "mended"
    except UnicodeDecodeError:
        return text, "broken"


def _decoded(sequence: str) -> str:
    table = _bytes_of()
    return bytes(table[char] for char in sequence).decode("utf-8", "ignore")


def _is_telling(char: str) -> bool:
    return any(ord(char) in telling for telling in _TELLING)
