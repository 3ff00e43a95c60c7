"""Plain HTTP to a Label Studio on this machine: for what its own client package cannot do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from curate.errors import MissingExtraError, RemoteError

if TYPE_CHECKING:
    import httpx

__all__ = ["check_installed", "connect"]

_SECONDS = 30.0


def check_installed() -> None:
    """Raise MissingExtraError where the HTTP package is not installed."""
    try:
        import httpx  # noqa: F401 (whether it is there is the question)
    except ModuleNotFoundError as error:
        raise MissingExtraError("httpx", "translate") from error


@contextmanager
def connect(url: str, *, token: str = "", seconds: float = _SECONDS) -> Iterator[httpx.Client]:
    """A client for the block: no proxy, no stored login; it keeps cookies, as a browser does.

    Raises RemoteError where the server does not answer.
    """
    check_installed()
    import httpx

    headers = {"Authorization": f"Token {token}"} if token else {}
    try:
        with httpx.Client(
            base_url=url, headers=headers, timeout=seconds, trust_env=False
        ) as client:
            yield client
    except httpx.HTTPError as error:
        reason = str(error) or type(error).__name__
        raise RemoteError(f"Label Studio does not answer: {reason}", where=url) from error
