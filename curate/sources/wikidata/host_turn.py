"""One query at a time for a host, whoever of this user's programs asks it.

A lock in the user's cache folder is held while a host works on a query. It is the system's own, so
that it is free as soon as its holder dies. Its file has two times, in seconds since 1970: when it
was written, and before when nobody may ask again.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from curate.errors import UsageError
from curate.sources.wikidata.failures import LONGEST_WAIT, resting

__all__ = ["HostTurn", "turns_folder"]

_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
_LOOK = 0.05
"""Seconds between two looks at a lock that another has; it never blocks, so that Ctrl-C works."""
_TOLD = 1.0
_LONGEST = 7 * 86_400.0
"""Seconds of rest that are kept, and believed, at the most."""
_TURNS = "another program asks this host, in turn with this one"
_RESTS = "the host rests after an earlier query"


def turns_folder() -> Path:
    """Where the locks lie: under XDG_CACHE_HOME, or else the user's ``.cache``."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "curate" / "hosts"


class HostTurn:
    """Turns at one host and port; `on_wait(seconds, reason)` hears once of each reason to wait.

    `rest` is until when (seconds since 1970) the next query must wait, whoever sends it.
    """

    def __init__(self, host: str, port: int, *, on_wait: Callable[[float, str], None]) -> None:
        plain = "loopback" if host in _LOOPBACK else re.sub(r"[^a-z0-9.-]", "_", host.lower())
        self._name = f"{plain}-{port}"
        self._on_wait, self._told = on_wait, set[str]()
        self.rest = 0.0

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Keep all others from asking this host.

        Raises UsageError where no lock can be made, Failure where the host is not to be asked for
        longer than `LONGEST_WAIT`.
        """
        try:
            import fcntl
        except ModuleNotFoundError:  # Windows has no such locks: the user must see to it
            yield
            return
        path: Path | None = None
        try:
            path = turns_folder() / self._name
            path.parent.mkdir(parents=True, exist_ok=True)
            file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except (OSError, RuntimeError) as error:  # the latter: nobody knows the user's home
            raise _no_lock(path, error) from error
        try:
            self._wait(path, file, fcntl)
            try:
                yield
            finally:
                _note(file, self.rest - time.time())
        finally:
            os.close(file)

    def _wait(self, path: Path, file: int, fcntl: object) -> None:
        """Wait for the lock, and then, without it, for the rest that its last holder asks for."""
        began = time.monotonic()
        while True:
            left, reason = 0.0, _TURNS
            if _took(path, file, fcntl):
                left, reason = _due(file), _RESTS
                if left <= 0:
                    return
                if left > LONGEST_WAIT:
                    raise resting(left)
                fcntl.flock(file, fcntl.LOCK_UN)  # type: ignore[attr-defined]
            if reason not in self._told and max(left, time.monotonic() - began) > _TOLD:
                self._told.add(reason)
                self._on_wait(left, reason)
            time.sleep(min(max(left, _LOOK), 1.0))


def _took(path: Path, file: int, fcntl: Any) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:  # a network's disk that has no locks
        raise _no_lock(path, error) from error
    return True


def _no_lock(path: Path | None, error: Exception) -> UsageError:
    said = getattr(error, "strerror", None) or "no home folder is known"
    return UsageError(
        f"no lock can be made ({said}), which keeps two fetches from asking one host at once",
        where=path, hint="XDG_CACHE_HOME names another cache folder, on a disk that has locks",
    )  # fmt: skip


def _note(file: int, left: float) -> None:
    """Write that nobody may ask for `left` seconds from now."""
    now = time.time()
    # a full disk must not lose an answer: the client keeps the rest by itself
    with suppress(OSError):
        os.ftruncate(file, 0)
        os.pwrite(file, f"{now:.3f} {now + min(left, _LONGEST):.3f}".encode(), 0)


def _due(file: int) -> float:
    """Seconds until the host may be asked again, as the last one to ask it left it.

    Of a clock that was set back since, the rest begins anew: the times on it are of no use.
    """
    try:
        written, until = map(float, os.pread(file, 64, 0).split())
    except ValueError:
        return 0.0
    left = until - time.time()
    if time.time() < written:
        left = until - written
        _note(file, left)
    return left if 0 < left <= _LONGEST + 1 else 0.0
