"""Chromium, headless, spoken to over a pipe: what a page measures, looks like and complains of."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

__all__ = ["Page", "open_page"]

_FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--hide-scrollbars", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--host-resolver-rules=MAP * ~NOTFOUND", "--remote-debugging-pipe",
)  # fmt: skip


class Page:
    """One page; every call waits for the browser's answer."""

    def __init__(self, to_browser: BinaryIO, from_browser: BinaryIO) -> None:
        self._to, self._from = to_browser, from_browser
        self._number = 0
        self._session = ""
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self._loaded = False
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        attached = self._call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._call(f"{domain}.enable")

    def show(self, path: Path, *, width: int, dark: bool = False) -> None:
        """Load a file in a window `width` pixels wide."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._call("Emulation.setEmulatedMedia", features=[scheme])
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=900,
                   deviceScaleFactor=1, mobile=False)  # fmt: skip
        self._loaded = False
        self._call("Page.navigate", url=path.as_uri())
        while not self._loaded:
            self._hear()

    def ask(self, expression: str) -> Any:
        """The value of a JavaScript expression (the page itself runs none)."""
        answer = self._call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise AssertionError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def picture(self, path: Path) -> Path:
        """The whole page as a PNG."""
        data = self._call("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(data["data"]))
        return path

    def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        self._to.write(json.dumps(message).encode() + b"\0")
        self._to.flush()
        while True:
            heard = self._hear()
            if heard.get("id") == self._number:
                if "error" in heard:
                    raise AssertionError(f"{method}: {heard['error']}")
                return dict(heard["result"])

    def _hear(self) -> dict[str, Any]:
        """The next message; events are noted."""
        held = bytearray()
        while (byte := self._from.read(1)) != b"\0":
            if not byte:
                raise AssertionError("the browser ended")
            held += byte
        message: dict[str, Any] = json.loads(held)
        self._note(message.get("method", ""), message.get("params", {}))
        return message

    def _note(self, event: str, said: dict[str, Any]) -> None:
        if event == "Page.loadEventFired":
            self._loaded = True
        if event == "Runtime.exceptionThrown":
            self.complaints.append(str(said))
        if event == "Log.entryAdded":
            self.complaints.append(said["entry"]["text"])
        if event == "Runtime.consoleAPICalled":
            self.complaints.append(str(said["args"]))
        if event == "Network.requestWillBeSent":
            self.requests.append(said["request"]["url"])


@contextmanager
def open_page(browser: str, profile: Path, *, seconds: float = 180) -> Iterator[Page]:
    """A page of a browser of its own, ended by its process id, at the latest after `seconds`."""
    read_commands, write_commands = os.pipe()
    read_answers, write_answers = os.pipe()
    # The browser reads commands from descriptor 3 and writes answers to descriptor 4.
    wrapper = f'exec 3<&{read_commands} 4>&{write_answers}; exec "$@"'
    command = [
        "/bin/bash",
        "-c",
        wrapper,
        "chromium",
        browser,
        *_FLAGS,
        f"--user-data-dir={profile}",
    ]
    process = subprocess.Popen(
        command, pass_fds=(read_commands, write_answers), stderr=subprocess.DEVNULL
    )
    os.close(read_commands)
    os.close(write_answers)
    watch = threading.Timer(seconds, process.kill)
    watch.start()
    try:
        with (
            os.fdopen(write_commands, "wb") as to_browser,
            os.fdopen(read_answers, "rb") as answers,
        ):
            yield Page(to_browser, answers)
    finally:
        watch.cancel()
        process.terminate()
        process.wait(timeout=20)
