"""The address of an endpoint: what it may be, and how it is shown and kept."""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit, urlunsplit

from curate.errors import UsageError

__all__ = ["checked_address", "shown_address"]


def checked_address(url: str) -> SplitResult:
    """The parts of an http address; raises UsageError for any other, and for a password in it."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:  # an address with half a bracket
        usable = False
    if not usable:
        raise UsageError("the endpoint is no http address", where=url)
    if parts.username or parts.password:
        raise UsageError(
            "the endpoint's address holds a password", where=parts.hostname, hint="leave it out"
        )
    return parts


def shown_address(url: str) -> str:
    """The address for files and messages: what follows a ``=`` in its query may be a key."""
    parts = urlsplit(url)
    asked = "&".join(
        f"{name}=…" if is_given else "…"
        for name, is_given, _ in (pair.partition("=") for pair in parts.query.split("&") if pair)
    )
    return urlunsplit(parts._replace(query=asked, fragment=""))
