"""What is looked at before a start: a database made by a newer version, or never finished."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from curate.annotation.studio.database import UNFINISHED, check_not_newer, set_unfinished_aside
from curate.annotation.studio.environment import VERSION, Environment
from curate.annotation.studio.folder import DATABASE
from curate.errors import InputError
from tests.annotation.studio.folders import TOKEN, database, environment_folder


@pytest.mark.parametrize(("steps", "newer"), [
    ([("users", "0001_squashed_0002"), ("users", "0003_more")], ""),
    ([("users", "0001_first"), ("users", "0002_second"), ("users", "0003_more")], ""),
    ([("users", "0003_more"), ("users", "0004_later")], "users: 0004_later"),
    ([("auth", "0099_not_theirs")], ""),
])  # fmt: skip
def test_data_of_a_newer_version(tmp_path: Path, steps: list[tuple[str, str]], newer: str) -> None:
    environment = Environment(environment_folder(tmp_path / "env"), VERSION)
    folder = environment.packages / "label_studio" / "users" / "migrations"
    folder.mkdir(parents=True)
    replaces = "replaces = [('users', '0001_first'), (\"users\", \"0002_second\")]\n"
    (folder / "0001_squashed_0002.py").write_text(replaces)
    (folder / "0003_more.py").write_text("dependencies = [('auth', '0001_initial')]\n")
    check_not_newer(tmp_path, environment)  # no database yet
    with sqlite3.connect(tmp_path / DATABASE) as connection:
        connection.execute("create table other (id)")
        check_not_newer(tmp_path, environment)  # nor a list of steps
        connection.execute("create table django_migrations (app, name)")
        connection.executemany("insert into django_migrations values (?, ?)", steps)
    connection.close()
    if newer:
        with pytest.raises(InputError, match=newer):
            check_not_newer(tmp_path, environment)
    else:
        check_not_newer(tmp_path, environment)


def test_an_unfinished_database_is_put_away(tmp_path: Path) -> None:
    assert not set_unfinished_aside(tmp_path)
    with sqlite3.connect(tmp_path / DATABASE) as connection:
        connection.execute("create table half (id)")
    connection.close()
    (tmp_path / f"{DATABASE}-journal").write_bytes(b"")
    assert set_unfinished_aside(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [UNFINISHED]


def test_a_database_with_a_person_in_it_stays(tmp_path: Path) -> None:
    """Even where nobody there may do anything any more."""
    database(tmp_path, [(1, False, False, TOKEN)], made=False)
    assert not set_unfinished_aside(tmp_path)
    assert (tmp_path / DATABASE).is_file()


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    environment = Environment(environment_folder(tmp_path / "env"), VERSION)
    (tmp_path / DATABASE).write_bytes(b"not a database, " * 100)
    with pytest.raises(InputError, match="no database of Label Studio"):
        set_unfinished_aside(tmp_path)
    with pytest.raises(InputError, match="no database of Label Studio"):
        check_not_newer(tmp_path, environment)
    assert (tmp_path / DATABASE).is_file()
