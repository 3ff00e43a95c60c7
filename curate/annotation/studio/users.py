"""Accounts for the translators of a local Label Studio, made through its invitation link."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from curate.annotation.studio.access import Access
from curate.annotation.studio.connection import connect
from curate.errors import RemoteError, UsageError

if TYPE_CHECKING:
    import httpx

__all__ = ["Account", "check_mails", "ensure_users"]

_MAIL = re.compile(
    r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@(localhost|([^\W_]([\w-]{0,61}[^\W_])?\.)+[^\W\d_]{2,63})"
)
_LONGEST = 255
_FORM_SECRET = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


@dataclass(frozen=True)
class Account:
    """One translator: `password` is the first one, empty where the account was there already."""

    mail: str
    created: bool
    password: str = field(default="", repr=False)


def check_mails(mails: Iterable[str]) -> list[str]:
    """The addresses in lower case, each once; UsageError for one that is none."""
    checked: dict[str, None] = {}
    for mail in mails:
        lower = mail.strip().lower()
        if len(lower) > _LONGEST or not _MAIL.fullmatch(lower):
            raise UsageError(f"{mail!r} is no mail address", hint="--user anna@example.org")
        checked[lower] = None
    return list(checked)


def ensure_users(access: Access, mails: Iterable[str]) -> Iterator[Account]:
    """An account for every address, one after another; those that are there are left as they are.

    A new one gets a random password, which stands in what is yielded and nowhere else. Raises
    UsageError for a wrong address (before any is made), RemoteError where Label Studio refuses.
    """
    wanted = check_mails(mails)
    return _ensured(access, wanted)


def _ensured(access: Access, mails: list[str]) -> Iterator[Account]:
    if not mails:
        return
    with connect(access.url, token=access.token) as curator:
        there = {person["email"].lower() for person in _answer(curator, "/api/users/")}
        invitation = str(_answer(curator, "/api/invite")["invite_url"])
    path = invitation[invitation.index("/user/signup") :]
    for mail in mails:
        if mail in there:
            yield Account(mail, created=False)
        else:
            password = secrets.token_urlsafe(12)
            _sign_up(access.url, path, mail, password)
            yield Account(mail, created=True, password=password)


def _answer(client: httpx.Client, path: str) -> Any:
    answer = client.get(path)
    if answer.is_error:
        raise RemoteError(
            f"Label Studio answers {answer.status_code} to {path}", where=client.base_url.host
        )
    return answer.json()


def _sign_up(url: str, path: str, mail: str, password: str) -> None:
    """Fill in the form that the invitation link opens, as a person would."""
    with connect(url) as client:
        page = client.get(path)
        found = _FORM_SECRET.search(page.text)
        if found is not None:
            form = {
                "csrfmiddlewaretoken": found[1], "email": mail, "password": password,
                "allow_newsletters": "false",
            }  # fmt: skip
            answer = client.post(path, data=form, headers={"Referer": url + path})
            if answer.is_redirect and _who(client) == mail:
                return
    raise RemoteError(f"Label Studio made no account for {mail}", where=url)


def _who(client: httpx.Client) -> str:
    return str(_answer(client, "/api/current-user/whoami")["email"]).lower()
