"""Ends of a command that are no fault of it: it is told to stop, or the disk is full."""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["disk_errors", "stopped_cleanly"]


@contextmanager
def stopped_cleanly() -> Iterator[None]:
    """End like an interrupt where the system asks us to: no temporary folder is left behind."""

    def stop(number: int, frame: object) -> None:
        signal.signal(number, signal.SIG_IGN)
        sys.stderr.write("curate: stopped; run the same command to go on\n")
        raise SystemExit(128 + number)

    try:
        before = signal.signal(signal.SIGTERM, stop)
    except ValueError:  # not in the main thread: there is nothing to set
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def disk_errors(folder: Path) -> Iterator[None]:
    """Say in a line that the disk is full, or a file may not be read or written."""
    from curate.errors import InputError

    try:
        yield
    except (ConnectionError, TimeoutError):  # of the network, or of a closed pipe
        raise
    except OSError as error:
        if error.errno is None:  # of the Hub's client, not of the system
            raise
        full = error.errno in {errno.ENOSPC, errno.EDQUOT}
        hint = "free some space; TMPDIR names the folder for temporary files" if full else ""
        raise InputError(
            f"cannot read or write: {os.strerror(error.errno)}",
            where=error.filename2 or error.filename or folder, hint=hint,
        ) from error  # fmt: skip
