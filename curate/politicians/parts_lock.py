"""One fetch at a time in a folder: two would be two queries at once."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from curate.errors import UsageError

__all__ = ["held"]

_LOCK = ".lock"


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Keep every other fetch out of `folder`, which is made. Raises UsageError for the second.

    Neither the lock nor a folder that was made for nothing stays, whatever happens.
    """
    is_new = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"no folder to write to ({error.strerror})", where=folder) from error
    try:
        import fcntl
    except ModuleNotFoundError:  # Windows has no such locks: the user must see to it
        yield
        return
    path = folder / _LOCK
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if path.stat().st_ino != os.fstat(file).st_ino:  # its holder has just removed it
                raise BlockingIOError
        except (BlockingIOError, FileNotFoundError) as error:
            raise UsageError("another fetch is at work here", where=folder) from error
        try:
            yield
        finally:
            path.unlink(missing_ok=True)
            if is_new and not any(folder.iterdir()):
                folder.rmdir()
    finally:
        os.close(file)
