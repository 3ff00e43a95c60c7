"""What was asked of the server, in order."""

from __future__ import annotations

import threading
from typing import Any

__all__ = ["Journal"]


class Journal:
    """One record a request; `status` is None until it is answered."""

    def __init__(self) -> None:
        self._records: list[dict[str, Any]] = []
        self._lock = threading.Lock()

    def begin(self, method: str, path: str, query: str) -> dict[str, Any]:
        record: dict[str, Any] = {
            "method": method, "path": path, "query": query, "user": None, "status": None,
            "error": "", "fault": None, "received": 0,
        }  # fmt: skip
        with self._lock:
            self._records.append(record)
        return record

    def read(self) -> list[dict[str, Any]]:
        with self._lock:
            return [dict(record) for record in self._records]

    def clear(self) -> None:
        with self._lock:
            self._records.clear()
