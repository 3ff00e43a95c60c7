"""`curate translate serve` with a real Label Studio: started, stopped, killed; nothing is lost."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from curate.annotation.studio.access import server_access
from curate.annotation.studio.connection import connect
from curate.annotation.studio.database import UNFINISHED
from curate.annotation.studio.environment import find_environment
from curate.annotation.studio.folder import living_server, read_state
from curate.errors import CurateError, RemoteError
from tests.parts.studio_server import (
    NO_SERVER,
    copy_made_folder,
    free_port,
    running_server,
    sign_in,
)

pytestmark = [
    pytest.mark.parts,
    pytest.mark.skipif(find_environment() is None, reason=NO_SERVER),
]

FIRST_START = 300
START = 60
OURS = {
    "HF_TOKEN": "hf_sesame", "AWS_SECRET_ACCESS_KEY": "sesame-aws",
    "LABEL_STUDIO_PASSWORD": "the password of the curator",
    "LABEL_STUDIO_API_KEY": "5e5a3e" * 6 + "5e5a",
}  # fmt: skip
CONFIG = (
    '<View><Text name="t" value="$text"/><TextArea name="a" toName="t" maxSubmissions="1"/></View>'
)


@dataclass
class Served:
    """`curate translate serve` as a command of its own, and what it has said."""

    process: subprocess.Popen[str]
    data: Path
    said: str = ""

    def line(self, *, limit: float) -> str:
        """The first line of its standard output."""
        assert self.process.stdout is not None
        timer = _after(limit, self.process.kill)
        try:
            line = self.process.stdout.readline()
        finally:
            timer.cancel()
        if not line:
            self.process.wait()
        return line

    def end(self, how: int = signal.SIGINT) -> int:
        self.process.send_signal(how)
        out, err = self.process.communicate(timeout=30)
        self.said = out + err
        return self.process.returncode


def _after(seconds: float, do: Callable[[], None]) -> Any:
    import threading

    timer = threading.Timer(seconds, do)
    timer.start()
    return timer


Serve = Callable[..., Served]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Start the command; whatever a test leaves running is stopped by its process id."""
    started: list[Served] = []

    def start(data: Path, *options: str, **variables: str) -> Served:
        command = [sys.executable, "-m", "curate.cli", "translate", "serve", "--data", str(data)]
        plain = {name: value for name, value in os.environ.items() if name not in OURS}
        process = subprocess.Popen(
            [*command, *options], env=plain | variables, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        started.append(Served(process, data))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            one.process.terminate()
            one.process.wait(30)
        server = living_server(one.data)
        if server:
            os.kill(server, signal.SIGKILL)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder that has been served before."""
    return copy_made_folder(tmp_path / "studio")


def _gone(data: Path, *, seconds: float = 5.0) -> bool:
    until = time.monotonic() + seconds
    while living_server(data) is not None and time.monotonic() < until:
        time.sleep(0.05)
    return living_server(data) is None


def _written(data: Path) -> str:
    """All that our own files in the folder say, and Label Studio's log."""
    return "".join(path.read_text() for path in data.glob("studio.*"))


def test_the_whole_life(serve: Serve, tmp_path: Path) -> None:
    """A new folder, two translators, Ctrl-C, and all of it again: everything is still there."""
    data = tmp_path / "new" / "studio"
    people = ["--user", "Anna@Example.org", "--user", "ben@example.org"]
    first = serve(data, "--json", "--port", str(free_port()), *people, **OURS)
    told = json.loads(first.line(limit=FIRST_START))
    assert set(told) == {"url", "data", "pid", "users"}
    assert told["data"] == str(data)
    assert [(one["mail"], one["created"]) for one in told["users"]] == [
        ("anna@example.org", True), ("ben@example.org", True),
    ]  # fmt: skip
    passwords = {one["mail"]: one["password"] for one in told["users"]}
    assert len(set(passwords.values())) == 2
    _check_what_the_server_knows(told["pid"])
    _check_who_can_come_in(told["url"])
    for mail, password in [
        *passwords.items(),
        ("curator@localhost", OURS["LABEL_STUDIO_PASSWORD"]),
    ]:
        assert sign_in(told["url"], mail, password)["email"] == mail
    access = server_access(data)
    assert access.token == OURS["LABEL_STUDIO_API_KEY"]
    project, task = _work(access.url, access.token)
    assert first.end() == 0
    assert living_server(data) is None
    with pytest.raises(RemoteError, match="does not run"):
        server_access(data)

    second = serve(data, "--user", "ben@example.org", "--user", "clara@example.org")
    assert told["url"] in second.line(limit=START)
    _check_work(told["url"], access.token, project, task)
    assert server_access(data) == access
    assert sign_in(told["url"], "ben@example.org", passwords["ben@example.org"])
    assert second.end(signal.SIGTERM) == 0
    assert re.search(r"ben@example.org +was there\n", second.said)
    clara = re.search(r"clara@example.org +password (\S+)\n", second.said)
    assert clara is not None
    _check_secrets(data, [*passwords.values(), *OURS.values(), clara[1]])


def _check_what_the_server_knows(pid: int) -> None:
    told = Path(f"/proc/{pid}/environ").read_text() + Path(f"/proc/{pid}/cmdline").read_text()
    for secret in OURS.values():
        assert secret not in told


def _check_who_can_come_in(url: str) -> None:
    """This machine alone; by invitation alone; from its own page alone."""
    port = int(url.rpartition(":")[2])
    listening = re.findall(rf": (\w+):{port:04X} 0+:0000 0A", Path("/proc/net/tcp").read_text())
    assert listening == ["0100007F"]
    assert f":{port:04X} " not in Path("/proc/net/tcp6").read_text()
    with connect(url) as client:
        assert client.get("/api/projects").status_code == 401
        page = client.get("/user/signup/")
        secret = re.search(r'csrfmiddlewaretoken" value="([^"]+)', page.text)
        assert secret is not None
        form = {"csrfmiddlewaretoken": secret[1], "email": "x@example.org", "password": "12345678a"}
        for path in ("/user/signup/", "/user/signup/?token=guessed"):
            refused = client.post(path, data=form, headers={"Referer": url + path})
            assert refused.status_code == 403
        assert client.get("/health", headers={"Host": "evil.example"}).status_code == 400
        other = client.get("/health", headers={"Origin": "http://evil.example"})
        assert "access-control-allow-origin" not in other.headers
        began = time.monotonic()
        assert client.get("/heidi-tips").is_error  # it would ask another machine
        assert time.monotonic() - began < 2


def _work(url: str, token: str) -> tuple[int, int]:
    with connect(url, token=token) as client:
        made = client.post("/api/projects", json={"title": "German", "label_config": CONFIG})
        project = made.json()["id"]
        text = {"data": {"text": "Er kommt."}, "project": project}
        task = client.post("/api/tasks", json=text).json()["id"]
        value = {"text": ["He comes."]}
        result = [{"from_name": "a", "to_name": "t", "type": "textarea", "value": value}]
        answer = client.post(f"/api/tasks/{task}/annotations/", json={"result": result})
        assert answer.status_code == 201
    return project, task


def _check_work(url: str, token: str, project: int, task: int) -> None:
    with connect(url, token=token) as client:
        assert client.get(f"/api/projects/{project}").json()["title"] == "German"
        kept = client.get(f"/api/tasks/{task}/annotations/").json()
        assert [one["result"][0]["value"]["text"] for one in kept] == [["He comes."]]


def _check_secrets(data: Path, secrets: list[str]) -> None:
    assert data.stat().st_mode & 0o777 == 0o700
    for path in data.iterdir():
        assert path.stat().st_mode & 0o077 == 0, path
    written = _written(data)
    assert "/user/signup/?token=..." in written  # the log has that request, without the secret
    assert [one for one in secrets if one in written] == []
    assert "guessed" not in written


def test_a_folder_is_served_once(serve: Serve, data: Path) -> None:
    first = serve(data, "--port", str(free_port()), "--json")
    told = json.loads(first.line(limit=START))
    second = serve(data)
    out, err = second.process.communicate(timeout=30)
    assert (second.process.returncode, out) == (2, "")
    assert f"served already at {told['url']}, by process {first.process.pid}" in err
    assert err.count("\n") == 2
    assert first.end() == 0


def test_a_port_in_use(serve: Serve, data: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refused = serve(data, "--port", str(port))
        _, err = refused.process.communicate(timeout=30)
    assert refused.process.returncode == 2
    assert f"port {port} of 127.0.0.1 is in use" in err
    assert read_state(data) is None


def test_killed_without_warning(serve: Serve, data: Path) -> None:
    """kill -9 of the command: Label Studio goes with it, and the next start finds all in order."""
    first = serve(data, "--port", str(free_port()), "--json")
    told = json.loads(first.line(limit=START))
    token = server_access(data).token
    project, task = _work(told["url"], token)
    first.process.kill()
    first.process.wait()
    assert _gone(data)
    second = serve(data, "--json")
    assert json.loads(second.line(limit=START))["url"] == told["url"]
    _check_work(told["url"], token, project, task)
    assert second.end() == 0


def test_a_server_that_outlived_its_command(serve: Serve, data: Path) -> None:
    """One that hangs cannot notice that its command is gone: it is ended before the next starts."""
    first = serve(data, "--port", str(free_port()), "--json")
    told = json.loads(first.line(limit=START))
    os.kill(told["pid"], signal.SIGSTOP)
    first.process.kill()
    first.process.wait()
    time.sleep(0.5)
    assert living_server(data) == told["pid"]
    second = serve(data, "--json")
    again = json.loads(second.line(limit=START))
    assert living_server(data) == again["pid"] != told["pid"]
    assert second.end() == 0
    assert f"ended process {told['pid']}" in second.said


def test_a_server_that_dies(serve: Serve, data: Path) -> None:
    served = serve(data, "--port", str(free_port()), "--json")
    told = json.loads(served.line(limit=START))
    os.kill(told["pid"], signal.SIGKILL)
    _, err = served.process.communicate(timeout=30)
    assert served.process.returncode == 3
    assert "Label Studio has ended (exit code -9)" in err
    assert f"{data}/studio.log" in err


def test_a_first_start_that_was_cut_off(serve: Serve, tmp_path: Path) -> None:
    """Killed while the database is being made: the next start makes the rest."""
    data = tmp_path / "studio"
    first = serve(data, "--port", str(free_port()), "--json")
    database = data / "label_studio.sqlite3"
    until = time.monotonic() + FIRST_START
    while not (database.exists() and database.stat().st_size > 400_000):
        assert time.monotonic() < until
        time.sleep(0.02)
    first.process.kill()
    first.process.wait()
    assert _gone(data)
    second = serve(data, "--json", "--user", "anna@example.org")
    told = json.loads(second.line(limit=FIRST_START))
    assert told["users"][0]["created"]
    assert (data / UNFINISHED).is_file()
    assert sign_in(told["url"], "anna@example.org", told["users"][0]["password"])
    assert second.end() == 0


def test_an_interrupt_during_the_start(serve: Serve, data: Path) -> None:
    served = serve(data, "--port", str(free_port()))
    until = time.monotonic() + START
    while living_server(data) is None:
        assert time.monotonic() < until
        time.sleep(0.02)
    assert served.end() == 130
    assert living_server(data) is None
    assert "Traceback" not in served.said


def test_data_of_a_newer_version(serve: Serve, data: Path) -> None:
    import sqlite3

    with sqlite3.connect(data / "label_studio.sqlite3") as connection:
        connection.execute(
            "insert into django_migrations (app, name, applied) values ('tasks', '9000_x', '')"
        )
    connection.close()
    served = serve(data)
    _, err = served.process.communicate(timeout=30)
    assert served.process.returncode == 2
    assert "a newer Label Studio than" in err


def test_bad_options(serve: Serve, tmp_path: Path) -> None:
    wrong = serve(tmp_path / "new", "--user", "anna")
    _, err = wrong.process.communicate(timeout=30)
    assert wrong.process.returncode == 2
    assert "'anna' is no mail address" in err
    assert not (tmp_path / "new").exists()
    (tmp_path / "thesis.tex").write_text("")
    other = serve(tmp_path)
    _, err = other.process.communicate(timeout=30)
    assert other.process.returncode == 2
    assert "holds no Label Studio data" in err


def test_the_server_of_the_other_tests(tmp_path: Path) -> None:
    """What the other tests rely on: a person's own token, kill, restart, everything kept."""
    with running_server(tmp_path / "studio") as server:
        person = server.add_user("anna@example.org")
        project, task = _work(server.url, person.token)
        address, first = server.url, server.pid
        server.kill()
        with pytest.raises(CurateError):
            server_access(server.data)
        server.start()
        assert (server.url, server.access) == (address, server_access(server.data))
        assert server.pid != first
        _check_work(server.url, person.token, project, task)
        last = server.pid
    with pytest.raises(ProcessLookupError):
        os.kill(last, 0)
