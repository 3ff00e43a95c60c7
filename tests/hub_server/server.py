"""The HTTP side: reading requests, sending answers, failing where a fault says so."""

from __future__ import annotations

import contextlib
import json
import os
import select
import socket
import sys
import time
import traceback
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.hub_server.answers import Answer, Refused, json_answer
from tests.hub_server.faults import Fault, Faults
from tests.hub_server.journal import Journal
from tests.hub_server.request import Hub, Request
from tests.hub_server.routes import dispatch

__all__ = ["HubServer"]

_BLOCK = 1 << 18


class HubServer(ThreadingHTTPServer):
    """Serves a `Hub` on this machine; port 0 takes a free one."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, hub: Hub, port: int) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.hub, self.faults, self.journal = hub, Faults(), Journal()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that go away are no news here."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class _Hangup(Exception):
    """End this connection without another word."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = _BLOCK
    server: HubServer

    def log_message(self, format: str, *args: Any) -> None:
        """The journal has it."""

    def _serve(self) -> None:
        address = urlsplit(self.path)
        if address.path in {"/__faults", "/__log"}:
            self._send(self._control(address.path))
            return
        self._record = self.server.journal.begin(self.command, address.path, address.query)
        self._left: int | None = None
        fault = self.server.faults.find(self.command, address.path)
        if fault:
            self._record["fault"] = fault.do
        try:
            answer = self._before(fault) or self._answer(address.path, address.query)
            if fault and fault.do == "die":
                os._exit(9)
            if fault and fault.do == "lost":
                raise _Hangup
            self._drain()
            self._record["status"] = answer.status
            self._send(answer, cut=fault.after if fault and fault.do == "cut" else None)
        except (_Hangup, ConnectionError):
            self._hang_up()

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = _serve  # noqa: N815

    def _answer(self, path: str, query: str) -> Answer:
        headers = {name.lower(): value for name, value in self.headers.items()}
        base = f"http://{headers.get('host', '')}"
        request = Request(self.command, path, parse_qs(query), headers, self._body, base)
        try:
            # what is signed needs no token, and takes none
            if not path.startswith(("/__lfs/", "/__cdn/")) or path.endswith("/verify"):
                request.account = self.server.hub.accounts.find(headers.get("authorization"))
                self._record["user"] = request.account and request.account.user
            return dispatch(self.server.hub, request)
        except Refused as refused:
            self._record["error"] = refused.message
            return refused.answer()
        except (_Hangup, ConnectionError):
            raise
        except Exception:
            traceback.print_exc()
            self._record["error"] = traceback.format_exc()
            return Refused(500, "Internal Error - We're working hard to fix this").answer()

    def _before(self, fault: Fault | None) -> Answer | None:
        """What a fault does instead of the request; None where the request goes on."""
        if fault is None:
            return None
        if fault.do == "die" and fault.when == "before":
            os._exit(9)
        if fault.do == "status":
            answer = Refused(fault.status, f"Made to fail with {fault.status}").answer()
            answer.headers |= fault.headers
            return answer
        if fault.do == "drop":
            self._read_at_least(fault.after)
            raise _Hangup
        if fault.do == "delay":
            time.sleep(fault.seconds)
            if self._client_has_gone():
                raise _Hangup
        return None

    def _client_has_gone(self) -> bool:
        readable, _, _ = select.select([self.connection], [], [], 0)
        return bool(readable) and not self.connection.recv(1, socket.MSG_PEEK)

    def _read_at_least(self, wanted: int) -> None:
        for _ in self._body():
            if self._record["received"] >= wanted:
                return

    def _body(self) -> Iterator[bytes]:
        """What is sent along, a block at a time, of a known length or in chunks."""
        if "chunked" in self.headers.get("Transfer-Encoding", "").lower():
            self._left = None
            while size := int(self.rfile.readline().split(b";")[0] or b"0", 16):
                yield from self._read(size)
                self.rfile.readline()
            self.rfile.readline()
            self._left = 0
            return
        if self._left is None:
            self._left = int(self.headers.get("Content-Length") or 0)
        while self._left:
            yield from self._read(min(self._left, _BLOCK))

    def _read(self, size: int) -> Iterator[bytes]:
        while size:
            block = self.rfile.read1(min(size, _BLOCK))
            if not block:
                raise _Hangup
            size -= len(block)
            self._record["received"] += len(block)
            if self._left is not None:
                self._left -= len(block)
            yield block

    def _drain(self) -> None:
        """Read what the answer did not need, so that the connection can serve again."""
        if "chunked" in self.headers.get("Transfer-Encoding", "").lower() and self._left is None:
            self.close_connection = True
            return
        for _ in self._body():
            pass

    def _send(self, answer: Answer, *, cut: int | None = None) -> None:
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value.encode("ascii", "replace").decode())
        self.send_header("Content-Length", str(answer.length))
        self.send_header("X-Request-Id", f"{time.time_ns():x}")
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            limit = answer.length if cut is None else min(cut, answer.length)
            for block in _blocks(answer, limit):
                self.wfile.write(block)
        self.wfile.flush()
        if cut is not None:
            raise _Hangup

    def _hang_up(self) -> None:
        self.close_connection = True
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)

    def _control(self, path: str) -> Answer:
        """Set, forget and show the faults; show and clear the journal."""
        server, length = self.server, int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        holder = server.faults if path == "/__faults" else server.journal
        if self.command == "DELETE":
            holder.clear()
        elif self.command == "POST" and path == "/__faults":
            try:
                server.faults.add(json.loads(body))
            except (TypeError, ValueError) as error:
                return json_answer({"error": str(error)}, 400)
        shown = server.faults.describe() if path == "/__faults" else server.journal.read()
        return json_answer(shown)


def _blocks(answer: Answer, limit: int) -> Iterator[bytes]:
    """The first `limit` bytes of the body."""
    if answer.file is None:
        yield answer.body[:limit]
        return
    with answer.file.open("rb") as stream:
        stream.seek(answer.start)
        while limit and (block := stream.read(min(limit, _BLOCK))):
            limit -= len(block)
            yield block
