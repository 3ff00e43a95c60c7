"""Pseudonyms: who did what is kept, but not by name."""

from __future__ import annotations

import hashlib
import json
import secrets
from pathlib import Path

from curate.errors import InputError

__all__ = ["People"]

_LENGTH = 6


class People:
    """The people of a campaign, in ``people.json``, which only the curator may read.

    A pseudonym is a hash of the address with a secret that stays in this file: without the file
    nobody can tell from a published table who it was, not even by trying addresses.
    """

    def __init__(self, path: Path, *, real_names: bool = False) -> None:
        self._path, self._real_names = path, real_names
        self._salt, self._known = _read(path)
        self._changed = False

    def pseudonym(self, person: str) -> str:
        """The name under which `person` stands in the tables; the same for ever."""
        person = person.strip().lower()
        if not person:
            return "unknown"
        if self._real_names:
            return person
        key = f"{self._salt}\0{person}".encode()
        name = "p" + hashlib.blake2b(key, digest_size=8).hexdigest()[:_LENGTH]
        if self._known.get(name) != person:
            self._known[name] = person
            self._changed = True
        return name

    def real(self, pseudonym: str) -> str:
        """Who it is, for the curator; the pseudonym itself where nobody knows."""
        return self._known.get(pseudonym, pseudonym)

    def save(self) -> None:
        """Write the file where it is missing or somebody came new; its owner alone may read it."""
        if not self._changed and self._path.is_file():
            return
        from curate.engine import replacing

        with replacing(self._path) as new:
            new.touch(mode=0o600)
            text = json.dumps({"salt": self._salt, "people": self._known}, indent=2, sort_keys=True)
            new.write_text(text + "\n", encoding="utf-8")
        self._changed = False


def _read(path: Path) -> tuple[str, dict[str, str]]:
    if not path.is_file():
        return secrets.token_hex(16), {}
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        return str(value["salt"]), {str(key): str(one) for key, one in value["people"].items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"not the people of a campaign ({error})", where=path) from error
