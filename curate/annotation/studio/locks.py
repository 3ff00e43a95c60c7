"""Locks on files, held by processes: they end with the process, however it ends."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from curate.errors import UsageError

__all__ = ["lock", "locked", "locked_by"]

_PATIENCE = 1.0
"""Seconds to try again: someone who merely looks holds the lock for an instant."""


def lock(file: int, *, patience: float = _PATIENCE, shared: bool = False) -> bool:
    """Lock an open file; False where another holds it after `patience` seconds."""
    try:
        import fcntl
    except ModuleNotFoundError as error:
        raise UsageError(
            "a local Label Studio needs Linux or macOS", hint="on Windows: inside WSL"
        ) from error
    kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    until = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(file, kind | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() >= until:
                return False
            time.sleep(0.02)


def locked_by(path: Path) -> int | None:
    """The process that wrote its id into the file and holds its lock; None where none does.

    0 where a process holds it that has not said who it is.
    """
    try:
        file = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return None
    try:
        if lock(file, patience=0, shared=True):
            return None
        text = os.pread(file, 20, 0).decode("ascii", "replace").strip()
        return int(text) if text.isdecimal() else 0
    finally:
        os.close(file)


@contextmanager
def locked(path: Path, *, say: Callable[[str], None]) -> Iterator[None]:
    """Hold the lock of the file `path`, waiting for it as long as it takes."""
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if not lock(file):
            say("another command installs it; waiting")
            while not lock(file):
                pass
        yield
    finally:
        os.close(file)
