"""The process of a local Label Studio: started on this machine alone, watched, stopped."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import time
from pathlib import Path

from curate.annotation.studio.environment import Environment
from curate.annotation.studio.folder import HOST, LOG, PID, living_server
from curate.errors import RemoteError, UsageError

__all__ = ["Child", "stop_orphan"]

_LAUNCHER = Path(__file__).with_name("launch.py")
_PASSED = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR")
_NOWHERE = "http://127.0.0.1:9"
"""A proxy that nobody runs: what Label Studio wants from the network, it does not get."""
_LOG_LIMIT = 5_000_000
_STOP_AFTER = 15.0


def _variables(data: Path, port: int) -> dict[str, str]:
    """All that Label Studio is told: none of our own tokens, nothing that calls home."""
    settings = {
        "LABEL_STUDIO_BASE_DATA_DIR": str(data),
        "HOME": str(data),  # some of its packages keep files there
        "DJANGO_DB": "sqlite",
        "DEBUG": "false",
        "COLLECT_ANALYTICS": "false",
        "LATEST_VERSION_CHECK": "false",
        "SENTRY_DSN": "",
        "FRONTEND_SENTRY_DSN": "",
        "FEATURE_FLAGS_OFFLINE": "true",
        "LABEL_STUDIO_ENABLE_LEGACY_API_TOKEN": "true",
        "LABEL_STUDIO_DISABLE_SIGNUP_WITHOUT_LINK": "true",
        # other pages that a translator has open may not talk to it
        "ALLOWED_HOSTS": f"{HOST},localhost",
        "CORS_ALLOWED_ORIGINS": f"http://{HOST}:{port},http://localhost:{port}",
        "HTTP_PROXY": _NOWHERE,
        "HTTPS_PROXY": _NOWHERE,
        "NO_PROXY": f"{HOST},localhost",
    }
    return {name: os.environ[name] for name in _PASSED if name in os.environ} | settings


class Child:
    """A Label Studio that we have started; it ends when we do."""

    def __init__(
        self, data: Path, environment: Environment, *, port: int, secrets: dict[str, str]
    ) -> None:
        """Start it on the folder and the port.

        `secrets` go through a pipe, not through variables or arguments, which others could list.
        """
        self.data = data
        self._log_start = _room_in_log(data / LOG)
        command = [
            str(environment.python), "-I", "-u", str(_LAUNCHER), str(data / PID), "start",
            "--no-browser", "--internal-host", HOST, "--port", str(port),
            "--log-level", "WARNING",
        ]  # fmt: skip
        log = os.open(data / LOG, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            self._process = subprocess.Popen(  # noqa: S603 (our launcher, our arguments)
                command, env=_variables(data, port), cwd=data, umask=0o077,
                stdin=subprocess.PIPE, stdout=log, stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C reaches us alone, and we stop it in order
            )  # fmt: skip
        finally:
            os.close(log)
        self.pid = self._process.pid
        self._tell(json.dumps(secrets).encode("utf-8") + b"\n")

    def _tell(self, line: bytes) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # it has ended already, as `check` will say
            self._process.stdin.write(line)
            self._process.stdin.flush()

    def check(self) -> None:
        """Raise RemoteError where it has ended, with the last line of its log."""
        if self._process.poll() is None:
            return
        raise RemoteError(
            f"Label Studio has ended (exit code {self._process.returncode}): {self._last_words()}",
            where=self.data / LOG,
            hint="the log says more; the same command starts it again, with all its data",
        )

    def _last_words(self) -> str:
        with (self.data / LOG).open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(self._log_start, size - 8192))
            lines = file.read().decode("utf-8", "replace").split("\n")
        said = (line.strip()[:300] for line in reversed(lines) if line.strip())
        return next(said, "it said nothing")

    def stop(self) -> None:
        """End it: politely, and by force after 15 seconds."""
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(_STOP_AFTER)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()


def _room_in_log(log: Path) -> int:
    """Put a log that has grown long aside; the size of what is there."""
    if log.is_file() and log.stat().st_size > _LOG_LIMIT:
        log.replace(log.with_name(f"{log.name}.1"))
    return log.stat().st_size if log.is_file() else 0


def stop_orphan(data: Path) -> int | None:
    """End a Label Studio that outlived the command which served the folder; its process id.

    To be called by the command that holds the folder: then any server on it is an orphan.
    Raises UsageError where it cannot be ended.
    """
    orphan = _still_there(data, seconds=2.0)  # one whose command was killed ends by itself
    if orphan is None:
        return None
    if orphan and _LAUNCHER.name in _command_line(orphan):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(orphan, 9)
        if _still_there(data, seconds=5.0) is None:
            return orphan
    raise UsageError(
        f"another Label Studio works on this folder (process {orphan or 'unknown'})",
        where=data,
        hint="stop it first",
    )


def _still_there(data: Path, *, seconds: float) -> int | None:
    until = time.monotonic() + seconds
    while (found := living_server(data)) is not None and time.monotonic() < until:
        time.sleep(0.1)
    return found


def _command_line(pid: int) -> str:
    """How a process was started, as far as this machine tells."""
    file = Path(f"/proc/{pid}/cmdline")
    if file.is_file():
        return file.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
    command = ["/bin/ps", "-p", str(pid), "-o", "args="]
    shown = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    return shown.stdout
