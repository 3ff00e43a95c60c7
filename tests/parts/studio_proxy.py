"""A proxy that does what it is asked and then loses the answer, as a bad line does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx

from tests.loopback import served

__all__ = ["Proxy", "losing"]


class Proxy:
    """`lost`: which writes, counted from 1, lose their answers; `writes`: all of them."""

    def __init__(self, target: str, lost: set[int]) -> None:
        self.writes: list[str] = []
        own = self

        class Handler(BaseHTTPRequestHandler):
            def forward(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                headers = {
                    name: value
                    for name, value in self.headers.items()
                    if name.lower() not in {"host", "connection", "accept-encoding"}
                }
                answer = own.client.request(
                    self.command, target + self.path, content=body, headers=headers
                )
                if self.command != "GET":
                    own.writes.append(f"{self.command} {self.path.partition('?')[0]}")
                    if len(own.writes) in lost:
                        self.close_connection = True
                        return
                self.send_response(answer.status_code)
                self.send_header("Content-Type", answer.headers.get("content-type", "text/plain"))
                self.send_header("Content-Length", str(len(answer.content)))
                self.end_headers()
                self.wfile.write(answer.content)

            do_GET = do_POST = do_PATCH = do_DELETE = forward  # noqa: N815 (http.server's names)

            def log_message(self, *_: Any) -> None:
                pass

        self.client = httpx.Client(timeout=120, trust_env=False)
        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}"


@contextmanager
def losing(target: str, lost: set[int]) -> Iterator[Proxy]:
    """A proxy before the server `target`."""
    proxy = Proxy(target, lost)
    with proxy.client, served(proxy.http):
        yield proxy
