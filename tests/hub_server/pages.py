"""Long lists, a page at a time: the ``Link`` header names the next one."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from tests.hub_server.answers import Answer, Refused, json_answer
from tests.hub_server.request import Request

__all__ = ["paged"]


def paged(entries: list[Any], request: Request, *, size: int) -> Answer:
    """The page that ``cursor`` asks for, of `size` entries or of ``limit`` where that is less."""
    try:
        start = int(request.option("cursor", "0"))
        size = min(size, int(request.option("limit", str(size))))
    except ValueError:
        raise Refused(400, "Invalid cursor or limit", "BadRequest") from None
    answer = json_answer(entries[start : start + size])
    if start + size < len(entries):
        query = urlencode(request.query | {"cursor": [str(start + size)]}, doseq=True)
        answer.headers["Link"] = f'<{request.base}{request.path}?{query}>; rel="next"'
    return answer
