"""A small HTTP server in a thread, stopped at the end."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer

__all__ = ["served"]


@contextmanager
def served(server: ThreadingHTTPServer) -> Iterator[None]:
    """Answer while the block runs."""
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
