"""The data folder of a local server: whose it is, who may look, who works on it."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from curate.annotation.studio.folder import LOCK, State, holding, living_server, prepare_folder
from curate.annotation.studio.ports import free_port
from curate.errors import UsageError
from tests.annotation.studio.folders import held


def test_a_new_folder_is_for_its_owner_alone(tmp_path: Path) -> None:
    made = prepare_folder(tmp_path / "a" / "studio")
    assert made.stat().st_mode & 0o777 == 0o700
    with holding(made):
        assert (made / LOCK).stat().st_mode & 0o777 == 0o600
    made.chmod(0o755)
    assert prepare_folder(made).stat().st_mode & 0o777 == 0o700


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("")
    tmp_path.chmod(0o755)
    with pytest.raises(UsageError, match="not empty"):
        prepare_folder(tmp_path)
    assert tmp_path.stat().st_mode & 0o777 == 0o755
    with pytest.raises(UsageError, match="a file, not a folder"):
        prepare_folder(tmp_path / "thesis.tex")
    with pytest.raises(UsageError, match="cannot write here"):
        prepare_folder(tmp_path / "thesis.tex" / "studio")


def test_one_command_serves_a_folder(tmp_path: Path) -> None:
    with (
        holding(tmp_path),
        pytest.raises(UsageError, match=f"by process {os.getpid()}"),
        holding(tmp_path),
    ):
        pass
    with holding(tmp_path):
        pass


def test_the_lock_of_a_killed_command_is_gone(tmp_path: Path) -> None:
    with held(tmp_path / LOCK) as pid:
        with pytest.raises(UsageError, match=f"by process {pid}") as refused, holding(tmp_path):
            pass
        assert f"kill {pid}" in refused.value.hint
        os.kill(pid, 9)
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        with holding(tmp_path):
            assert (tmp_path / LOCK).read_text() == str(os.getpid())


def test_a_living_server_is_told_by_its_lock(tmp_path: Path) -> None:
    assert living_server(tmp_path) is None
    path = tmp_path / "studio.pid"
    path.write_text(str(os.getpid()))  # a number that lives says nothing
    assert living_server(tmp_path) is None
    with held(path) as pid:
        assert living_server(tmp_path) == pid


def test_ports(tmp_path: Path) -> None:
    said: list[str] = []
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match=f"port {port} "):
            free_port(port, before=None, say=said.append)
        before = State(port, 1, 1, "1", ready=True)
        assert free_port(None, before=before, say=said.append) != port
    assert said == [f"port {port} is in use: the address is a new one"]
    assert free_port(None, before=before, say=said.append) == port
    assert free_port(port, before=None, say=said.append) == port
    assert len(said) == 1
