"""Which kind of file it is: told by the suffix, verified by what it holds."""

from __future__ import annotations

from pathlib import Path

from curate.errors import InputError, UsageError
from curate.sources.files import readable

__all__ = ["FORMATS", "LARGEST", "format_of", "verified_format"]

FORMATS = {"xliff": (".xlf", ".xliff"), "csv": (".csv",), "xlsx": (".xlsx",)}
LARGEST = 64 << 20
"""Bytes that a file may have, packed or unpacked: 30,000 tasks stay below in every format."""

_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_HEAD = 4_096


def format_of(path: Path, form: str = "auto") -> str:
    """``xliff``, ``csv`` or ``xlsx``; UsageError where neither `form` nor the suffix tells it."""
    if form in FORMATS:
        return form
    if form != "auto":
        raise UsageError(f"unknown format {form!r}", hint=", ".join(FORMATS))
    for name, suffixes in FORMATS.items():
        if path.suffix.lower() in suffixes:
            return name
    known = ", ".join(suffix for suffixes in FORMATS.values() for suffix in suffixes)
    raise UsageError(f"the suffix {path.suffix!r} tells no format", where=path, hint=known)


def verified_format(path: Path) -> str:
    """The format of a file that is to be read; InputError where it holds something else."""
    form = format_of(path)
    size = readable(path).stat().st_size
    if size > LARGEST:
        raise InputError(f"{size >> 20} MB, at most {LARGEST >> 20} are read", where=path)
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except PermissionError as error:
        raise InputError("no permission to read this file", where=path) from error
    found = _content(head)
    if found != form:
        hint = {"ole": "save it as .xlsx, without a password"}.get(found, "")
        meaning = {"ole": "an old or password-protected Office file", "text": "plain text"}
        raise InputError(
            f"not what {path.suffix} says: this is {meaning.get(found, found)}",
            where=path, hint=hint,
        )  # fmt: skip
    return form


def _content(head: bytes) -> str:
    if head.startswith(_ZIP):
        return "xlsx"  # or another package, which its reader refuses by name
    if head.startswith(_OLE):
        return "ole"
    if head[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        text = head[: len(head) & ~1].decode("utf-16", errors="replace")
    else:
        text = head.removeprefix(b"\xef\xbb\xbf").decode("utf-8", errors="replace")
    if text.lstrip().startswith("<"):
        return "xliff"
    return "binary data" if "\0" in text[:200] else "csv"
