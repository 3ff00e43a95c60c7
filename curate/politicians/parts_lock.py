"""One fetch or study at a time in a folder: two would ask two queries at once, or mix parts."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from curate.errors import UsageError

__all__ = ["held"]

_LOCK = ".lock"
_NO_LOCKS = frozenset({errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP})
"""What a network's disk says that has no locks: as on Windows, the user must see to it."""


@contextmanager
def held(folder: Path, *, work: str = "fetch") -> Iterator[None]:
    """Keep all others out of `folder`, which is made. Raises UsageError for the second (`work`).

    Neither the lock nor a folder that was made for nothing stays, whatever happens.
    """
    is_new, path = not folder.exists(), folder / _LOCK
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600) if _has_locks() else None
    except OSError as error:
        raise UsageError(f"no folder to write to ({error.strerror})", where=folder) from error
    if file is None:
        yield
        return
    try:
        try:
            _lock(file)
            if path.stat().st_ino != os.fstat(file).st_ino:  # its holder has just removed it
                raise BlockingIOError
        except (BlockingIOError, FileNotFoundError) as error:
            raise UsageError(f"another {work} is at work here", where=folder) from error
        try:
            yield
        finally:
            path.unlink(missing_ok=True)
            if is_new and not any(folder.iterdir()):
                folder.rmdir()
    finally:
        os.close(file)


def _has_locks() -> bool:
    """Windows has none: the user must see to it."""
    return find_spec("fcntl") is not None


def _lock(file: int) -> None:
    """Take the lock of an open file; BlockingIOError where another has it."""
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise
