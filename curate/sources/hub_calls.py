"""Calls to the Hub: bounded retries that obey Retry-After, and errors in one plain line."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, TypeVar

from curate.errors import CurateError, InputError, MissingExtraError, RemoteError, UsageError

if TYPE_CHECKING:
    from tenacity import RetryCallState

__all__ = ["Calls", "short_reason", "status_of"]

_T = TypeVar("_T")
_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
_NO_RIGHTS = frozenset({401, 403})
_LOG_IN = "log in with `hf auth login`, or set HF_TOKEN to a token that has the right"
_LONGEST_WAIT = 300.0
_ANSWERS = frozenset({404, 409, 412})
_QUERY = re.compile(r"(https?://[^\s?]+)\?\S+")
"""An address with a query, which may hold a signature that stands for a right."""
_TOKEN = re.compile(r"\bhf_\w{8,}")


class Calls:
    """Makes calls to the Hub for one repository.

    A call is tried `attempts` times where the Hub is busy, down or cuts the connection; the wait
    doubles from `backoff` seconds with jitter, or is what Retry-After asks for (up to five
    minutes). `on_wait(seconds, reason)` hears of every wait.
    """

    def __init__(
        self, where: str, *, attempts: int = 4, backoff: float = 1.0,
        on_wait: Callable[[float, str], None] = lambda seconds, reason: None,
    ) -> None:  # fmt: skip
        self.where = where
        self._attempts, self._backoff, self._on_wait = attempts, backoff, on_wait

    def __call__(self, what: str, function: Callable[..., _T], *args: Any, **options: Any) -> _T:
        """The result of ``function(*args, **options)``; `what` says it in messages.

        Raises UsageError (no token, no rights), InputError (refused as wrong) or RemoteError
        (the Hub failed). Answers that mean something to the caller (404, 409, 412) pass through.
        """
        try:
            import tenacity
        except ModuleNotFoundError as error:
            raise MissingExtraError("tenacity", "hub") from error
        retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception(_passing), stop=self._enough, wait=self._wait,
            before_sleep=self._say, reraise=True,
        )  # fmt: skip
        try:
            with _quiet():
                return retrying(function, *args, **options)
        except CurateError:
            raise
        except Exception as error:
            told = self._told(what, _root(error))
            if told is None:
                raise
            raise told from None

    def _enough(self, state: RetryCallState) -> bool:
        return state.attempt_number >= self._attempts or _asked(_error_of(state)) > _LONGEST_WAIT

    def _wait(self, state: RetryCallState) -> float:
        import tenacity

        asked = _asked(_error_of(state))
        own = tenacity.wait_exponential_jitter(self._backoff, max=30.0, jitter=self._backoff)
        return asked or own(state)

    def _say(self, state: RetryCallState) -> None:
        action = state.next_action
        self._on_wait(action.sleep if action else 0.0, short_reason(_error_of(state)))

    def _told(self, what: str, error: BaseException) -> CurateError | None:
        """The user's line for an error; None for one that is not the Hub's, or is an answer."""
        status = status_of(error)
        if status in _NO_RIGHTS or type(error).__name__ == "LocalTokenNotFoundError":
            return UsageError(
                f"no right to {what}: {short_reason(error)}", where=self.where, hint=_LOG_IN
            )
        if _offline(error):
            return UsageError(
                f"cannot {what}: HF_HUB_OFFLINE is set", where=self.where, hint="unset it"
            )
        if _passing(error):
            asked = _asked(error)
            hint = f"the Hub asks to wait {asked:.0f} s" if asked > _LONGEST_WAIT else "later"
            return RemoteError(
                f"could not {what}: {short_reason(error)}", where=self.where,
                hint=f"run the same command again ({hint}): what is done is not done twice",
            )  # fmt: skip
        if 400 <= status < 500 and status not in _ANSWERS:
            return InputError(f"the Hub refuses to {what}: {short_reason(error)}", where=self.where)
        return None


@contextmanager
def _quiet() -> Iterator[None]:
    """Without the client's own warnings: they hold signed addresses, and we say what failed."""
    from huggingface_hub.utils import logging as client

    before = client.get_verbosity()
    client.set_verbosity(logging.ERROR)
    try:
        yield
    finally:
        client.set_verbosity(before)


def status_of(error: BaseException | None) -> int:
    """The HTTP status of an error of the Hub's client; 0 where it has none."""
    return int(getattr(getattr(error, "response", None), "status_code", 0) or 0)


def _root(error: BaseException) -> BaseException:
    """The error itself, or what it wraps: the client turns a failed upload into a RuntimeError."""
    while type(error) is RuntimeError and error.__cause__ is not None:
        error = error.__cause__
    return error


def _passing(error: BaseException) -> bool:
    """Whether another try may help."""
    error = _root(error)
    status = status_of(error)
    if status:
        return status in _AGAIN
    return not _offline(error) and isinstance(error, _transport())


def _transport() -> tuple[type[BaseException], ...]:
    from huggingface_hub import errors

    # the client's HTTP library differs by version; its own module names the base class
    return (ConnectionError, TimeoutError, getattr(errors, "HTTPError", ConnectionError))


def _offline(error: BaseException) -> bool:
    return type(error).__name__ == "OfflineModeIsEnabled"


def _error_of(state: RetryCallState) -> BaseException | None:
    error = state.outcome.exception() if state.outcome is not None else None
    return _root(error) if error is not None else None


def _asked(error: BaseException | None) -> float:
    """Seconds that Retry-After asks for (a number, or a date); 0 where it asks for none."""
    headers = getattr(getattr(error, "response", None), "headers", None)
    text = str(headers.get("Retry-After", "")) if headers is not None else ""
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return 0.0


def short_reason(error: BaseException | None) -> str:
    """The server's own words where it gave any, on one line, and no token with them."""
    if type(error).__name__ == "LocalTokenNotFoundError":
        return "you are not logged in"
    told = getattr(error, "server_message", None) or str(error) or type(error).__name__
    lines = [line.strip() for line in str(told).splitlines() if line.strip()]
    text = _QUERY.sub(r"\1?…", lines[0] if lines else type(error).__name__)
    token = os.environ.get("HF_TOKEN", "")
    text = text.replace(token, "…") if len(token) > 4 else text
    return _TOKEN.sub("hf_…", text)[:200]
