"""A local Label Studio for a team that has none: this machine, SQLite, nothing that calls home."""

from __future__ import annotations

import contextlib
import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from secrets import token_hex, token_urlsafe

from curate.annotation.studio.access import KEY_VARIABLE, Access, stored_token
from curate.annotation.studio.connection import check_installed, connect
from curate.annotation.studio.database import check_not_newer, set_unfinished_aside
from curate.annotation.studio.environment import Environment
from curate.annotation.studio.folder import (
    LOG,
    State,
    holding,
    prepare_folder,
    read_state,
    write_state,
    writing,
)
from curate.annotation.studio.ports import free_port
from curate.annotation.studio.process import Child, stop_orphan
from curate.errors import RemoteError, UsageError

__all__ = ["ADMINISTRATOR", "PASSWORD_VARIABLE", "Server", "serving"]

ADMINISTRATOR = "curator@localhost"
PASSWORD_VARIABLE = "LABEL_STUDIO_PASSWORD"  # noqa: S105 (the name of a variable)

_BOOT_LIMIT = 600.0
"""Seconds that a start may take; the first makes the database: half a minute on two cores."""
_TOKEN = re.compile(r"[0-9A-Za-z]{20,40}")


@dataclass(frozen=True)
class Server:
    """A Label Studio that runs and answers."""

    data: Path
    access: Access
    _child: Child = field(repr=False)

    @property
    def url(self) -> str:
        return self.access.url

    @property
    def pid(self) -> int:
        return self._child.pid

    def watch(self, stopping: threading.Event) -> None:
        """Return when told to stop; raise RemoteError when Label Studio ends by itself."""
        while not stopping.wait(0.2):
            self._child.check()


@contextlib.contextmanager
def serving(
    data: Path, environment: Environment, *,
    port: int | None = None, stopping: threading.Event | None = None,
    say: Callable[[str], None] | None = None,
) -> Iterator[Server]:  # fmt: skip
    """Serve the folder at 127.0.0.1 until the block ends; all its data stay.

    Without `port` it is the one of the last time, so that addresses stay good, else the first
    free one from 8080. `say` is told how far the start is; setting `stopping` ends it.

    Raises UsageError (folder of another kind, served already, port in use), InputError (made by
    a newer Label Studio), RemoteError (it does not start), KeyboardInterrupt (stopped on the way).
    """
    say = say or (lambda text: None)
    stopping = stopping or threading.Event()
    check_installed()
    data = prepare_folder(data)
    with holding(data):
        _look_over(data, environment, say)
        token = stored_token(data)
        port = free_port(port, before=read_state(data), say=say)
        secrets = {} if token else _administrator()
        with writing(data):
            child = Child(data, environment, port=port, secrets=secrets)
        state = State(port, child.pid, os.getpid(), environment.version, ready=False)
        try:
            write_state(data, state)
            _wait(child, state.url, stopping, _telling(say, first=not token))
            access = _entered(data, state.url, say)
            write_state(data, replace(state, ready=True))
            yield Server(data, access, child)
        finally:
            child.stop()


def _look_over(data: Path, environment: Environment, say: Callable[[str], None]) -> None:
    """Make sure that a start on the folder is safe: no other server, a database that fits."""
    orphan = stop_orphan(data)
    if orphan is not None:
        say(f"ended process {orphan}, left over from a command that was killed")
    if set_unfinished_aside(data):
        say("the first start was cut off; its database is made anew")
    check_not_newer(data, environment)


def _telling(say: Callable[[str], None], *, first: bool) -> Callable[[float], None]:
    what = "Label Studio makes its database" if first else "Label Studio starts"
    return lambda seconds: say(f"{what}: {seconds:.0f} s")


def _administrator() -> dict[str, str]:
    """Who administers a new folder; what nobody chose is random, and only its database knows it."""
    password = os.environ.get(PASSWORD_VARIABLE) or token_urlsafe(24)
    token = os.environ.get(KEY_VARIABLE, "").strip() or token_hex(20)
    if len(password) < 8:
        raise UsageError(f"{PASSWORD_VARIABLE} is shorter than 8 characters")
    if not _TOKEN.fullmatch(token):
        raise UsageError(
            f"{KEY_VARIABLE} is no token that a new Label Studio can be given",
            hint="40 hexadecimal digits; without the variable a random one is made",
        )
    return {
        "LABEL_STUDIO_USERNAME": ADMINISTRATOR,
        "LABEL_STUDIO_PASSWORD": password,
        "LABEL_STUDIO_USER_TOKEN": token,
    }


def _wait(
    child: Child, url: str, stopping: threading.Event, passed: Callable[[float], None]
) -> None:
    """Wait until Label Studio answers, telling the seconds that have passed."""
    began = time.monotonic()
    while (seconds := time.monotonic() - began) < _BOOT_LIMIT:
        passed(seconds)
        child.check()
        with contextlib.suppress(RemoteError), connect(url, seconds=5) as client:  # not yet
            if client.get("/health").is_success:
                return
        if stopping.wait(0.5):
            raise KeyboardInterrupt
    raise RemoteError(
        f"Label Studio does not answer after {_BOOT_LIMIT:.0f} s", where=child.data / LOG
    )


def _entered(data: Path, url: str, say: Callable[[str], None]) -> Access:
    """The way in, tried: it is our Label Studio that answers, and it takes our token."""
    access = Access(url, stored_token(data))
    given = os.environ.get(KEY_VARIABLE, "").strip()
    if given and given != access.token:
        say(f"{KEY_VARIABLE} is not the token of this folder, which keeps the one it has")
    with connect(access.url, token=access.token) as client:
        answer = client.get("/api/current-user/whoami")
    if not answer.is_success:
        raise RemoteError(
            f"Label Studio refuses its administrator's token ({answer.status_code})",
            where=access.url,
            hint="turn on legacy tokens in its page: Organization, API Tokens Settings",
        )
    return access
