"""occupations.tsv and occupations.toml: names of occupations, and the subjects they stand for."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from curate.errors import LexiconError
from curate.lexicon.model import Lexicon
from curate.lexicon.occupation_rules import SECTIONS, OccupationRules, read_rules
from curate.lexicon.tables import Problems, read_rows
from curate.resources import lexicons_folder

__all__ = [
    "TABLE_FILE",
    "Occupation",
    "OccupationForm",
    "Occupations",
    "load_occupations",
    "read_occupations",
]

TABLE_FILE = "occupations.tsv"
RULES_FILE = "occupations.toml"

FORMS = {"masculine": "m", "feminine": "f", "neutral": "n"}
COLUMNS = (
    "occupation",
    *FORMS,
    *(f"gender_{letter}" for letter in FORMS.values()),
    *(f"definite_{letter}" for letter in FORMS.values()),
    "isco",
    "share_women",
    "share_source",
    "share_year",
    "note",
)
_KEY = re.compile(r"[a-z]+(-[a-z]+)*")
_ISCO = re.compile(r"\d{1,4}")
_YEAR = re.compile(r"(19|20)\d\d")

# ILO, International Standard Classification of Occupations (ISCO-08), volume 1, table 1: skill
# levels 3 and 4 (major groups 1 to 3), 2 (4 to 8) and 1 (9). Armed forces (0) are on all levels.
_STATUS = {**dict.fromkeys("123", "high"), **dict.fromkeys("45678", "middle"), "9": "low"}


@dataclass(frozen=True, slots=True)
class OccupationForm:
    """One name of an occupation.

    `form` is ``masculine``, ``feminine``, ``neutral`` (one grammatical gender, whoever it is) or
    ``common`` (the same for men and women, article and all); `gender` is grammatical, empty where
    the language has none; `definite` is the noun with its definite ending, where that is how the
    language writes it.
    """

    form: str
    noun: str
    gender: str
    definite: str


@dataclass(frozen=True, slots=True)
class Occupation:
    """One row of occupations.tsv; `share_women` (0 to 1) and its year are None where unknown."""

    key: str
    forms: tuple[OccupationForm, ...]
    isco: str
    share_women: float | None
    share_source: str
    share_year: int | None
    note: str
    line: int

    @property
    def status(self) -> str:
        """``high``, ``middle`` or ``low`` by the major group of ISCO-08; empty without one."""
        return _STATUS.get(self.isco[:1], "")


@dataclass(frozen=True)
class Occupations:
    """What the two files of a language say; `version` is a hash of them."""

    rows: tuple[Occupation, ...]
    rules: OccupationRules
    version: str


def load_occupations(lexicon: Lexicon) -> Occupations:
    """The occupations of a language; LexiconError where it has none or they are broken."""
    folder = lexicons_folder() / lexicon.lang
    if not (folder / TABLE_FILE).is_file():
        raise LexiconError(
            f"no occupations are listed for {lexicon.lang!r}",
            where=folder / TABLE_FILE,
            hint="lexicons/en has an example of occupations.tsv and occupations.toml",
        )
    problems = Problems(lexicon.lang)
    occupations = read_occupations(folder, problems)
    if occupations is None or problems.found:
        more = len(problems.found) - 1
        raise LexiconError(
            f"{problems.found[0]}" + (f" (and {more} more)" if more else ""),
            hint=f"curate lexicon check {lexicon.lang}",
        )
    return occupations


def read_occupations(folder: Path, problems: Problems) -> Occupations | None:
    """Read a folder's two files, None where it has neither; what is broken goes to `problems`."""
    table, toml = folder / TABLE_FILE, folder / RULES_FILE
    if not table.is_file() and not toml.is_file():
        return None
    rules = read_rules(toml, problems)
    rows = list(_rows(table, rules, problems))
    if not rows and not problems.found:
        problems.add(TABLE_FILE, 0, "no occupation is listed")
    digest = hashlib.sha256()
    for path in (table, toml):
        digest.update(path.name.encode() + (path.read_bytes() if path.is_file() else b""))
    return Occupations(tuple(rows), rules, digest.hexdigest()[:12])


def _rows(path: Path, rules: OccupationRules, problems: Problems) -> Iterator[Occupation]:
    seen: dict[str, int] = {}
    for line, cells in read_rows(path, COLUMNS, problems):
        messages = list(_messages(cells, rules))
        key = cells["occupation"]
        if key in seen:
            messages.append(f"occupation {key!r} stands on line {seen[key]} too")
        seen.setdefault(key, line)
        forms = _forms(cells)
        for form in forms:
            messages += _form_messages(form, rules)
        for message in dict.fromkeys(messages):
            problems.add(path.name, line, message)
        if messages:
            continue
        yield Occupation(
            key=key,
            forms=forms,
            isco=cells["isco"],
            share_women=float(cells["share_women"]) if cells["share_women"] else None,
            share_source=cells["share_source"],
            share_year=int(cells["share_year"]) if cells["share_year"] else None,
            note=cells["note"],
            line=line,
        )


def _forms(cells: Mapping[str, str]) -> tuple[OccupationForm, ...]:
    """The forms of a row; masculine and feminine are one where nothing tells them apart."""
    found = [
        OccupationForm(form, cells[form], cells[f"gender_{letter}"], cells[f"definite_{letter}"])
        for form, letter in FORMS.items()
        if cells[form]
    ]
    told = {(form.noun, form.gender, form.definite) for form in found if form.form != "neutral"}
    if len(told) == 1 and len(found) > 1 and found[1].form == "feminine":
        one = found[0]
        found[:2] = [OccupationForm("common", one.noun, one.gender, one.definite)]
    return tuple(found)


def _messages(cells: Mapping[str, str], rules: OccupationRules) -> Iterator[str]:
    if not _KEY.fullmatch(cells["occupation"]):
        yield f"occupation {cells['occupation']!r} must be lower-case ASCII words with hyphens"
    if not cells["masculine"] or not cells["feminine"]:
        yield "masculine and feminine are both wanted (twice the same where they are one)"
    for form, letter in FORMS.items():
        for name in (f"gender_{letter}", f"definite_{letter}"):
            if cells[name] and not cells[form]:
                yield f"{name} without a {form} form"
    if cells["isco"] and not _ISCO.fullmatch(cells["isco"]):
        yield f"isco {cells['isco']!r} is not a code of one to four digits"
    yield from _share_messages(cells, rules)


def _share_messages(cells: Mapping[str, str], rules: OccupationRules) -> Iterator[str]:
    share = (cells["share_women"], cells["share_source"], cells["share_year"])
    if not any(share):
        return
    if not all(share):
        yield "share_women, share_source and share_year go together"
        return
    if not re.fullmatch(r"0(\.\d+)?|1(\.0+)?", share[0]):
        yield f"share_women {share[0]!r} is not a share between 0 and 1"
    if share[1] not in rules.sources:
        yield f"share_source {share[1]!r} is not under [sources] in {RULES_FILE}"
    if not _YEAR.fullmatch(share[2]):
        yield f"share_year {share[2]!r} is not a year"


def _form_messages(form: OccupationForm, rules: OccupationRules) -> Iterator[str]:
    for definiteness in SECTIONS:
        if definiteness == "definite" and form.definite:
            continue
        if rules.article(definiteness, form.gender) is None:
            gender = f"gender {form.gender!r}" if form.gender else "no gender"
            yield (
                f"{form.noun!r} has {gender}, and [articles.{definiteness}] of {RULES_FILE} "
                "has no article for that"
            )
