"""The way into a Label Studio: from a folder, from the environment; the token stays hidden."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from curate.annotation.studio.access import Access, access_from_environment, server_access
from curate.annotation.studio.folder import DATABASE, PID, STATE, write_state
from curate.errors import CurateError, InputError, RemoteError, UsageError
from tests.annotation.studio.folders import TOKEN, database, held, state


def test_the_token_is_never_shown() -> None:
    access = Access("http://127.0.0.1:1", TOKEN)
    assert TOKEN not in repr(access) + str(access) + f"{access}"


def test_a_folder_that_is_served(tmp_path: Path) -> None:
    """The administrator's token, not the first one that lies there."""
    people = [(1, True, False, "translator"), (2, False, True, "gone"), (3, True, True, TOKEN)]
    database(tmp_path, people)
    with held(tmp_path / PID) as pid:
        write_state(tmp_path, state(pid))
        assert server_access(tmp_path) == Access("http://127.0.0.1:8123", TOKEN)
    assert TOKEN not in (tmp_path / STATE).read_text()
    assert (tmp_path / STATE).stat().st_mode & 0o777 == 0o600


def test_a_folder_that_is_not_served_any_more(tmp_path: Path) -> None:
    database(tmp_path, [(1, True, True, TOKEN)])
    write_state(tmp_path, state(1))
    with pytest.raises(RemoteError, match="does not run") as refused:
        server_access(tmp_path)
    assert f"serve --data {tmp_path}" in refused.value.hint
    (tmp_path / PID).write_text("1")  # a process that lives, but holds nothing
    with pytest.raises(RemoteError, match="does not run"):
        server_access(tmp_path)


@pytest.mark.parametrize("what", ["not ready", "no organization", "of another start", "no tables"])
def test_a_server_that_is_starting(tmp_path: Path, what: str) -> None:
    if what == "no tables":
        sqlite3.connect(tmp_path / DATABASE).execute("create table other (id)").connection.close()
    else:
        database(tmp_path, [(1, True, True, TOKEN)], made=what != "no organization")
    with held(tmp_path / PID) as pid:
        recorded = pid + (what == "of another start")
        write_state(tmp_path, state(recorded, ready=what != "not ready"))
        with pytest.raises(RemoteError, match="starting"):
            server_access(tmp_path)


def test_a_folder_that_is_none_of_ours(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "missing"):
        with pytest.raises(UsageError, match="no folder of `curate translate serve`"):
            server_access(folder)
    for text in ("", "[]", '{"port": 1}', '{"url": "http://x"}', "\xff"):
        (tmp_path / STATE).write_text(text, encoding="latin-1")
        with pytest.raises(InputError, match=r"no file of"):
            server_access(tmp_path)


def test_a_database_that_is_none(tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_bytes(b"not a database, " * 100)
    with held(tmp_path / PID) as pid:
        write_state(tmp_path, state(pid))
        with pytest.raises(InputError, match="no database"):
            server_access(tmp_path)


def test_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LABEL_STUDIO_URL", "https://studio.example.org/team/")
    monkeypatch.setenv("LABEL_STUDIO_API_KEY", f" {TOKEN}\n")
    assert access_from_environment() == Access("https://studio.example.org/team", TOKEN)
    assert access_from_environment("http://127.0.0.1:8080").url == "http://127.0.0.1:8080"
    monkeypatch.delenv("LABEL_STUDIO_API_KEY")
    with pytest.raises(UsageError, match="no token") as refused:
        access_from_environment()
    assert "LABEL_STUDIO_API_KEY" in refused.value.hint
    monkeypatch.delenv("LABEL_STUDIO_URL")
    with pytest.raises(UsageError, match="no Label Studio is named"):
        access_from_environment()


@pytest.mark.parametrize("url", [
    "studio.example.org", "ftp://studio.example.org", "http://", "http://anna:sesame@example.org",
    "http://example.org/?token=sesame", "anna:sesame@example.org", "http://[::1", "http://a:b",
])  # fmt: skip
def test_addresses_that_are_refused(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("LABEL_STUDIO_API_KEY", TOKEN)
    with pytest.raises(UsageError) as refused:
        access_from_environment(url)
    error: CurateError = refused.value
    assert "sesame" not in f"{error} {error.hint}"
