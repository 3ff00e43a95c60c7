"""A client of a SPARQL endpoint: one query at a time, with pauses, retries and a name."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from curate import __version__
from curate.errors import MissingExtraError, UsageError
from curate.sources.wikidata.address import checked_address, shown_address
from curate.sources.wikidata.failures import (
    LONGEST_WAIT,
    Failure,
    explained,
    read_answer,
    resting,
)
from curate.sources.wikidata.host_turn import HostTurn
from curate.sources.wikidata.terms import Binding

if TYPE_CHECKING:
    from tenacity import RetryCallState

__all__ = ["Endpoint", "checked_contact"]

_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
_CONTACT = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+|https?://\S+\.\S+")
_HEAVY_ATTEMPTS, _FIRST_ATTEMPTS = 3, 3
_OWN_LIMIT = 60.0
"""Seconds that an endpoint may still work on a query for which nobody waits any more."""
_SLOW = 30.0
"""Seconds after which a cut answer or a 504 is no accident: the query was too much."""


def checked_contact(contact: str) -> str:
    """A contact that an operator could write to; raises UsageError for anything else."""
    contact = contact.strip()
    if not contact.isascii() or not contact.isprintable() or not _CONTACT.fullmatch(contact):
        raise UsageError(
            "a query service wants to know whom to write to when something goes wrong",
            hint="--contact YOU@EXAMPLE.ORG (or the address of a page about you)",
        )
    return contact


class Endpoint:
    """A SPARQL 1.1 endpoint, asked by POST for JSON.

    `contact` is sent in every User-Agent. `timeout` (seconds) bounds one attempt and should be
    longer than the endpoint's own limit, so that a query never runs there when the next is sent;
    elsewhere than on this machine the next waits until a minute has passed.
    `pause` is the least time between an answer and the next query; None: none on this machine,
    half a second elsewhere. `attempts` bounds the tries of one query, the wait between them
    doubles from `backoff` seconds with jitter, or is what Retry-After asks for.
    What Retry-After asks for holds for the next query too, where this one is given up, and for
    every program of this user that asks the same host: they take turns (`HostTurn`). Where it is
    longer than `LONGEST_WAIT` the query fails, and `on_rest(until)` hears of it, in seconds since
    1970; given to the next client as `rest`, it fails before that time without asking.
    `on_request(kind, outcome, seconds)` hears of every attempt, `on_wait(seconds, reason)` of every
    wait that comes before another one.
    """

    def __init__(
        self, url: str, *, contact: str, timeout: float = 90.0, pause: float | None = None,
        attempts: int = 6, backoff: float = 1.0, rest: float = 0.0,
        on_request: Callable[[str, str, float], None] = lambda kind, outcome, seconds: None,
        on_wait: Callable[[float, str], None] = lambda seconds, reason: None,
        on_rest: Callable[[float], None] = lambda until: None,
    ) -> None:  # fmt: skip
        address = checked_address(url)
        near = address.hostname in _LOOPBACK
        own = 0.0 if near else 0.5
        self._limit = 0.0 if near else _OWN_LIMIT
        self.url = url
        self._agent = f"curate/{__version__} ({checked_contact(contact)}) SPARQLWrapper"
        self._timeout, self._pause = timeout, own if pause is None else pause
        self._attempts, self._backoff = attempts, backoff
        self._on_request, self._on_wait, self._on_rest = on_request, on_wait, on_rest
        self._lock = threading.Lock()
        port = address.port or (443 if address.scheme == "https" else 80)
        self._turn = HostTurn(address.hostname or "", port, on_wait=on_wait)
        self._answered, self._last = False, float("-inf")
        self._not_before = time.monotonic() + rest - time.time() if rest else float("-inf")

    def select(self, query: str, *, kind: str) -> list[Binding]:
        """The rows of a SELECT; `kind` names the query where requests are counted.

        Raises QueryTimeoutError where less should be asked for at once, RemoteError where the
        endpoint rejects the query or fails after all attempts.
        """
        try:
            import tenacity
        except ModuleNotFoundError as error:
            raise MissingExtraError("tenacity", "politicians") from error
        retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception(_again),
            stop=self._enough, wait=self._wait, reraise=True,
            before_sleep=self._say,
        )  # fmt: skip
        with self._lock:
            try:
                return retrying(self._once, query, kind)
            except Failure as failure:
                raise failure.error(shown_address(self.url)) from None

    def _once(self, query: str, kind: str) -> list[Binding]:
        self._rest()
        with self._turn.taken():
            try:
                return self._asked(query, kind)
            finally:
                wait = max(self._last + self._pause, self._not_before) - time.monotonic()
                self._turn.rest = time.time() + wait

    def _asked(self, query: str, kind: str) -> list[Binding]:
        began = time.monotonic()
        outcome = "interrupted"
        try:
            body, content = self._sent(query, until=began + self._timeout)
            rows = read_answer(body, content)
            outcome = "ok"
        except Failure as failure:
            took = time.monotonic() - began
            failure.sure |= failure.heavy and took > _SLOW
            if failure.outcome == "timeout":
                failure.wait = max(0.0, self._limit - took)
            outcome = failure.outcome
            self._answered |= not failure.lost
            self._not_before = time.monotonic() + failure.wait
            if failure.wait > LONGEST_WAIT:
                self._on_rest(time.time() + failure.wait)
            raise
        finally:
            self._last = time.monotonic()
            self._on_request(kind, outcome, self._last - began)
        self._answered = True
        return rows

    def _rest(self) -> None:
        """Wait for the pause, and for what was due after a query that was given up.

        Raises Failure where that is too long.
        """
        now = time.monotonic()
        asked = self._not_before - now
        if asked > LONGEST_WAIT:
            raise resting(asked)
        if asked > 0:
            self._on_wait(asked, "before the next query")
        time.sleep(max(0.0, asked, self._last + self._pause - now))

    def _sent(self, query: str, *, until: float) -> tuple[bytes, str]:
        try:
            import SPARQLWrapper
        except ModuleNotFoundError as error:
            raise MissingExtraError("SPARQLWrapper", "politicians") from error
        wrapper = SPARQLWrapper.SPARQLWrapper(
            self.url, returnFormat=SPARQLWrapper.JSON, agent=self._agent
        )
        wrapper.setMethod(SPARQLWrapper.POST)
        wrapper.setOnlyConneg(True)
        wrapper.setTimeout(max(1, round(self._timeout)))
        wrapper.setQuery(query)
        try:
            answer = wrapper.query()
            with answer.response as response:
                return _read(response, until), str(answer.info().get("content-type", ""))
        except Exception as error:
            raise explained(error) from None

    def _enough(self, state: RetryCallState) -> bool:
        failure = _failure(state)
        most = self._attempts if self._answered else min(_FIRST_ATTEMPTS, self._attempts)
        if failure.heavy:
            most = 1 if failure.sure else min(_HEAVY_ATTEMPTS, self._attempts)
        return state.attempt_number >= most or failure.wait > LONGEST_WAIT

    def _wait(self, state: RetryCallState) -> float:
        import tenacity

        own = tenacity.wait_exponential(multiplier=self._backoff, max=60.0)
        jitter = tenacity.wait_random(0.0, self._backoff)(state)
        return max(own(state), _failure(state).wait) + jitter

    def _say(self, state: RetryCallState) -> None:
        self._on_wait(state.upcoming_sleep, _failure(state).message)


def _again(error: BaseException) -> bool:
    return isinstance(error, Failure) and error.again


def _failure(state: RetryCallState) -> Failure:
    error = state.outcome.exception() if state.outcome else None
    assert isinstance(error, Failure)
    return error


def _read(response: Any, until: float) -> bytes:
    """The whole body; a server that drips is no better than one that is silent."""
    pieces = []
    while piece := response.read(1 << 16):
        pieces.append(piece)
        if time.monotonic() > until:
            raise TimeoutError
    return b"".join(pieces)
