"""A request, and the hub that it is made to."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

from tests.hub_server.accounts import Account, Accounts
from tests.hub_server.answers import Refused
from tests.hub_server.repository import Repository
from tests.hub_server.store import Store

__all__ = ["Hub", "Request"]


@dataclass
class Request:
    """`path` is as sent (quoted); `body` yields what is sent along; `base` is the server's URL."""

    method: str
    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]
    body: Callable[[], Iterator[bytes]]
    base: str
    account: Account | None = None

    def option(self, name: str, default: str = "") -> str:
        return self.query.get(name, [default])[-1]

    def is_on(self, name: str) -> bool:
        return self.option(name).lower() in {"1", "true"}

    def content(self) -> bytes:
        return b"".join(self.body())

    def json(self) -> dict[str, Any]:
        try:
            found = json.loads(self.content() or b"{}")
        except ValueError:
            raise Refused(400, "Invalid JSON", "BadRequest") from None
        if not isinstance(found, dict):
            raise Refused(400, "Invalid input: expected an object", "BadRequest")
        return found

    def form(self) -> dict[str, Any]:
        """The values of a form, as lists; a JSON body is taken as well."""
        if "json" in self.headers.get("content-type", ""):
            found = self.json()
            return {k: v if isinstance(v, list) else [v] for k, v in found.items()}
        return parse_qs(self.content().decode())


@dataclass
class Hub:
    """The state, the accounts, and how many entries one page of an answer has."""

    store: Store
    accounts: Accounts
    page: int = 1000

    def signed_in(self, request: Request) -> Account:
        if request.account is None:
            raise Refused(401, "Invalid username or password.")
        return request.account

    def readable(self, request: Request, kind: str, repo: str) -> Repository:
        """The repository, or the answer that does not tell whether there is one."""
        found = self.store.find(kind, repo)
        account = request.account
        if account is not None and account.role == "none":
            raise Refused(403, "Your token does not have the permission to read this", "Forbidden")
        if found is not None and (
            not found.info["private"] or self.accounts.is_member(account, _namespace(repo))
        ):
            return found
        if account is None:
            # the client itself takes a 401 for this, but only of an https address
            raise Refused(401, "Invalid username or password.", "RepoNotFound")
        raise Refused(404, "Repository not found", "RepoNotFound")

    def writable(self, request: Request, kind: str, repo: str) -> Repository:
        found = self.readable(request, kind, repo)
        account = self.signed_in(request)
        if account.role != "write":
            raise Refused(403, "You must use a write token to change a repository.", "Forbidden")
        if not self.accounts.may_write(account, _namespace(repo)):
            what = f"You don't have the rights to change {kind}/{repo}"
            raise Refused(403, what, "Forbidden")
        return found

    def open_to(self, request: Request, repo: Repository) -> None:
        """Refused where the files are gated and this user has not been let in."""
        info, account = repo.info, request.account
        member = self.accounts.is_member(account, _namespace(repo.id))
        if not info["gated"] or member or (account and account.user in info["granted"]):
            return
        what = f"Access to {repo.kind.removesuffix('s')} {repo.id} is restricted."
        if account is None:
            raise Refused(401, f"{what} You must be logged in to access it.", "GatedRepo")
        raise Refused(403, f"{what} You are not in the authorized list.", "GatedRepo")


def _namespace(repo: str) -> str:
    return repo.partition("/")[0]
