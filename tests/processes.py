"""Processes of this machine as /proc shows them: what a program has started, killing one, waiting.

For tests of what a killed process leaves behind. Only processes below one that the test itself
started are ever named, and each is killed by its id.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterable
from pathlib import Path

__all__ = ["command_of", "descendants", "is_alive", "kill", "listening_on", "wait_until_gone"]

_LISTEN = "0A"
"""The state LISTEN in /proc/net/tcp."""


def is_alive(pid: int) -> bool:
    """Whether a process runs: one that has ended and was not waited for yet does not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in {"Z", "X"}


def descendants(pid: int) -> list[int]:
    """All that a process has started and that runs, and what these have started; parents first."""
    found = []
    for child in _children(pid):
        if is_alive(child):
            found.append(child)
        found += descendants(child)
    return found


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += map(int, path.read_text(encoding="ascii").split())
        except OSError:
            continue
    return found


def command_of(pid: int) -> str:
    """The command line of a process, or the title that it gave itself; empty where it is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
    except OSError:
        return ""


def kill(pid: int) -> bool:
    """End a process at once (kill -9); whether it was there to be ended."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def wait_until_gone(
    pids: Iterable[int], *, seconds: float = 30, poll: Callable[[], object] | None = None
) -> list[int]:
    """Those of some processes that still run after `seconds`; empty as soon as all have ended.

    `poll` is called in between (a parent's own, say, that collects its children).
    """
    deadline = time.monotonic() + seconds
    left = list(pids)
    while left and time.monotonic() < deadline:
        if poll is not None:
            poll()
        left = [pid for pid in left if is_alive(pid)]
        time.sleep(0.05)
    return left


def listening_on(pids: Iterable[int]) -> set[str]:
    """The addresses (``127.0.0.1``, ``0.0.0.0``, ``::`` …) on which these processes take calls."""
    sockets = {}
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text(encoding="ascii").splitlines()[1:]:
            cells = line.split()
            if cells[3] == _LISTEN:
                sockets[f"socket:[{cells[9]}]"] = _address(cells[1].partition(":")[0])
    found = set()
    for pid in pids:
        for descriptor in Path(f"/proc/{pid}/fd").glob("*"):
            try:
                target = os.readlink(descriptor)  # noqa: PTH115 (not a path, though it looks like it)
            except OSError:
                continue
            if target in sockets:
                found.add(sockets[target])
    return found


def _address(digits: str) -> str:
    """An address as /proc writes it (words of 4 bytes, each in the order of the machine)."""
    import socket
    import sys

    words = [bytes.fromhex(digits[at : at + 8]) for at in range(0, len(digits), 8)]
    if sys.byteorder == "little":
        words = [word[::-1] for word in words]
    packed = b"".join(words)
    return socket.inet_ntop(socket.AF_INET if len(packed) == 4 else socket.AF_INET6, packed)
