"""Runs inside Label Studio's own environment: one server for one folder, and no secret in its log.

Only the standard library and Label Studio are there. The first line of standard input is a JSON
object of variables to set (this way a password is in no process's list of variables); the
rest of it is the leash: when it ends, whoever started the server is gone, and so it ends too.
"""

from __future__ import annotations

import fcntl
import importlib
import json
import logging
import os
import re
import signal
import sys
import threading
import time
from typing import Any

__all__ = ["main"]

_SECRET = re.compile(r"(?i)\b((?:token|password|secret|key)=)[^&\s\"']+")
_LOG_FROM = logging.WARNING
"""Requests that went well are not logged: a team makes thousands a day."""


class _Discreet(logging.LogRecord):
    """A log record whose text shows no invitation, token or password."""

    def getMessage(self) -> str:  # noqa: N802 (the name is logging's)
        return _SECRET.sub(r"\1...", super().getMessage())


def _hold(path: str) -> int:
    """Lock the folder as long as this process lives; end it where another server has it."""
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    for _ in range(100):
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(0.05)
        else:
            os.ftruncate(file, 0)
            os.pwrite(file, str(os.getpid()).encode("ascii"), 0)
            return file
    sys.exit("another Label Studio works on this folder")


def _follow() -> None:
    """Wait for the end of standard input, then end this process."""
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def _keep_port(port: int, debug: Any) -> int:
    """The port as asked for, or none: Label Studio would quietly take the next free one."""
    return port


def main() -> None:
    """``launch.py LOCK ARGUMENT...``: start Label Studio with these arguments."""
    first = b""
    while not first.endswith(b"\n"):
        piece = os.read(0, 1)
        if not piece:
            sys.exit("the command that started Label Studio is gone")
        first += piece
    os.environ.update(json.loads(first))
    held = _hold(sys.argv[1])
    threading.Thread(target=_follow, daemon=True).start()
    logging.setLogRecordFactory(_Discreet)
    sys.argv = ["label-studio", *sys.argv[2:]]
    server = importlib.import_module("label_studio.server")
    vars(server)["_get_free_port"] = _keep_port
    logging.getLogger("django.server").addFilter(lambda record: record.levelno >= _LOG_FROM)
    try:
        server.main()
    finally:
        os.close(held)


if __name__ == "__main__":
    main()
