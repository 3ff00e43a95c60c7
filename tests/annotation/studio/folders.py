"""Data folders as Label Studio leaves them, and a process that holds a lock as it does."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from curate.annotation.studio.environment import VERSION
from curate.annotation.studio.folder import DATABASE, State

__all__ = ["TOKEN", "database", "environment_folder", "held", "state"]

TOKEN = "0a1b2c3d" * 5

HOLD = """
import fcntl, os, sys
file = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT, 0o600)
fcntl.flock(file, fcntl.LOCK_EX)
os.pwrite(file, str(os.getpid()).encode(), 0)
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def held(path: Path) -> Iterator[int]:
    """Another process that holds a lock, as Label Studio does while it lives."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        yield process.pid
        process.kill()


def database(folder: Path, people: list[tuple[int, bool, bool, str]], *, made: bool = True) -> None:
    """A database with the tables in which Label Studio keeps people and tokens."""
    with sqlite3.connect(folder / DATABASE) as connection:
        connection.execute("create table htx_user (id, is_active, is_superuser)")
        connection.execute("create table authtoken_token (key, user_id)")
        connection.execute("create table organization (id)")
        if made:
            connection.execute("insert into organization values (1)")
        for number, active, administrator, token in people:
            connection.execute("insert into htx_user values (?, ?, ?)",
                               (number, active, administrator))  # fmt: skip
            connection.execute("insert into authtoken_token values (?, ?)", (token, number))
    connection.close()


def state(pid: int, *, ready: bool = True) -> State:
    return State(8123, pid, os.getpid(), "1.23.2", ready=ready)


def environment_folder(folder: Path, version: str = VERSION) -> Path:
    """What tells an environment: a Python, and the record of the installed package."""
    packages = folder / "lib" / "python3.11" / "site-packages"
    (packages / f"label_studio-{version}.dist-info").mkdir(parents=True)
    (packages / f"label_studio_sdk-{version}.dist-info").mkdir()
    (folder / "bin").mkdir()
    (folder / "bin" / "python").symlink_to(sys.executable)
    return folder
