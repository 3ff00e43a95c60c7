"""What may go wrong with one query, and whether asking again can help."""

from __future__ import annotations

import ast
import json
import re
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError

from curate.errors import CurateError, RemoteError
from curate.sources.wikidata.terms import Binding

__all__ = ["LONGEST_WAIT", "Failure", "QueryTimeoutError", "explained", "read_answer", "resting"]

LONGEST_WAIT = 900.0
"""Seconds that are waited at the most: an endpoint that asks for more ends the run."""

_TRANSIENT = frozenset({408, 425, 429, 500, 502, 503, 504})
_TIMED_OUT = re.compile(rb"TimeoutException|timed?[ -]?out|QueryTimeout", re.IGNORECASE)
_IS_IT = "is this the address of a SPARQL endpoint? Wikidata's is https://query.wikidata.org/sparql"
_KEPT = "finished parts are kept: run the same command again"


class QueryTimeoutError(RemoteError):
    """The endpoint cannot answer this query in its time: ask for less at once."""


@dataclass
class Failure(Exception):
    """One attempt that failed.

    `again`: asking again may help. `heavy`: the query may be too much for the endpoint; `sure`
    that it is, for the endpoint says so or had long to answer. `wait`: seconds that it asks for.
    `lost`: there was no answer at all. It never leaves the client.
    """

    message: str
    outcome: str
    again: bool = False
    heavy: bool = False
    sure: bool = False
    lost: bool = False
    wait: float = 0.0
    hint: str = _KEPT

    def error(self, where: str) -> CurateError:
        kind = QueryTimeoutError if self.heavy else RemoteError
        return kind(self.message, where=where, hint=self.hint)


def explained(error: Exception) -> Failure:
    """What an error of SPARQLWrapper, urllib or http.client means."""
    from SPARQLWrapper import SPARQLExceptions

    known = {
        SPARQLExceptions.QueryBadFormed: 400,
        SPARQLExceptions.Unauthorized: 401,
        SPARQLExceptions.EndPointNotFound: 404,
        SPARQLExceptions.URITooLong: 414,
        SPARQLExceptions.EndPointInternalError: 500,
    }
    for kind, status in known.items():
        if isinstance(error, kind):
            # the library drops the headers, but raises while it handles the error that has them
            first = error.__context__
            headers = dict(first.headers or {}) if isinstance(first, HTTPError) else {}
            return _by_status(status, _response(error), headers)
    if isinstance(error, HTTPError):
        return _by_status(error.code, _body(error), dict(error.headers or {}))
    cause = error.reason if isinstance(error, URLError) else error
    if isinstance(cause, TimeoutError):
        return Failure("no answer in time", "timeout", again=True, heavy=True, sure=True)
    if isinstance(error, OSError | HTTPException):
        text = " ".join(str(cause).split()) or type(cause).__name__
        lost = isinstance(error, URLError)
        said = "cannot be reached" if lost else "the connection broke off"
        hint = f"is the address right, and this machine on line? {_KEPT}" if lost else _KEPT
        return Failure(f"{said} ({text})", "connection", again=True, lost=lost, hint=hint)
    raise error


def _response(error: Exception) -> bytes:
    """The body of an answer that SPARQLWrapper has put into a message, as Python writes bytes."""
    text = str(error).partition("Response:")[2].strip()
    try:
        body = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        body = None
    return body if isinstance(body, bytes) else text.encode()


def _body(error: HTTPError) -> bytes:
    try:
        return error.read(100_000)
    except (OSError, HTTPException):
        return b""


def _by_status(status: int, body: bytes, headers: dict[str, str]) -> Failure:
    outcome = str(status)
    said = _first_line(body)
    if status == 400:
        hint = "the endpoint must speak SPARQL 1.1; no part of it was fetched twice"
        return Failure(f"the query is rejected: {said}", outcome, hint=hint)
    if status in {401, 403}:
        hint = "the endpoint wants another --contact, or has shut this address out for a while"
        return Failure(f"access is refused ({status}) {said}".rstrip(), outcome, hint=hint)
    if status not in _TRANSIENT:
        return Failure(f"fails with {status} {said}".rstrip(), outcome, hint=_IS_IT)
    wait = _retry_after(headers)
    # QLever answers 429 for a query that took too long; a true 429 names the time to wait
    sure = status in {429, 500} and not wait and bool(_TIMED_OUT.search(body))
    heavy = (sure or status == 504) and wait <= LONGEST_WAIT
    return Failure(
        f"fails with {status} {said}".rstrip(), outcome,
        again=True, heavy=heavy, sure=sure, wait=wait,
        hint=_KEPT if wait <= LONGEST_WAIT else _later(wait),
    )  # fmt: skip


def resting(wait: float) -> Failure:
    """The endpoint has asked for rest before, and that is not over for `wait` seconds."""
    return Failure("the endpoint has asked for rest", "rest", hint=_later(wait))


def _later(wait: float) -> str:
    until = datetime.now(UTC) + timedelta(seconds=min(wait, 1e9))
    return f"it asks for {wait:,.0f} s of rest; {_KEPT} after {until:%Y-%m-%d %H:%M} UTC"


def _first_line(body: bytes) -> str:
    """What the endpoint says in its first line with words; a page of HTML says nothing.

    Nothing in it steers a terminal.
    """
    text = body.decode("utf-8", "replace")
    if "<html" in text.lower():
        return "(a page)"
    lines = [" ".join(line.split()) for line in text.splitlines()]
    line = next(filter(None, lines), "")
    line = "".join(character if character.isprintable() else " " for character in line)
    return line if len(line) <= 200 else line[:199] + "…"


def _retry_after(headers: dict[str, str]) -> float:
    """Seconds of a Retry-After header, which holds seconds or a date."""
    text = next((value for name, value in headers.items() if name.lower() == "retry-after"), "")
    if text.strip().isdecimal():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time()) if text else 0.0
    except ValueError:
        return 0.0


def read_answer(body: bytes, kind: str) -> list[Binding]:
    """The rows of an answer with status 200; raises Failure for what is no whole answer.

    An endpoint that runs out of time may have begun with 200 already: the rest is then missing.
    """
    if body.lstrip()[:1] == b"<" or "html" in kind:
        return _raise(Failure("a page instead of data", "page", again=True, hint=_IS_IT))
    try:
        answer: Any = json.loads(body)
        bindings: Any = answer["results"]["bindings"]
    except (ValueError, KeyError, TypeError):
        sure = bool(_TIMED_OUT.search(body[-20_000:]))
        return _raise(Failure("the answer is cut off", "cut", again=True, heavy=True, sure=sure))
    if not isinstance(bindings, list) or not all(map(_is_row, bindings)):
        return _raise(Failure("an answer that is no table", "form", again=True, hint=_IS_IT))
    return bindings


def _is_row(row: Any) -> bool:
    """Whether these are terms by variable; a variable without a value is not there at all."""
    return isinstance(row, dict) and all(map(_is_term, row.values()))


def _is_term(term: Any) -> bool:
    return (
        isinstance(term, dict)
        and "value" in term
        and all(isinstance(said, str) for said in term.values())
    )


def _raise(failure: Failure) -> list[Binding]:
    raise failure
