"""A real Label Studio for a test: on this machine, on a free port, gone when the block ends.

Making the database takes half a minute; it is made once a run and copied for every test.
"""

from __future__ import annotations

import atexit
import functools
import os
import shutil
import signal
import socket
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curate.annotation.studio.access import Access
from curate.annotation.studio.connection import connect
from curate.annotation.studio.environment import Environment, find_environment
from curate.annotation.studio.folder import DATABASE
from curate.annotation.studio.server import Server, serving
from curate.annotation.studio.users import ensure_users

__all__ = [
    "NO_SERVER", "Person", "RunningServer",
    "copy_made_folder", "free_port", "running_server", "sign_in",
]  # fmt: skip

NO_SERVER = "no Label Studio here: set CURATE_STUDIO_ENV, or make parts installs one"


@dataclass(frozen=True)
class Person:
    """A user of the server: `password` for the page, `token` for the API, `number` its id there."""

    mail: str
    password: str
    token: str
    number: int


class RunningServer:
    """A server that a test may kill and start again; `users` are those made with `add_user`."""

    def __init__(self, data: Path, environment: Environment, port: int) -> None:
        self.data = data
        self.port = port
        self.users: dict[str, Person] = {}
        self._environment = environment
        self._running = ExitStack()
        self._server: Server | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def access(self) -> Access:
        """Address and token of the administrator."""
        assert self._server is not None, "the server is stopped"
        return self._server.access

    @property
    def token(self) -> str:
        return self.access.token

    @property
    def pid(self) -> int:
        assert self._server is not None, "the server is stopped"
        return self._server.pid

    def start(self) -> None:
        """Start it on the same folder and port."""
        assert self._server is None, "the server runs"
        self._server = self._running.enter_context(
            serving(self.data, self._environment, port=self.port)
        )

    def stop(self) -> None:
        """Stop it in order; nothing happens where it is stopped."""
        self._running.close()
        self._server = None

    def kill(self) -> None:
        """kill -9, in the middle of whatever it does."""
        os.kill(self.pid, signal.SIGKILL)
        self.stop()

    def restart(self) -> None:
        """Stop it if it runs, and start it again: same address, same data, same tokens."""
        self.stop()
        self.start()

    def add_user(self, mail: str) -> Person:
        """Sign a translator up; his token and number are read as he would read them."""
        account = next(ensure_users(self.access, [mail]))
        who = sign_in(self.url, account.mail, account.password)
        person = Person(account.mail, account.password, str(who["token"]), int(who["id"]))
        self.users[account.mail] = person
        return person


def sign_in(url: str, mail: str, password: str) -> dict[str, Any]:
    """Sign in by the form of the page; who one is then, and one's token."""
    with connect(url) as client:
        page = client.get("/user/login/")
        secret = page.text.partition('csrfmiddlewaretoken" value="')[2].partition('"')[0]
        form = {"csrfmiddlewaretoken": secret, "email": mail, "password": password}
        client.post("/user/login/", data=form, headers={"Referer": f"{url}/user/login/"})
        who: dict[str, Any] = client.get("/api/current-user/whoami").raise_for_status().json()
        return who | client.get("/api/current-user/token").raise_for_status().json()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running_server(data_dir: Path, port: int | None = None) -> Iterator[RunningServer]:
    """A server on `data_dir`; a folder that is empty or not there gets a copy of a made database.

    Stopped by its process id when the block ends. Raises LookupError with the reason where no
    Label Studio is installed (a test skips then).
    """
    environment = find_environment()
    if environment is None:
        raise LookupError(NO_SERVER)
    if not (data_dir / DATABASE).exists():
        copy_made_folder(data_dir)
    server = RunningServer(data_dir, environment, port or free_port())
    try:
        server.start()
        yield server
    finally:
        server.stop()


def copy_made_folder(data_dir: Path) -> Path:
    """A copy of a folder whose database is made, at `data_dir`."""
    environment = find_environment()
    if environment is None:
        raise LookupError(NO_SERVER)
    shutil.copytree(_template(environment), data_dir, dirs_exist_ok=True)
    return data_dir


@functools.cache
def _template(environment: Environment) -> Path:
    """A folder as the first start leaves it, without the traces of that start."""
    folder = Path(tempfile.mkdtemp(prefix="curate-studio-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with serving(folder, environment, port=free_port()):
        pass
    for path in folder.glob("studio.*"):
        path.unlink()
    return folder
