"""The address of a Label Studio and the token to enter it; the token is never written or shown."""

from __future__ import annotations

import os
import sqlite3
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from curate.annotation.studio.folder import DATABASE, STATE, living_server, read_state
from curate.errors import InputError, RemoteError, UsageError

__all__ = ["KEY_VARIABLE", "Access", "access_from_environment", "server_access", "stored_token"]

URL_VARIABLE = "LABEL_STUDIO_URL"
KEY_VARIABLE = "LABEL_STUDIO_API_KEY"

_ADMINISTRATOR = """
select token.key from authtoken_token token join htx_user person on person.id = token.user_id
where person.is_active and exists (select 1 from organization)
order by person.is_superuser desc, person.id limit 1
"""


@dataclass(frozen=True)
class Access:
    """Where a Label Studio is, and who we are to it."""

    url: str
    token: str = field(repr=False)


def server_access(folder: Path) -> Access:
    """The way into the Label Studio that `curate translate serve` runs on the folder.

    The token is the administrator's, read from Label Studio's own database. Raises UsageError
    for a folder that is none of ours, RemoteError where its server does not run or is not ready.
    """
    state = read_state(folder) if folder.is_dir() else None
    if state is None:
        raise UsageError(
            f"this is no folder of `curate translate serve` (it has no {STATE})",
            where=folder,
            hint=f"start one with: curate translate serve --data {folder}",
        )
    pid = living_server(folder)
    if pid is None:
        raise RemoteError(
            "Label Studio does not run on this folder",
            where=folder,
            hint=f"in another terminal: curate translate serve --data {folder}",
        )
    token = stored_token(folder)
    if pid != state.pid or not state.ready or not token:
        raise RemoteError(
            "Label Studio is still starting", where=folder, hint="try again in a few seconds"
        )
    return Access(state.url, token)


def access_from_environment(url: str = "") -> Access:
    """The way into any Label Studio: its address given or in ``LABEL_STUDIO_URL``.

    The token is in ``LABEL_STUDIO_API_KEY``. Raises UsageError where one of them is missing or
    the address is none.
    """
    url = (url or os.environ.get(URL_VARIABLE, "")).strip().rstrip("/")
    if not url:
        raise UsageError(
            "no Label Studio is named",
            hint=f"--server DIR or URL, or its address in {URL_VARIABLE}",
        )
    _check_address(url)
    token = os.environ.get(KEY_VARIABLE, "").strip()
    if not token:
        raise UsageError(
            "there is no token for Label Studio",
            where=url,
            hint=f"set {KEY_VARIABLE} to the one under Account & Settings in its page",
        )
    return Access(url, token)


def _check_address(url: str) -> None:
    try:
        parts = urlsplit(url)
        proper = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        proper = False
    if not proper:
        raise UsageError(
            "this is no address of a Label Studio",
            where=url.rpartition("@")[2].partition("?")[0],  # before an @ stands a password
            hint="an address begins with http:// or https://",
        )
    if parts.username or parts.password or parts.query or parts.fragment:
        raise UsageError(
            "the address of a Label Studio holds no password, query or fragment",
            where=f"{parts.scheme}://{parts.hostname}",
            hint=f"the token belongs in {KEY_VARIABLE}",
        )


def stored_token(folder: Path) -> str:
    """The administrator's token in Label Studio's database; empty where there is none yet.

    Raises InputError where the file is no Label Studio database, RemoteError where it is locked.
    """
    path = folder / DATABASE
    if not path.is_file():
        return ""
    try:
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=30)
        try:
            row = connection.execute(_ADMINISTRATOR).fetchone()
        finally:
            connection.close()
    except sqlite3.OperationalError as error:
        if "no such table" in str(error):  # the first start has not come that far
            return ""
        raise RemoteError(f"the database of Label Studio: {error}", where=path) from error
    except sqlite3.DatabaseError as error:
        raise InputError("this is no database of Label Studio", where=path) from error
    return str(row[0]) if row else ""
