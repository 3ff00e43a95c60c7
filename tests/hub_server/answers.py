"""What a request is answered with."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["Answer", "Refused", "json_answer"]


@dataclass
class Answer:
    """A status with a body in memory, or with a stretch of a file (`end` is not included)."""

    status: int
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    file: Path | None = None
    start: int = 0
    end: int = 0

    @property
    def length(self) -> int:
        return self.end - self.start if self.file else len(self.body)


class Refused(Exception):
    """An error as the Hub words it: a status, the code that the client reads, a message."""

    def __init__(self, status: int, message: str, code: str = "", **more: Any) -> None:
        super().__init__(message)
        self.status, self.message, self.code, self.more = status, message, code, more

    def answer(self) -> Answer:
        headers = {"X-Error-Message": self.message.replace("\n", " ")}
        if self.code:
            headers["X-Error-Code"] = self.code
        return json_answer({"error": self.message, **self.more}, self.status, **headers)


def json_answer(content: Any, status: int = 200, **headers: str) -> Answer:
    """An answer with a JSON body."""
    body = json.dumps(content, ensure_ascii=False).encode()
    return Answer(status, body, {"Content-Type": "application/json; charset=utf-8", **headers})
