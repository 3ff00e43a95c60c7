"""The data folder of a local Label Studio: who holds it, what it says, whether it can be used."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from curate.annotation.studio.locks import lock, locked_by
from curate.errors import InputError, UsageError

__all__ = [
    "DATABASE", "HOST", "LOG", "PID", "STATE", "State",
    "holding", "living_server", "prepare_folder", "read_state", "write_state", "writing",
]  # fmt: skip

STATE = "studio.json"
"""Address and process of the server that runs, or ran last; no secret is in it."""
LOG = "studio.log"
LOCK = "studio.lock"
"""Locked by the command that serves the folder; holds its process id."""
PID = "studio.pid"
"""Locked by Label Studio itself as long as it lives; holds its process id."""
DATABASE = "label_studio.sqlite3"


HOST = "127.0.0.1"
"""The only address that a local server listens at."""


@dataclass(frozen=True)
class State:
    """What ``studio.json`` says: `pid` is Label Studio, `owner` the command that started it."""

    port: int
    pid: int
    owner: int
    version: str
    ready: bool

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}"


def prepare_folder(data: Path) -> Path:
    """Make the folder, or make sure that it is one of ours, readable by its owner alone.

    Raises UsageError for a file, for a folder that holds something else, and where nothing can
    be written.
    """
    data = data.expanduser().resolve()
    if data.exists() and not data.is_dir():
        raise UsageError("this is a file, not a folder", where=data)
    with writing(data):
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
        ours = any((data / name).exists() for name in (DATABASE, STATE, LOCK))
        if not ours and any(data.iterdir()):
            raise UsageError(
                "the folder is not empty and holds no Label Studio data",
                where=data,
                hint="name a new folder: Label Studio keeps its database and its uploads there",
            )
        data.chmod(0o700)
    return data


@contextmanager
def writing(data: Path) -> Iterator[None]:
    """Say in our words where the folder cannot be written: rights, a full disk."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"cannot write here: {error.strerror or error}", where=data) from error


@contextmanager
def holding(data: Path) -> Iterator[None]:
    """Be the one command that serves the folder; the lock ends with the process, however it ends.

    Raises UsageError, with the address and the process, where another command serves it.
    """
    with writing(data):
        file = os.open(data / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if not lock(file):
            owner = os.pread(file, 20, 0).decode("ascii", "replace").strip() or "unknown"
            state = read_state(data)
            address = f" at {state.url}" if state else ""
            raise UsageError(
                f"Label Studio is served already{address}, by process {owner}",
                where=data,
                hint=f"open that address, or stop it with: kill {owner}",
            )
        os.ftruncate(file, 0)
        os.pwrite(file, str(os.getpid()).encode("ascii"), 0)
        yield
    finally:
        os.close(file)


def living_server(data: Path) -> int | None:
    """The process id of the Label Studio that works on the folder now; None where none does."""
    return locked_by(data / PID)


def read_state(data: Path) -> State | None:
    """What ``studio.json`` says, None where there is none; InputError where it is broken."""
    path = data / STATE
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return State(
            int(found["port"]), int(found["pid"]), int(found["owner"]), str(found["version"]),
            ready=found["ready"] is True,
        )  # fmt: skip
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise InputError(
            "this is no file of `curate translate serve`",
            where=path,
            hint="remove it; the next start writes it anew",
        ) from error


def write_state(data: Path, state: State) -> None:
    """Write ``studio.json``, for its owner alone."""
    new = data / f".{STATE}.{os.getpid()}.tmp"
    text = json.dumps({"url": state.url, **asdict(state)}, indent=2)
    with writing(data):
        try:
            new.touch(mode=0o600)
            new.write_text(text + "\n", encoding="utf-8")
            new.replace(data / STATE)
        finally:
            new.unlink(missing_ok=True)
