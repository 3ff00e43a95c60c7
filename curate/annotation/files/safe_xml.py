"""XML of unknown origin: no document type, so no entities, and nothing is fetched."""

from __future__ import annotations

from typing import IO
from xml.etree import ElementTree
from xml.parsers import expat

from curate.errors import InputError

__all__ = ["parsed", "refuse_doctype"]

_BLOCK = 1 << 16


class _Doctype(Exception):
    pass


def refuse_doctype(stream: IO[bytes], where: str, *, whole: bool = True) -> None:
    """Read a document to its end; InputError for a document type, or where it is no whole XML.

    `whole`: false where it may be something else than XML, or XML that is not well-formed.
    """
    parser = expat.ParserCreate()

    def found(*_: object) -> None:
        raise _Doctype

    parser.StartDoctypeDeclHandler = found
    try:
        while block := stream.read(_BLOCK):
            parser.Parse(block, False)
        parser.Parse(b"", True)
    except _Doctype:
        raise InputError(
            "a document type (<!DOCTYPE …>) is not read: it can define entities",
            where=where, hint="delete that line",
        ) from None  # fmt: skip
    except (expat.ExpatError, LookupError, ValueError) as error:
        if whole:
            raise InputError(f"no whole XML ({error})", where=where) from error


def parsed(stream: IO[bytes], where: str) -> ElementTree.Element:
    """The root of a document without a document type."""
    refuse_doctype(stream, where)
    stream.seek(0)
    try:
        return ElementTree.parse(stream).getroot()  # noqa: S314 (no document type, see above)
    except (ElementTree.ParseError, LookupError, ValueError) as error:
        raise InputError(f"no whole XML ({error})", where=where) from error
