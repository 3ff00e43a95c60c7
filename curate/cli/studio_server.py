"""Which Label Studio a command means: a folder of `curate translate serve`, or an address."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from curate.errors import UsageError

if TYPE_CHECKING:
    from curate.annotation.studio.access import Access

__all__ = ["named_access"]


def named_access(server: str) -> tuple[Access, str]:
    """The way into a server by its folder or address, and its name to remember.

    Nothing named means the address in the environment.
    """
    from curate.annotation.studio.access import access_from_environment, server_access

    if server and "://" not in server and not Path(server).exists() and ":" in server:
        raise UsageError(
            f"{server!r} is neither a folder nor an address", hint="an address begins with http://"
        )
    if server and "://" not in server:
        folder = Path(server).resolve()
        return server_access(folder), str(folder)
    access = access_from_environment(server)
    return access, access.url
