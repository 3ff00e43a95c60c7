"""Who reviewed a lexicon: pseudonyms among the votes, addresses in the curator's own file."""

from __future__ import annotations

import json
import os
from collections.abc import Collection
from itertools import count
from pathlib import Path

from curate.errors import InputError, UsageError
from curate.resources import lexicons_folder

__all__ = ["Reviewers", "reviewers_file"]

People = dict[str, dict[str, str]]


def reviewers_file() -> Path:
    """``curate/reviewers.json`` where a user's own data belongs; one file for all languages."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "curate" / "reviewers.json"


class Reviewers:
    """The reviewers of one language: ``r1``, ``r2`` … in the order in which they came.

    Kept by address in a file that only its owner may read, and that never lies among the
    lexicons, which are published. `taken` are names in votes.tsv: one that the file does not know
    was given by hand to somebody else, so nobody new gets it. Without the file the same people
    would come under new names and vote twice: keep it.
    """

    def __init__(self, path: Path, lang: str, *, taken: Collection[str] = ()) -> None:
        folder = lexicons_folder().resolve()
        if path.resolve().is_relative_to(folder):
            raise UsageError(
                "addresses do not belong among the lexicons, which are published",
                where=path, hint="--people FILE outside of it",
            )  # fmt: skip
        self.path = path
        self._all = _read(path)
        self._own = self._all.setdefault(lang, {})
        self._names = {person: name for name, person in self._own.items()}
        self._taken = {*taken, *self._own}
        self.new: list[str] = []

    def pseudonym(self, person: str) -> str:
        """The name of a person, by mail address; a new one where nobody knows him."""
        person = person.strip().lower()
        if person not in self._names:
            numbered = (f"r{number}" for number in count(1))
            name = next(name for name in numbered if name not in self._taken)
            self._names[person] = name
            self._own[name] = person
            self._taken.add(name)
            self.new.append(name)
        return self._names[person]

    def save(self) -> None:
        """Write the file if somebody came new."""
        if not self.new:
            return
        from curate.engine import replacing

        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with replacing(self.path) as temporary:
            temporary.touch(mode=0o600)
            text = json.dumps(self._all, ensure_ascii=False, indent=2, sort_keys=True)
            temporary.write_text(text + "\n", encoding="utf-8")


def _read(path: Path) -> People:
    if not path.is_file():
        return {}
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        people = {
            str(lang): {str(name): person.strip().lower() for name, person in own.items()}
            for lang, own in value.items()
        }
    except (ValueError, AttributeError) as error:
        raise InputError(f"not the reviewers of lexicons ({error})", where=path) from error
    return people
