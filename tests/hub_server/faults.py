"""Failures on demand.

A fault is a JSON object, sent in a list with ``POST /__faults`` (``DELETE`` forgets them all):

- ``method`` (``*``) and ``path`` (``*``): which requests, with wildcards, the path without query.
- ``nth`` (1) and ``times`` (1): from the n-th such request on, for so many of them (0: for ever).
- ``do``: what happens then.

  - ``status``: answer with ``status`` and ``headers`` (``{"Retry-After": "1"}``), change nothing.
  - ``drop``: read ``after`` bytes of what is sent, then close the connection.
  - ``cut``: send ``after`` bytes of the body of the answer, then close the connection.
  - ``lost``: do what is asked, then close the connection without a word.
  - ``delay``: wait ``seconds`` first; where the client has gone by then, nothing is done.
  - ``die``: end the server as a kill would, before anything (``when``: ``before``) or when all is
    done but answered (``after``).
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

__all__ = ["Fault", "Faults"]

_KINDS = ("status", "drop", "cut", "lost", "delay", "die")


@dataclass
class Fault:
    """One rule, and how many requests it has met."""

    do: str
    method: str = "*"
    path: str = "*"
    nth: int = 1
    times: int = 1
    status: int = 503
    headers: dict[str, str] = field(default_factory=dict)
    after: int = 0
    seconds: float = 1.0
    when: str = "before"
    met: int = 0

    def __post_init__(self) -> None:
        if self.do not in _KINDS:
            raise ValueError(f"no such fault: {self.do!r}; there are {', '.join(_KINDS)}")

    def strikes(self, method: str, path: str) -> bool:
        """Whether it is this request's turn; every matching request is counted."""
        if not (fnmatchcase(method, self.method) and fnmatchcase(path, self.path)):
            return False
        self.met += 1
        return self.met >= self.nth and (not self.times or self.met < self.nth + self.times)


class Faults:
    """The rules in force; the first that strikes wins."""

    def __init__(self) -> None:
        self._rules: list[Fault] = []
        self._lock = threading.Lock()

    def add(self, rules: list[dict[str, Any]]) -> None:
        made = [Fault(**rule) for rule in rules]
        with self._lock:
            self._rules += made

    def clear(self) -> None:
        with self._lock:
            self._rules.clear()

    def describe(self) -> list[dict[str, Any]]:
        with self._lock:
            return [vars(rule) | {} for rule in self._rules]

    def find(self, method: str, path: str) -> Fault | None:
        with self._lock:
            struck = [rule for rule in self._rules if rule.strikes(method, path)]
        return struck[0] if struck else None
