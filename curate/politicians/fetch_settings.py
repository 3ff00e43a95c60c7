"""What is wanted of a fetch, and the files it writes."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from curate.errors import InputError, UsageError
from curate.politicians.fetch_choose import tags_of
from curate.politicians.fetch_refile import refile
from curate.politicians.genders import SCHEMES
from curate.politicians.parts import Parts, differences
from curate.sources.wikidata import QID, checked_address, shown_address

__all__ = [
    "DROPS_FILE",
    "HUMAN",
    "POLITICIAN",
    "POLITICIANS_FILE",
    "RECORD_FILE",
    "WIKIDATA",
    "Fetch",
    "checked_language",
    "finished",
]

POLITICIANS_FILE, DROPS_FILE, RECORD_FILE = "politicians.parquet", "drops.parquet", "fetch.json"
WIKIDATA = "https://query.wikidata.org/sparql"
POLITICIAN, HUMAN = "Q82955", "Q5"
_TAG = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,8})*")


@dataclass(frozen=True, kw_only=True)
class Fetch:
    """What is wanted.

    `langs` are language tags; `occupations` QIDs of occupations (P106), each with its subclasses;
    `classes` QIDs of what people must be instances of (P31) where that is known, with subclasses;
    `born_before` the first year that is too late; `scheme` one of `genders.SCHEMES`; `fallback`:
    labels under the other tags of label_tags.toml count for people without their language's own.
    """

    langs: tuple[str, ...]
    endpoint: str = WIKIDATA
    occupations: tuple[str, ...] = (POLITICIAN,)
    classes: tuple[str, ...] = (HUMAN,)
    born_before: int = 2001
    scheme: str = "default"
    fallback: bool = False

    def settings(self) -> dict[str, Any]:
        """As JSON, in one order, checked; no key in the address is kept. Raises UsageError."""
        if not self.langs:
            raise UsageError("no language", hint="--langs ar,en")
        for lang in self.langs:
            checked_language(lang)
        for qid in (*self.occupations, *self.classes):
            if not QID.fullmatch(qid):
                raise UsageError(f"{qid!r} is no QID", hint="politicians are Q82955")
        if not self.occupations or not self.classes:
            raise UsageError("no occupation or no class")
        if self.scheme not in SCHEMES:
            raise UsageError(f"unknown gender scheme {self.scheme!r}", hint=", ".join(SCHEMES))
        values = {name: _listed(value) for name, value in asdict(self).items()}
        checked_address(self.endpoint)
        values["endpoint"] = shown_address(self.endpoint)
        return dict(sorted(values.items()))

    @property
    def tags(self) -> list[str]:
        """The tags of all labels that are asked for."""
        return sorted({tag for lang in self.langs for tag in tags_of(lang, fallback=self.fallback)})


def _listed(value: Any) -> Any:
    return sorted(set(value)) if isinstance(value, tuple) else value


def checked_language(tag: str) -> str:
    """A language tag, in small letters; raises UsageError for anything else."""
    import langcodes

    if not _TAG.fullmatch(tag) or not langcodes.tag_is_valid(tag):
        raise UsageError(f"{tag!r} is no language tag", hint="as Wikidata has: en, zh, ru")
    return tag


def finished(out: Path, settings: dict[str, Any]) -> dict[str, Any] | None:
    """The record of a fetch that is whole, its parts thrown away.

    Where only the scheme differs the genders are filed anew: that asks for nothing.
    """
    path = out / RECORD_FILE
    if not path.is_file():
        return None
    try:
        record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        changed = differences({**record["settings"], "scheme": settings["scheme"]}, settings)
    except (ValueError, KeyError, TypeError) as error:
        raise InputError("not the record of a fetch", where=path, hint="--restart") from error
    if changed:
        raise UsageError(
            f"a fetch with other settings lies here: {'; '.join(changed)}",
            where=out, hint="--restart throws it away; or name another folder",
        )  # fmt: skip
    if not all((out / name).is_file() for name in (POLITICIANS_FILE, DROPS_FILE)):
        return None
    Parts(out / "parts", settings).remove()
    if record["settings"].get("scheme") != settings["scheme"]:
        return refile(out / POLITICIANS_FILE, path, record, scheme=settings["scheme"])
    return record
