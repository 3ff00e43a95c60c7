"""A server that speaks the Hub's protocol, for one test or one file of tests.

Import the fixture into a test file (``from tests.parts.hub_fixture import Hub, hub``), or start one
with `running_hub`. The client reads its environment when it is imported, so programs get
``env=hub.env`` (or ``hub.env_of("ben-read")``); in this process ask `Hub.api`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

__all__ = ["Hub", "hub", "running_hub"]

OWNER = "ann-write"
ROOT = Path(__file__).resolve().parents[2]


class Hub:
    """A server with its state in ``folder/state``; it can be killed and started again.

    Users: ann (leads the organisation lab) and ben (reads in lab, writes in guild). Tokens:
    ann-write, ann-read, ann-none, ben-write, ben-read.
    """

    def __init__(self, folder: Path, *, page: int = 1000) -> None:
        self.folder, self.page = folder, page
        self.port = 0
        self._process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def env(self) -> dict[str, str]:
        """The environment of a program that is signed in as ann, with a cache of its own."""
        return self.env_of(OWNER)

    def env_of(self, token: str, home: str = "home") -> dict[str, str]:
        """The same for another token ("" for none) and, with `home`, another cache."""
        inherited = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("HF_", "HUGGING_FACE_", "HUGGINGFACE_"))
        }
        return inherited | {
            "HF_ENDPOINT": self.url, "HF_TOKEN": token, "HF_HOME": str(self.folder / home),
            "HF_HUB_DISABLE_XET": "1", "HF_HUB_DISABLE_TELEMETRY": "1", "HF_HUB_OFFLINE": "0",
            "HF_HUB_DISABLE_PROGRESS_BARS": "1", "OMP_NUM_THREADS": "1",
            "NO_PROXY": "127.0.0.1,localhost",
        }  # fmt: skip

    def start(self, port: int = 0) -> None:
        """Start, on the port it had before where it was running."""
        command = [
            sys.executable, "-m", "tests.hub_server", "--folder", str(self.folder / "state"),
            "--port", str(port or self.port), "--page", str(self.page),
        ]  # fmt: skip
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        self._process = process
        assert process.stdout is not None
        self.port = int(process.stdout.readline())

    def kill(self) -> None:
        """End the server as a power cut would; `start` brings it back."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            assert self._process.stdout is not None
            self._process.stdout.close()
            self._process = None

    def api(self, token: str = OWNER) -> Any:
        """An `HfApi` of this process; "" asks as nobody."""
        from huggingface_hub import HfApi

        return HfApi(endpoint=self.url, token=token or False)

    def fail(self, **fault: Any) -> None:
        """Add a fault, as `tests.hub_server.faults` has them: ``do="status", path="*/tag/*"``."""
        self._control("POST", "/__faults", [fault])

    def heal(self) -> None:
        """Forget all faults."""
        self._control("DELETE", "/__faults")

    def log(self, method: str = "", path: str = "") -> list[dict[str, Any]]:
        """The requests so far, or those of a method whose path holds `path`."""
        records = self._control("GET", "/__log")
        return [r for r in records if method in ("", r["method"]) and path in r["path"]]

    def forget(self) -> None:
        """Clear the log."""
        self._control("DELETE", "/__log")

    def await_request(self, method: str, path: str, *, seconds: float = 20) -> None:
        """Wait until such a request has come in (answered or not)."""
        self._await(lambda: bool(self.log(method, path)), seconds, f"{method} {path}")

    def _await(self, done: Callable[[], bool], seconds: float, what: str) -> None:
        end = time.monotonic() + seconds
        while not done():
            assert time.monotonic() < end, f"{what} did not come"
            time.sleep(0.02)

    def _control(self, method: str, path: str, content: Any = None) -> Any:
        body = None if content is None else json.dumps(content).encode()
        request = urllib.request.Request(f"{self.url}{path}", body, method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=10) as answer:
            return json.loads(answer.read())

    def run(
        self, *command: str | Path, token: str = OWNER, home: str = "home", **more: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a program to its end with this Hub; `more` are further variables."""
        return subprocess.run(
            [str(part) for part in command], cwd=ROOT, env=self.env_of(token, home) | more,
            capture_output=True, text=True, check=False, timeout=300,
        )  # fmt: skip

    def python(self, code: str, *, token: str = OWNER, home: str = "home") -> Any:
        """Run a program that prints one line of JSON last, and read it."""
        done = self.run(sys.executable, "-c", code, token=token, home=home)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    def curate(
        self, *arguments: str | Path, token: str = OWNER, home: str = "home", **more: str
    ) -> subprocess.CompletedProcess[str]:
        """Run our command line with this Hub."""
        program = Path(sys.executable).with_name("curate")
        return self.run(program, *arguments, token=token, home=home, **more)


@contextmanager
def running_hub(folder: Path, *, page: int = 1000) -> Iterator[Hub]:
    """Start a server and end it, by its process id, when the block ends.

    Meanwhile the client of this process (`Hub.api`) is online, as it is not in other tests.
    """
    from huggingface_hub import constants

    made = Hub(folder, page=page)
    made.start()
    try:
        with patch.multiple(constants, HF_HUB_OFFLINE=False, HF_HUB_DISABLE_XET=True):
            yield made
    finally:
        made.kill()


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    """A fresh server, empty."""
    with running_hub(tmp_path / "hub") as made:
        yield made
