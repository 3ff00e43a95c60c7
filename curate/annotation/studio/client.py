"""Calls to a Label Studio: time limits, retries where they do no harm, plain errors."""

from __future__ import annotations

import functools
import random
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from curate.annotation.studio.access import KEY_VARIABLE, Access
from curate.errors import CurateError, MissingExtraError, RemoteError, UsageError

if TYPE_CHECKING:
    from label_studio_sdk import LabelStudio

__all__ = ["Client", "LostError"]

Result = TypeVar("Result")

_LONGEST_PAUSE = 60.0
_MOST_PAGES = 100_000
_TRANSIENT = frozenset({408, 425, 429, 500, 502, 503, 504})
_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


class LostError(RemoteError):
    """A write of which nobody knows whether it arrived: look, then send what is missing.

    `wait`: seconds that the server asks for before the next attempt.
    """

    wait = 0.0


class Client:
    """Label Studio by its own SDK.

    `attempts` bounds how often a read is tried, `timeout` (seconds) how long one may take,
    `pause` (seconds) is the first wait between two, which doubles. The SDK's own retries are off:
    it would repeat writes too.
    """

    def __init__(
        self, access: Access, *, attempts: int = 4, timeout: float = 120.0, pause: float = 0.5
    ) -> None:
        self.url = access.url
        self._attempts, self._pause = attempts, pause
        self._token = access.token
        if not (access.token.isascii() and access.token.isprintable()) or " " in access.token:
            raise UsageError(
                "the token of Label Studio holds characters that no token has",
                where=access.url, hint=f"copy it again into {KEY_VARIABLE}",
            )  # fmt: skip
        self._studio = self._opened(timeout)

    def _opened(self, timeout: float) -> LabelStudio:
        try:
            import httpx
            from label_studio_sdk import LabelStudio
        except ModuleNotFoundError as error:
            raise MissingExtraError("label-studio-sdk", "translate") from error
        local = urlsplit(self.url).hostname in _LOOPBACK
        # A redirect would turn a POST into a GET, and a proxy has no way to this machine itself.
        own = httpx.Client(
            timeout=httpx.Timeout(timeout, connect=10.0),
            follow_redirects=False, trust_env=not local,
        )  # fmt: skip
        try:
            return LabelStudio(  # type: ignore[no-untyped-call]
                base_url=self.url + "/", api_key=self._token, max_retries=0, httpx_client=own
            )
        except Exception as error:
            raise self._explained(error, "the way in")[0] from None

    def read(self, what: str, call: Callable[[LabelStudio], Result]) -> Result:
        """The result of a call that changes nothing; `what` is read, for the error message.

        Tried again where the connection or the server fails. Raises RemoteError.
        """
        for attempt in range(self._attempts):
            try:
                return call(self._studio)
            except Exception as error:
                explained, transient, wanted = self._explained(error, what)
                if not transient or attempt + 1 == self._attempts:
                    raise explained from None
            self.rest(attempt, wanted)
        raise AssertionError("unreachable")

    def read_all(self, what: str, call: Callable[[LabelStudio, int], Any]) -> list[Any]:
        """The rows of a list that comes in pages; `call` is given the page's number, from 1.

        Read again where rows came or went while the pages were turned, for one may be missing or
        there twice then.
        """
        for _ in range(self._attempts):
            rows, total = self._pages(what, call)
            if len({row.id for row in rows}) == len(rows) == total:
                return rows
        raise RemoteError(
            f"{what}: changing while it is read",
            where=self.url, hint="repeat the command when nobody imports or deletes",
        )  # fmt: skip

    def _pages(self, what: str, call: Callable[[LabelStudio, int], Any]) -> tuple[list[Any], int]:
        rows: list[Any] = []
        total = 0
        for page in range(1, _MOST_PAGES):
            answer = self.read(what, functools.partial(_turned, call, page))
            rows += answer.items or []
            total = _total(answer.response)
            if not answer.items or len(rows) >= total:
                break
        return rows, total

    def write(self, what: str, call: Callable[[LabelStudio], Result]) -> Result:
        """The result of a call that changes something, tried once.

        Raises LostError where it may or may not have been done, RemoteError where it was refused.
        """
        try:
            return call(self._studio)
        except Exception as error:
            explained, transient, wanted = self._explained(error, what)
            if not transient:
                raise explained from None
            lost = LostError(explained.message, where=explained.where, hint=explained.hint)
            lost.wait = wanted
            raise lost from None

    def settle(self, look: Callable[[], Result]) -> Result:
        """The result of a `look` at the server that sends what is missing.

        Looked at again where a write was lost on the way, for nobody knows what came of it.
        """
        for attempt in range(self._attempts):
            try:
                return look()
            except LostError as error:
                if attempt + 1 == self._attempts:
                    raise
                wanted = error.wait
            self.rest(attempt, wanted)
        raise AssertionError("unreachable")

    def rest(self, attempt: int, wanted: float = 0.0) -> None:
        """Wait before the next attempt: longer each time, never at the same beat as others."""
        own = self._pause * 2**attempt * random.uniform(0.75, 1.25)  # noqa: S311 (no secret)
        time.sleep(min(max(own, wanted), _LONGEST_PAUSE))

    def _explained(self, error: Exception, what: str) -> tuple[CurateError, bool, float]:
        """An error in one plain line, whether it may pass, and the wait the server asks for."""
        import httpx
        from label_studio_sdk.core.api_error import ApiError

        if isinstance(error, CurateError):
            return error, False, 0.0
        if isinstance(
            error, httpx.LocalProtocolError | httpx.InvalidURL | httpx.UnsupportedProtocol
        ):
            # The text of these may quote a header, and so the token.
            text, hint = "the request cannot be made", f"check the address and {KEY_VARIABLE}"
            return RemoteError(f"{what}: {text}", where=self.url, hint=hint), False, 0.0
        if isinstance(error, httpx.TransportError):
            text, hint = _transport(error)
            return RemoteError(f"{what}: {text}", where=self.url, hint=hint), True, 0.0
        if isinstance(error, ApiError):
            status = error.status_code or 0
            text, hint = _status(status, error.body, error.headers or {})
            text = text.replace(self._token, "…")
            wait = _retry_after(error.headers or {})
            own = RemoteError(f"{what}: {text}", where=self.url, hint=hint)
            return own, status in _TRANSIENT, wait
        if isinstance(error, ValueError | TypeError | AttributeError | KeyError | httpx.HTTPError):
            text = f"an answer that Label Studio does not give ({type(error).__name__})"
            return RemoteError(f"{what}: {text}", where=self.url, hint=_IS_IT), False, 0.0
        raise error


def _turned(call: Callable[[LabelStudio, int], Any], page: int, studio: LabelStudio) -> Any:
    answer = call(studio, page)
    _total(answer.response)  # what is no list of Label Studio fails here, where it is explained
    return answer


def _total(response: Any) -> int:
    """How many rows there are on all pages: the lists name it differently."""
    return int(response.total if hasattr(response, "total") else response.count)


_IS_IT = "is there a Label Studio at this address?"


def _transport(error: Exception) -> tuple[str, str]:
    import httpx

    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
        return "Label Studio cannot be reached", (
            "check the address; a local one is started with: curate translate serve --data DIR"
        )
    if isinstance(error, httpx.TimeoutException):
        return "Label Studio does not answer in time", "repeat the command: nothing doubles"
    return "the connection to Label Studio broke off", "repeat the command: nothing doubles"


_STATUS = {
    401: (
        "Label Studio does not take the token",
        f"{KEY_VARIABLE} is the one under Account & Settings in its page; "
        "for a local server name its folder",
    ),
    403: ("this account may not do that", "ask for the rights of a manager there"),
    404: ("not found", "was it deleted meanwhile? repeat the command"),
}


def _status(status: int, body: Any, headers: dict[str, str]) -> tuple[str, str]:
    detail = _detail(body)
    said = f" ({detail})" if detail else ""
    if isinstance(body, str) and status in {200, 201, 404}:
        return f"a page instead of data (status {status})", _IS_IT
    if status in _STATUS:
        text, hint = _STATUS[status]
        return text + said, hint
    if 300 <= status < 400:
        place = headers.get("location", "nowhere")
        return f"the address leads elsewhere, to {place}", "name that address"
    if status >= 500:
        return f"Label Studio fails with {status}", "its log says why; then repeat the command"
    return f"Label Studio refuses with {status}{said}", ""


def _detail(body: Any) -> str:
    """What Label Studio says itself, in one line."""
    if not isinstance(body, dict):
        return ""
    said = [body.get("detail"), *_leaves(body.get("validation_errors"))]
    line = " ".join(" ".join(str(one) for one in said if one).split())
    return line if len(line) <= 300 else line[:299] + "…"


def _leaves(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [f"{name}: {one}" for name, part in value.items() for one in _leaves(part)]
    return value if isinstance(value, list) else [value]


def _retry_after(headers: dict[str, str]) -> float:
    text = next((value for name, value in headers.items() if name.lower() == "retry-after"), "")
    return float(text) if text.isdecimal() else 0.0
