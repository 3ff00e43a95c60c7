"""Names that writing and reading XLIFF share."""

from __future__ import annotations

from curate.annotation.files.answer_line import FIELD
from curate.annotation.form import TEXT_FIELDS

__all__ = ["CORE", "OWN", "READABLE", "UNITS", "unit_id", "unit_parts"]

CORE = "urn:oasis:names:tc:xliff:document:2.0"
"""The namespace of XLIFF 2.0 and 2.1 alike."""

READABLE = (CORE, "urn:oasis:names:tc:xliff:document:2.2")
OWN = "urn:curate:translation:1"
"""Namespace of our attributes: ``campaign`` on the file, ``hash`` and ``given`` on units."""

UNITS = (*TEXT_FIELDS, FIELD)
"""The units of a task."""


def unit_id(task_id: str, name: str) -> str:
    """An id that is unique in the file, as XLIFF wants it."""
    return f"{task_id}.{name}"


def unit_parts(identifier: str) -> tuple[str, str]:
    """(task_id, name); the name is empty where the id is none of ours."""
    task_id, _, name = identifier.rpartition(".")
    return (task_id, name) if name in UNITS else (identifier, "")
