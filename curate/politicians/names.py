"""Given names that one gender bears, by language and country, from the people of a fetch."""

from __future__ import annotations

import tomllib
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from curate.engine import replacing, write_json
from curate.errors import InputError
from curate.politicians.fetch_settings import POLITICIANS_FILE
from curate.politicians.genders import GROUPS
from curate.politicians.people_origin import read_fetched

__all__ = ["GivenName", "given_name", "given_names", "write_names"]

_ORDER = Path(__file__).with_name("name_order.toml")
_GENDERS = {"male": "masculine", "female": "feminine"}
_FORMULA = ("=", "+", "-", "@")
_BREAKS = frozenset({"Cc", "Zl", "Zp"})
"""Characters that would break a row of a table: controls, ends of lines and paragraphs."""
_CHANCE = 0.01
"""How likely a word that says nothing of gender may be to pass for a monosex name."""


@dataclass(frozen=True)
class GivenName:
    """A given name of one gender: `people` bear it, `share` of them are of that gender.

    `country` is a QID, empty for all countries together.
    """

    lang: str
    country: str
    name: str
    gender: str
    share: float
    people: int


@cache
def _order() -> dict[str, Any]:
    return tomllib.loads(_ORDER.read_text(encoding="utf-8"))


def given_name(label: str, lang: str) -> str:
    """The given name in a label, empty where none can be told; see name_order.toml.

    Initials, words with digits or points, titles and people of one name give none.
    """
    rules = _order()["languages"].get(lang, {})
    parted = rules.get("parted", " ")
    pieces = label.split(None if parted == " " else parted)
    words = [word.strip() for word in pieces if word.strip()]
    if len(words) < 2:
        return ""
    if rules.get("given") == "last":
        words.reverse()
    first = words[0]
    if first in rules.get("joined", ()):
        return f"{first} {words[1]}" if len(words) > 2 and _is_name(words[1]) else ""
    return first if _is_name(first) and first not in rules.get("titles", ()) else ""


def _is_name(word: str) -> bool:
    # marks belong to a word (Devanagari writes its vowels with them) but no digit or point does
    letters = [character for character in word if character.isalpha()]
    if len(word) < 2 or not letters or word.startswith(_FORMULA):
        return False
    return not any(c.isdigit() or c in '.,()"/' or unicodedata.category(c) in _BREAKS for c in word)


def given_names(
    folder: Path, *, least_people: int = 10, least_share: float = 0.95
) -> list[GivenName]:
    """The monosex given names of the people of a fetch, by language, country, gender and bearers.

    A name counts where at least `least_people` bear it, at least `least_share` of them of one
    gender, and where so one-sided a word would come about by chance, with the shares that the
    genders have among all people there, at most once in a hundred: among politicians, most of whom
    are men, a family name of a dozen people is often borne by men alone.

    Raises InputError where the folder holds no fetch.
    """
    counts = _count(folder)
    everybody: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for (lang, country, _), genders in counts.items():
        everybody[lang, country].update(genders)
    names = []
    for (lang, country, name), genders in counts.items():
        gender, bearers = genders.most_common(1)[0]
        people = genders.total()
        if gender not in _GENDERS or people < least_people or bearers < least_share * people:
            continue
        around = everybody[lang, country]
        if _by_chance(bearers, people, around[gender] / around.total()) <= _CHANCE:
            share = bearers / people
            names.append(GivenName(lang, country, name, _GENDERS[gender], share, people))
    return sorted(names, key=_place)


def _place(name: GivenName) -> tuple[str, int, str, int, str]:
    number = int(name.country[1:]) if name.country else 0
    return (name.lang, number, name.gender, -name.people, name.name)


def _by_chance(bearers: int, people: int, share: float) -> float:
    """How likely `bearers` or more of `people` are of a gender that `share` of everybody is."""
    from scipy.stats import binom

    return float(binom.sf(bearers - 1, people, share))


def _count(folder: Path) -> dict[tuple[str, str, str], Counter[str]]:
    """The genders of the bearers of every word, by language and country ("" for all)."""
    counts: dict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    left_out = set(_order()["family_first"])
    for row in _people(folder):
        if left_out.intersection(row["country_qids"]):
            continue
        if name := given_name(row["name"], row["lang"]):
            for country in ("", *row["country_qids"]):
                counts[row["lang"], country, name][row["gender"]] += 1
    return counts


def _people(folder: Path) -> Iterator[dict[str, Any]]:
    wanted = ["lang", "name", "gender", "country_qids"]
    table = read_fetched(folder, POLITICIANS_FILE, wanted)
    if unknown := set(table.column("gender").unique().to_pylist()) - set(GROUPS):
        raise InputError(
            f"genders as they are ({min(unknown)}), not in groups",
            where=folder / POLITICIANS_FILE,
            hint="names need a fetch with --gender-scheme default or paper",
        )  # fmt: skip
    for batch in table.to_batches(max_chunksize=50_000):
        yield from batch.to_pylist()


def write_names(names: list[GivenName], out: Path, *, source: str) -> dict[str, Any]:
    """Write ``LANG/names.tsv`` (as lexicons/ has it) and ``names_by_country.tsv``; the counts.

    `source` stands in every row of the former, before the number of people.
    """
    langs = sorted({name.lang for name in names})
    counts: dict[str, Any] = {}
    for lang in langs:
        own = [name for name in names if name.lang == lang and not name.country]
        rows = [
            (one.name, one.gender, f"{one.share:.4f}", f"{source}, {one.people} people")
            for one in sorted(own, key=lambda one: (one.gender != "masculine", -one.people))
        ]
        _write(out / lang / "names.tsv", ("name", "gender", "share", "source"), rows)
        counts[lang] = dict(Counter(one.gender for one in own))
    by_country = [
        (one.lang, one.country, one.name, one.gender, f"{one.share:.4f}", str(one.people))
        for one in names if one.country
    ]  # fmt: skip
    header = ("lang", "country", "name", "gender", "share", "people")
    _write(out / "names_by_country.tsv", header, by_country)
    record = {"source": source, "names": counts, "by_country": len(by_country), "out": str(out)}
    write_json(out / "names.json", {**record, "out": out.name})
    return record


def _write(path: Path, header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as temporary:
        lines = ["\t".join(cells) + "\n" for cells in (header, *rows)]
        temporary.write_text("".join(lines), encoding="utf-8")
