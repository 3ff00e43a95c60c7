"""What only people can say of a release: ``--about FILE``, a small TOML file.

Everything is optional; what is left out, the documents call "not stated"::

    title = "Gender minimal pairs in five languages"
    contact = "data@example.org"
    homepage = "https://example.org/pairs"
    doi = "10.5281/zenodo.1234567"
    funding = "Example foundation, grant 42"
    annotators = "Six students of linguistics, native speakers, 24 to 31 years old"

    [[authors]]
    name = "Ada Example"
    orcid = "0000-0002-1825-0097"
    affiliation = "University of Example"

    [[licences]]              # a source whose licence its table does not state
    source = "news.txt"
    licence = "CC BY 4.0"
    evidence = "https://example.org/news/terms"

An e-mail address may stand under `contact` only, and a token nowhere: the file is published.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from curate.errors import InputError

__all__ = ["About", "Author", "StatedLicence", "about_of", "read_about"]

_MOST_BYTES = 1_000_000
_EMAIL = re.compile(r"[^\s@<>]+@[^\s@<>]+\.[A-Za-z]{2,}")
_TOKEN = re.compile(r"\b(?:hf_|ghp_|github_pat_|glpat-|sk-)[A-Za-z0-9_-]{16,}")

Text = Annotated[str, Field(min_length=1, max_length=10_000)]
WebAddress = Annotated[str, Field(pattern=r"^https?://[^\s<>\"]+$", max_length=2_000)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)


class Author(_Part):
    """Someone who made the release. Names are not split: where the parts of a personal name are
    given as well, CITATION.cff lists a person, otherwise it lists the name as it stands."""

    name: Text
    given_names: Text | None = None
    family_names: Text | None = None
    orcid: str | None = None
    affiliation: Text | None = None

    @field_validator("orcid")
    @classmethod
    def _orcid(cls, value: str | None) -> str | None:
        if value is None:
            return None
        digits = value.removeprefix("https://orcid.org/")
        if not re.fullmatch(r"\d{4}-\d{4}-\d{4}-\d{3}[\dX]", digits) or not _checked(digits):
            raise ValueError("no ORCID: four groups of four digits with a valid last one")
        return digits


class StatedLicence(_Part):
    """The licence of a source whose rows do not name a known one, and where that can be read.

    `redistribute` and `derivatives` have to be set for a licence that the table of licences does
    not know: somebody has read its text and says what it allows.
    """

    source: Text
    licence: Text
    evidence: WebAddress
    redistribute: bool = False
    derivatives: bool = False


class About(_Part):
    """The content of the file; see the top of this module."""

    title: Text | None = None
    authors: tuple[Author, ...] = ()
    contact: Text | None = None
    homepage: WebAddress | None = None
    doi: (
        Annotated[str, Field(pattern=r"^10\.\d{4,9}(\.\d+)?/[A-Za-z0-9:/_;\-.()\[\]\\]+$")] | None
    ) = None
    funding: Text | None = None
    purpose: Text | None = None
    annotators: Text | None = None
    compensation: Text | None = None
    consent: Text | None = None
    ethics: Text | None = None
    maintenance: Text | None = None
    notes: Text | None = None
    licences: tuple[StatedLicence, ...] = ()


def read_about(path: Path) -> dict[str, Any]:
    """The content of an about file as it goes into the manifest, checked, without what is unset.

    Raises InputError, which names the file and the key, for what is no TOML, an unknown key, a
    value of another form, an e-mail address outside `contact`, or anything that looks like a token.
    """
    path = Path(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", where=path) from error
    if len(data) > _MOST_BYTES:
        raise InputError("too large for an about file", where=path)
    try:
        content = tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise InputError("not UTF-8", where=path) from error
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not TOML: {error}", where=path) from error
    about = about_of(content, where=path)
    return about.model_dump(mode="json", exclude_defaults=True)


def about_of(content: Mapping[str, Any], *, where: str | Path = "about") -> About:
    """The checked model of a mapping; raises InputError as `read_about` does."""
    try:
        about = About.model_validate(dict(content))
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        reason = "unknown key" if first["type"] == "extra_forbidden" else _reason(first["msg"])
        hint = f"keys: {', '.join(About.model_fields)}"
        raise InputError(f"{key}: {reason}", where=where, hint=hint) from error
    for key, text in _texts(about.model_dump()):
        if _TOKEN.search(text):
            raise InputError(f"{key}: this looks like a token", where=where, hint="take it out")
        if key != "contact" and _EMAIL.search(text):
            hint = "an address may stand under contact only"
            raise InputError(f"{key}: an e-mail address", where=where, hint=hint)
    return about


def _reason(message: str) -> str:
    return " ".join(message.removeprefix("Value error, ").split())


def _texts(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Every text of nested values with its dotted key."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _texts(inner, f"{key}.{name}" if key else name)
    elif isinstance(value, (list, tuple)):
        for number, inner in enumerate(value):
            yield from _texts(inner, f"{key}.{number}")


def _checked(orcid: str) -> bool:
    """Whether the last character is the check digit of the others (ISO 7064 MOD 11-2)."""
    total = 0
    for digit in orcid.replace("-", "")[:-1]:
        total = (total + int(digit)) * 2
    check = (12 - total % 11) % 11
    return orcid[-1] == ("X" if check == 10 else str(check))
