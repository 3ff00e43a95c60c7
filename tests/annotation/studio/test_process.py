"""What Label Studio is told and what it may write down: no secret of ours, none of its own."""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path

import pytest

from curate.annotation.studio import launch
from curate.annotation.studio.access import Access
from curate.annotation.studio.environment import _pip_environment
from curate.annotation.studio.process import _variables
from curate.annotation.studio.server import _administrator
from curate.annotation.studio.users import check_mails, ensure_users
from curate.errors import UsageError

SECRETS = {
    "HF_TOKEN": "hf_sesame", "AWS_SECRET_ACCESS_KEY": "sesame", "LABEL_STUDIO_API_KEY": "sesame",
    "LABEL_STUDIO_PASSWORD": "open-sesame", "OPENAI_API_KEY": "sesame",
}  # fmt: skip


def test_no_secret_is_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    for told in (_variables(tmp_path, 8080), _pip_environment()):
        assert not set(SECRETS) & set(told)
        assert "sesame" not in " ".join(told.values())
        assert "PATH" in told


@pytest.mark.parametrize(("line", "written"), [
    ('"GET /user/signup/?token=8f3ab&x=1 HTTP/1.1" 403',
     '"GET /user/signup/?token=...&x=1 HTTP/1.1" 403'),
    ("password=sesame", "password=..."),
    ("GET /api/tasks?project=3&fields=all", "GET /api/tasks?project=3&fields=all"),
])  # fmt: skip
def test_the_log_is_discreet(line: str, written: str) -> None:
    record = launch._Discreet("django.server", logging.WARNING, "", 0, "%s", (line,), None)
    assert logging.Formatter().format(record) == written


def test_a_launcher_whose_command_is_gone_starts_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-I", launch.__file__, str(tmp_path / "studio.pid"), "start"]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "gone" in done.stderr
    assert not (tmp_path / "studio.pid").exists()


def test_who_administers(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in SECRETS:
        monkeypatch.delenv(name, raising=False)
    first, second = _administrator(), _administrator()
    assert first["LABEL_STUDIO_USER_TOKEN"] != second["LABEL_STUDIO_USER_TOKEN"]
    assert first["LABEL_STUDIO_PASSWORD"] != second["LABEL_STUDIO_PASSWORD"]
    monkeypatch.setenv("LABEL_STUDIO_PASSWORD", "chosen by me")
    monkeypatch.setenv("LABEL_STUDIO_API_KEY", "ab" * 20)
    assert {"chosen by me", "ab" * 20} < set(_administrator().values())
    for name, bad in (
        ("LABEL_STUDIO_API_KEY", "ey.not.legacy"),
        ("LABEL_STUDIO_PASSWORD", "sesame"),
    ):
        monkeypatch.setenv(name, bad)
        with pytest.raises(UsageError, match=name) as refused:
            _administrator()
        assert bad not in f"{refused.value} {refused.value.hint}"


def test_mails() -> None:
    assert check_mails(["Anna@Example.org ", "ben@x.de", "anna@example.org", "me@localhost"]) == [
        "anna@example.org", "ben@x.de", "me@localhost",
    ]  # fmt: skip


@pytest.mark.parametrize("mail", [
    "", "anna", "anna@", "@example.org", "anna@example", "a b@example.org", "a@b@example.org",
    "a..b@example.org", "anna@-x.org", "anna@example.org\nbcc", "a" * 250 + "@x.org",
])  # fmt: skip
def test_what_is_no_mail(mail: str) -> None:
    """Before any account is made: nothing listens at the address given here."""
    with pytest.raises(UsageError, match="no mail address"):
        ensure_users(Access("http://127.0.0.1:9", ""), ["ok@example.org", mail])
