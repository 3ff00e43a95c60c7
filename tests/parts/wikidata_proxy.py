"""A proxy before a query service that fails as such services do, and keeps a log."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

import httpx

from tests.loopback import served

__all__ = ["Fault", "Proxy", "Seen", "proxied"]


@dataclass(frozen=True)
class Fault:
    """`status` in place of an answer; `cut`: the bytes of a true one that arrive, with the length
    of the whole announced (`clean`: the length of the rest); `page`: HTML; `delay` seconds."""

    status: int = 0
    retry_after: str = ""
    body: str = "fault"
    cut: int = -1
    clean: bool = False
    page: bool = False
    delay: float = 0.0


@dataclass
class Seen:
    """A query as it came and went; `at_once` counts it and those under way when it came."""

    query: str
    agent: str
    at_once: int
    fault: Fault | None
    began: float
    ended: float = 0.0


Faults = Callable[[int, str], Fault | None]


class Proxy:
    """`faults(number, query)` says what befalls a query; `log` has every one, in order."""

    def __init__(self, target: str, faults: Faults) -> None:
        self.faults, self.log = faults, list[Seen]()
        self._target, self._lock, self._under_way = target, threading.Lock(), 0
        self.client = httpx.Client(timeout=300, trust_env=False)
        own = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:  # (http.server's name)
                own._handle(self)

            def log_message(self, *_: Any) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}/sparql"

    def _handle(self, asked: BaseHTTPRequestHandler) -> None:
        body = asked.rfile.read(int(asked.headers["Content-Length"]))
        query = parse_qs(body.decode())["query"][0]
        with self._lock:
            self._under_way += 1
            fault = self.faults(len(self.log), query)
            seen = Seen(
                query, asked.headers["User-Agent"], self._under_way, fault, time.monotonic()
            )
            self.log.append(seen)
        try:
            status, headers, answer = self._answer(body, dict(asked.headers), fault)
        finally:
            with self._lock:  # before the last byte is out, for the next query may follow at once
                self._under_way -= 1
                seen.ended = time.monotonic()
        try:
            asked.send_response(status)
            for name, value in headers.items():
                asked.send_header(name, value)
            asked.end_headers()
            asked.wfile.write(answer)
        except OSError:  # the client was killed
            pass
        asked.close_connection = True

    def _answer(
        self, body: bytes, headers: dict[str, str], fault: Fault | None
    ) -> tuple[int, dict[str, str], bytes]:
        fault = fault or Fault()
        time.sleep(fault.delay)
        if fault.status:
            own = {"Content-Length": str(len(fault.body.encode())), "Content-Type": "text/plain"}
            if fault.retry_after:
                own["Retry-After"] = fault.retry_after
            return fault.status, own, fault.body.encode()
        if fault.page:
            page = b"<html><body>Back soon</body></html>"
            return 200, {"Content-Type": "text/html", "Content-Length": str(len(page))}, page
        passed = {n: headers[n] for n in ("Accept", "Content-Type") if n in headers}
        answer = self.client.post(self._target, content=body, headers=passed)
        whole = answer.content
        sent = whole if fault.cut < 0 else whole[: fault.cut]
        length = len(sent) if fault.clean else len(whole)
        kind = answer.headers.get("content-type", "text/plain")
        return answer.status_code, {"Content-Type": kind, "Content-Length": str(length)}, sent


@contextmanager
def proxied(target: str, faults: Faults = lambda number, query: None) -> Iterator[Proxy]:
    """A proxy before the endpoint `target`."""
    proxy = Proxy(target, faults)
    with proxy.client, served(proxy.http):
        yield proxy
