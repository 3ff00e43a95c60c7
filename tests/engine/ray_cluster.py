"""A Ray cluster of one node on 127.0.0.1, for the tests of one file."""

from __future__ import annotations

import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.processes import descendants, kill

__all__ = ["OWN_RAY", "ROOT", "free_port", "ray_program", "running_ray"]

ROOT = Path(__file__).resolve().parents[2]

OWN_RAY = {
    "PYTHONPATH": str(ROOT),
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # keeps to 127.0.0.1
    "RAY_AUTH_MODE": "disabled",
}
"""What the node of a test is started with."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def ray_program() -> str:
    """The program `ray`; skips where it is missing."""
    # looked for and not imported: Ray reads its settings then, and the engine has not set them yet
    if importlib.util.find_spec("ray") is None:
        pytest.skip("Ray is not installed: the extra ray")
    return str(Path(sys.executable).with_name("ray"))


@contextmanager
def running_ray(*, cpus: int = 3, env: Mapping[str, str] | None = None) -> Iterator[str]:
    """Start a node and give its address; every process of it is ended by its id."""
    port = free_port()
    # a short path: Ray makes sockets in it, whose names may not be long
    folder = Path(tempfile.mkdtemp(prefix="ray", dir="/tmp"))
    node = subprocess.Popen(
        [ray_program(), "start", "--head", "--block", "--node-ip-address=127.0.0.1",
         f"--port={port}", f"--num-cpus={cpus}", "--include-dashboard=false",
         "--disable-usage-stats", f"--temp-dir={folder}"],
        env={**os.environ, **OWN_RAY, **(env or {})}, cwd=ROOT,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        _wait(node, port, folder)
        yield f"127.0.0.1:{port}"
    finally:
        for pid in [*descendants(node.pid), node.pid]:
            kill(pid)
        node.wait(10)
        shutil.rmtree(folder, ignore_errors=True)


def _wait(node: subprocess.Popen[bytes], port: int, folder: Path) -> None:
    """Until the node answers and its raylet has made its socket."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        assert node.poll() is None, "ray start ended"
        with socket.socket() as probe:
            ready = probe.connect_ex(("127.0.0.1", port)) == 0
        if ready and any(folder.glob("session_*/sockets/raylet")):
            return
        time.sleep(0.1)
    raise AssertionError("ray start did not come up")
