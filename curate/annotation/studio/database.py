"""Whether Label Studio's database can be worked on: whole, and made by no newer version."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

from curate.annotation.studio.environment import Environment
from curate.annotation.studio.folder import DATABASE
from curate.errors import InputError

__all__ = ["check_not_newer", "set_unfinished_aside"]

UNFINISHED = f"{DATABASE}.unfinished"

_MENTION = re.compile(r"""\(\s*["'](\w+)["']\s*,\s*["'](\w+)["']\s*\)""")
"""A step named in another, as ``('app', 'step')``: so a merged step names those it replaces."""


def check_not_newer(data: Path, environment: Environment) -> None:
    """Raise InputError where the database has steps that this Label Studio does not know.

    Label Studio keeps a list of the steps that shaped its tables; one that the installed program
    has no file for was done by a later program, whose data this one would damage.
    """
    path = data / DATABASE
    if not path.is_file():
        return
    steps = _known_steps(environment)
    for app, step in _done_steps(path):
        if app in steps and step not in steps[app]:
            raise InputError(
                f"a newer Label Studio than {environment.version} made this data ({app}: {step})",
                where=path,
                hint="use the newer environment (--env), or another data folder",
            )


def set_unfinished_aside(data: Path) -> bool:
    """Put a database away that nobody has entered yet: its making was cut off.

    Label Studio cannot go on from where it was: half of its merged steps are missing. Before the
    first person is in it, nothing can be lost. True where there was one.
    """
    path = data / DATABASE
    if not path.is_file() or _rows(path, "select id from htx_user limit 1"):
        return False
    path.replace(data / UNFINISHED)
    for left in data.glob(f"{DATABASE}-*"):  # the journal of what was being written
        left.unlink()
    return True


def _done_steps(path: Path) -> list[tuple[str, str]]:
    rows = _rows(path, "select app, name from django_migrations")
    return [(str(app), str(step)) for app, step in rows]


def _rows(path: Path, query: str) -> list[tuple[object, ...]]:
    """What a query finds, after undoing what a crash left half-written; nothing without its table.

    Only for a database that no server works on.
    """
    try:
        connection = sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True, timeout=30)
        try:
            return connection.execute(query).fetchall()
        finally:
            connection.close()
    except sqlite3.DatabaseError as error:
        if "no such table" in str(error):
            return []
        raise InputError(f"this is no database of Label Studio ({error})", where=path) from error


def _known_steps(environment: Environment) -> dict[str, set[str]]:
    """Every step of the installed Label Studio, by its parts."""
    files = list((environment.packages / "label_studio").glob("*/migrations/[0-9]*.py"))
    known: dict[str, set[str]] = {path.parent.parent.name: set() for path in files}
    for path in files:
        known[path.parent.parent.name].add(path.stem)
        for app, step in _MENTION.findall(path.read_text(encoding="utf-8")):
            known.get(app, set()).add(step)
    return known
