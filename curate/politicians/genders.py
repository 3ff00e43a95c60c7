"""Schemes that sort what Wikidata says of gender (P21) into a few groups; see genders.tsv.

``raw`` leaves every value as it is. ``paper`` is that of Stańczak et al. (2023), section 3.1 and
Table 9: everybody who is not male or female is in the group non-binary, trans women and trans men
included. ``default`` files trans women as female and trans men as male, and keeps everybody else as
non-binary. In all of them a cisgender value is filed under its gender, except in ``raw``.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from curate.errors import InputError, UsageError

__all__ = [
    "ANIMAL",
    "GROUPS",
    "SCHEMES",
    "UNKNOWN",
    "Gender",
    "gender_of",
    "known_genders",
    "unlisted",
]

SCHEMES = ("default", "paper", "raw")
GROUPS = ("male", "female", "non-binary")
ANIMAL, UNKNOWN = "animal", "unknown"
"""What `gender_of` says of those who are no people, and of people of whom no gender is known."""

_FILE = Path(__file__).with_name("genders.tsv")
_COLUMNS = ["qid", "name", "kind", "default", "paper"]
_KINDS = frozenset({"plain", "specific", "bodily", ANIMAL, UNKNOWN})


@dataclass(frozen=True)
class Gender:
    """A value of P21. `kind`: plain (male, female), specific (an identity that says more than
    these), bodily (said of a body, beside any gender), animal, or unknown; `default` and `paper`
    are its groups in these schemes."""

    qid: str
    name: str
    kind: str
    default: str
    paper: str


@cache
def known_genders() -> dict[str, Gender]:
    """The values in genders.tsv, by QID; any other value is a specific one, non-binary."""
    with _FILE.open(encoding="utf-8", newline="") as file:
        rows = (line for line in file if not line.startswith("#"))
        reader = csv.DictReader(rows, delimiter="\t", quoting=csv.QUOTE_NONE)
        if reader.fieldnames != _COLUMNS:
            raise InputError(f"its columns must be {' '.join(_COLUMNS)}", where=_FILE)
        genders = {row["qid"]: Gender(**row) for row in reader}
    for gender in genders.values():
        groups = {gender.default, gender.paper} - {*GROUPS, ANIMAL, UNKNOWN}
        if gender.kind not in _KINDS or groups:
            raise InputError(f"{gender.qid}: a kind or group that is none", where=_FILE)
    return genders


def gender_of(qids: Sequence[str], scheme: str = "default") -> str:
    """The group of a person with the values `qids` (all truthy values of P21, in any order).

    Values that mean "unknown" say nothing, and without any other the answer is `UNKNOWN`. Animals
    are `ANIMAL`; of a person who has such a value by mistake the others count. Where there are
    several, a specific value sets the plain ones aside (male and transgender female: a trans woman
    whose old value was left standing), and any of both sets the bodily ones aside (female and
    intersex: a woman; intersex alone: non-binary). If what remains is of more than one group, as
    male and female are, it is non-binary. ``raw`` joins the names of all values with ``+``, in
    their order by QID.

    Raises UsageError for a scheme that does not exist.
    """
    if scheme not in SCHEMES:
        raise UsageError(f"unknown gender scheme {scheme!r}", hint=", ".join(SCHEMES))
    values = [_gender(qid) for qid in sorted(set(qids), key=lambda qid: (len(qid), qid))]
    values = [value for value in values if value.kind != UNKNOWN]
    if not values:
        return UNKNOWN
    human = [value for value in values if value.kind != ANIMAL]
    if scheme == "raw":
        return "+".join(value.name for value in values)
    if not human:
        return ANIMAL
    for kind in ("specific", "plain", "bodily"):
        if decisive := [value for value in human if value.kind == kind]:
            break
    groups = {value.default if scheme == "default" else value.paper for value in decisive}
    return groups.pop() if len(groups) == 1 else "non-binary"


def unlisted(qids: Iterable[str]) -> list[str]:
    """Those of `qids` that genders.tsv lacks, sorted: new values, or set as a gender by mistake."""
    return sorted(set(qids) - known_genders().keys())


def _gender(qid: str) -> Gender:
    return known_genders().get(qid) or Gender(qid, qid, "specific", "non-binary", "non-binary")
