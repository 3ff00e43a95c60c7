"""Users, organisations, and tokens with their rights."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.hub_server.answers import Refused

__all__ = ["DEFAULT_ACCOUNTS", "Account", "Accounts"]

# Ann owns things and leads the organisation; Ben may only read there. The tokens are made up.
DEFAULT_ACCOUNTS: dict[str, Any] = {
    "users": ["ann", "ben"],
    "organisations": {"lab": {"ann": "admin", "ben": "read"}, "guild": {"ben": "write"}},
    "tokens": {
        "ann-write": {"user": "ann", "role": "write"},
        "ann-read": {"user": "ann", "role": "read"},
        "ann-none": {"user": "ann", "role": "none"},
        "ben-write": {"user": "ben", "role": "write"},
        "ben-read": {"user": "ben", "role": "read"},
    },
}


@dataclass(frozen=True)
class Account:
    """Who asks: a user by one token, whose role is ``read``, ``write`` or ``none``."""

    user: str
    role: str


class Accounts:
    """The accounts in ``accounts.json``, which is made with `DEFAULT_ACCOUNTS` where missing."""

    def __init__(self, folder: Path) -> None:
        path = folder / "accounts.json"
        if not path.exists():
            path.write_text(json.dumps(DEFAULT_ACCOUNTS, indent=2), encoding="utf-8")
        content = json.loads(path.read_text(encoding="utf-8"))
        self.users: list[str] = content["users"]
        self.organisations: dict[str, dict[str, str]] = content["organisations"]
        self._tokens: dict[str, dict[str, str]] = content["tokens"]

    def find(self, authorization: str | None) -> Account | None:
        """Whose token the header holds; None without one; Refused for a token nobody has."""
        if not authorization:
            return None
        token = self._tokens.get(authorization.removeprefix("Bearer ").strip())
        if token is None:
            raise Refused(401, "Invalid credentials in Authorization header")
        return Account(token["user"], token["role"])

    def is_namespace(self, namespace: str) -> bool:
        return namespace in self.users or namespace in self.organisations

    def is_member(self, account: Account | None, namespace: str) -> bool:
        """Whether private things of the namespace are open to this user."""
        if account is None or account.role == "none":
            return False
        return account.user == namespace or account.user in self.organisations.get(namespace, {})

    def may_write(self, account: Account, namespace: str) -> bool:
        rights = self.organisations.get(namespace, {}).get(account.user)
        return account.user == namespace or rights in {"write", "admin"}

    def describe(self, account: Account) -> dict[str, Any]:
        """The answer of ``whoami``."""
        orgs = [
            {"type": "org", "id": name, "name": name, "fullname": name, "roleInOrg": members[user]}
            for name, members in self.organisations.items()
            for user in [account.user]
            if user in members
        ]
        token = {"displayName": f"{account.user} {account.role}", "role": account.role}
        return {
            "type": "user", "id": account.user, "name": account.user, "fullname": account.user,
            "email": f"{account.user}@example.org", "isPro": False, "orgs": orgs,
            "auth": {"type": "access_token", "accessToken": token},
        }  # fmt: skip
