"""The port of a local Label Studio: the one asked for, the one of the last time, or a free one."""

from __future__ import annotations

import socket
from collections.abc import Callable

from curate.annotation.studio.folder import HOST, State
from curate.errors import UsageError

__all__ = ["free_port"]

_FIRST = 8080
_TRIED = 100


def free_port(port: int | None, *, before: State | None, say: Callable[[str], None]) -> int:
    """A port that can be had now; without `port` that of the last time, so that addresses stay.

    Raises UsageError where the port asked for is taken, or none is free.
    """
    if port is not None:
        if _is_free(port):
            return port
        raise UsageError(
            f"port {port} of {HOST} is in use or not allowed",
            hint="name another with --port, or leave it out",
        )
    choices = list(range(_FIRST, _FIRST + _TRIED))
    if before is not None:
        choices.insert(0, before.port)
    for choice in choices:
        if _is_free(choice):
            if before is not None and choice != before.port:
                say(f"port {before.port} is in use: the address is a new one")
            return choice
    raise UsageError(f"no port is free from {_FIRST} on", hint="name one with --port")


def _is_free(port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True
