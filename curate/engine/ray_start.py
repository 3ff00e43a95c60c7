"""Reaching Ray: one of our own on this machine, seen by nobody else, or a cluster by address."""

from __future__ import annotations

import logging
import os
import re
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from curate.errors import MissingExtraError, RemoteError

if TYPE_CHECKING:
    from curate.engine.running import Engine

__all__ = ["connected", "last_line"]

_SETTINGS = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_BACKEND_LOG_LEVEL": "fatal",  # what matters is raised; the rest is noise on a terminal
}
_LOOPBACK_ONLY = ("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
"""Makes Ray keep to 127.0.0.1, whatever its name says; otherwise it looks for the machine's outer
address even where it is given the inner one, and its processes listen on every network."""

_ADDRESS = re.compile(r"(?:ray://)?([^/]+):(\d+)")
_LOOPBACK = re.compile(r"(?:ray://)?(?:127\.|localhost:|\[::1\])")
_PATIENCE = 10.0
"""Seconds for a connection to a cluster."""


def connected(engine: Engine) -> Any:
    """The module `ray`, connected to the engine's address, or to a Ray started here and now.

    Sends no usage report. Raises MissingExtraError without the package, RemoteError where no
    cluster answers.
    """
    for name, value in _SETTINGS.items():
        os.environ.setdefault(name, value)
    if not engine.address or _LOOPBACK.match(engine.address):
        os.environ.setdefault(*_LOOPBACK_ONLY)
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise MissingExtraError("ray", "ray") from error
    if engine.address:
        _refuse_silence(engine.address)
        where: dict[str, Any] = {"address": engine.address}
    else:
        where = {
            "address": "local",  # and not what RAY_ADDRESS or an earlier `ray start` names
            "num_cpus": engine.workers + 1,  # the reader has its share
            "include_dashboard": False,
            "_node_ip_address": "127.0.0.1",
        }
    try:
        with _hushed():
            ray.init(log_to_driver=False, logging_level=logging.ERROR, **where)
    except (ConnectionError, RuntimeError, TimeoutError, ValueError) as error:
        raise RemoteError(
            f"Ray cannot be reached: {last_line(error)}", where=engine.address or "this machine"
        ) from error
    return ray


def _refuse_silence(address: str) -> None:
    """RemoteError where nobody answers at an address: Ray itself would ask for two minutes."""
    found = _ADDRESS.fullmatch(address)
    if found is None:  # such as "auto"
        return
    try:
        socket.create_connection((found[1].strip("[]"), int(found[2])), _PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise RemoteError(
            f"Ray cannot be reached: {last_line(error)}", where=address,
            hint="is the cluster running, and is this the address that `ray start` gave?",
        ) from error  # fmt: skip


@contextmanager
def _hushed() -> Iterator[None]:
    """Standard error closed to all code, also that which is not Python's and asks nobody."""
    sys.stderr.flush()
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        sys.stderr.flush()
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def last_line(error: BaseException) -> str:
    """What an error says last, on one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines[-1] if lines else type(error).__name__)[:300]
