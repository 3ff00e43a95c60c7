"""A made-up Wikidata of people and, told without the package, what a fetch of it must give."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

__all__ = ["LANGS", "POLITICIAN", "Person", "expected", "people", "write_triples"]

LANGS = ("ar", "en", "es", "fr", "hi", "ru", "zh")
POLITICIAN = "Q82955"
HUMAN, DOG, FICTIONAL = "Q5", "Q144", "Q15632617"
WRITER = "Q36180"
MALE, FEMALE = "Q6581097", "Q6581072"
TRANS_WOMAN, TRANS_MAN, NON_BINARY, FLUID = "Q1052281", "Q2449503", "Q48270", "Q18116794"
CIS_WOMAN, MALE_ANIMAL, FEMALE_ANIMAL = "Q15145779", "Q44148", "Q43445"
UNHEARD_OF, SAID_TO_BE_UNKNOWN = "Q99999999", "Q19798648"

SUBCLASSES = {
    "Q30185": POLITICIAN,
    "Q193391": POLITICIAN,
    "Q212071": "Q30185",
    "Q708492": "Q212071",
}
"""Occupations below politician, each with the class above it; one circle is written as well."""
COUNTRIES = (
    "Q30", "Q183", "Q29", "Q142", "Q159", "Q148", "Q145", "Q155", "Q668", "Q79",
    *(f"Q{number}" for number in range(9000, 9090)),
)  # fmt: skip
GENDERS: tuple[tuple[tuple[str, ...], float, str], ...] = (
    ((MALE,), 760, "male"),
    ((FEMALE,), 200, "female"),
    ((), 20, ""),
    (("",), 3, ""),  # an unknown value: a node without a name
    ((SAID_TO_BE_UNKNOWN,), 1, ""),
    ((TRANS_WOMAN,), 2, "female"),
    ((TRANS_MAN,), 2, "male"),
    ((NON_BINARY,), 2, "non-binary"),
    ((FLUID,), 1, "non-binary"),
    ((UNHEARD_OF,), 1, "non-binary"),
    ((CIS_WOMAN,), 1, "female"),
    ((MALE, FEMALE), 1, "non-binary"),
    ((MALE, TRANS_WOMAN), 1, "female"),
    ((FEMALE, NON_BINARY), 1, "non-binary"),
    ((MALE_ANIMAL,), 1, "animal"),
    ((FEMALE_ANIMAL,), 1, "animal"),
)
WORDS = {
    "ar": ("محمد", "فاطمة", "حسن", "ليلى", "الأمين"),
    "en": ("Mary", "O'Brien", 'John "Jack"', "Smith\\Jones", "Zoë"),
    "es": ("María", "Núñez", "José", "Iñaki", "Peña"),
    "fr": ("Hélène", "Noël", "D’Arc", "François", "Œuvrard"),
    "hi": ("राम", "सीता", "कृष्ण", "देवी", "सिंह"),
    "ru": ("Иван", "Мария", "Королёв", "Семён", "Йосиф"),
    "zh": ("王", "小明", "玛丽·", "李", "约翰·"),
}
_WD, _WDT = "http://www.wikidata.org/entity/", "http://www.wikidata.org/prop/direct/"
_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
_XSD = "http://www.w3.org/2001/XMLSchema#"
_WIKIBASE = "http://wikiba.se/ontology#"


@dataclass
class Person:
    """One item; "" among the values is an unknown value."""

    number: int
    genders: tuple[str, ...]
    gender: str
    births: list[str] = field(default_factory=list)
    countries: list[str] = field(default_factory=list)
    occupations: list[str] = field(default_factory=list)
    classes: list[str] = field(default_factory=list)
    sitelinks: int | None = None
    labels: dict[str, str] = field(default_factory=dict)
    deprecated: bool = False


def people(count: int, *, seed: int = 7) -> Iterator[Person]:
    """The same people whenever `count` and `seed` are the same."""
    chance = random.Random(seed)  # noqa: S311
    weights = [weight for _, weight, _ in GENDERS]
    for index in range(count):
        genders, _, gender = chance.choices(GENDERS, weights)[0]
        # of five digits to ten, so that the order of numbers is not that of their letters
        number = 1_000 * (index + 20) + 7 if index % 3 else 3_000_000_000 + 13 * index
        animal = gender == "animal"
        kind = [DOG] if animal else chance.choices([[HUMAN], [FICTIONAL], []], [990, 5, 5])[0]
        person = Person(number, genders, gender, classes=list(kind))
        person.births = _births(chance)
        person.countries = _countries(chance)
        person.occupations = _occupations(chance)
        person.sitelinks = chance.randint(0, 300) if chance.random() < 0.95 else None
        person.labels = _labels(chance, index)
        person.deprecated = chance.random() < 0.02
        yield person


def _births(chance: random.Random) -> list[str]:
    day = f"-{chance.randint(1, 12):02d}-{chance.randint(1, 28):02d}"
    year = chance.choices([chance.randint(1780, 1940), chance.randint(1941, 2000)], [1, 3])[0]
    usual = f"{year:04d}{day}"
    kinds: list[list[str]] = [
        [usual], [], [""], [f"{chance.randint(2001, 2010)}{day}"], [usual, f"{year + 1}{day}"],
        [usual, "2003-05-05"], ["2000-12-31"], ["2001-01-01"], ["-0044-03-15"], ["", usual],
    ]  # fmt: skip
    return chance.choices(kinds, [880, 40, 3, 30, 20, 3, 5, 5, 2, 2])[0]


def _countries(chance: random.Random) -> list[str]:
    first = chance.choices([COUNTRIES[0], *COUNTRIES[1:10], chance.choice(COUNTRIES)],
                           [20, *[5] * 9, 35])[0]  # fmt: skip
    second = chance.choice(COUNTRIES)
    kinds = [[first], [], [""], sorted({first, second}), sorted({first, second, "Q30"}),
             ["", first]]  # fmt: skip
    return chance.choices(kinds, [860, 40, 3, 80, 10, 2])[0]


def _occupations(chance: random.Random) -> list[str]:
    below = chance.choice(list(SUBCLASSES))
    kinds = [[POLITICIAN], [below], [POLITICIAN, below], [POLITICIAN, WRITER], [WRITER],
             [below, "", WRITER]]  # fmt: skip
    return chance.choices(kinds, [800, 80, 40, 50, 20, 2])[0]


def _labels(chance: random.Random, index: int) -> dict[str, str]:
    if chance.random() < 0.01:
        return {"de": f"Niemand {index}"}
    named = {
        lang: f"{chance.choice(words)} {chance.choice(words)} {index}"
        for lang, words in WORDS.items()
        if chance.random() < 0.95
    }
    for other in ("de", "en-gb", "zh-hant"):
        if chance.random() < 0.3:
            named[other] = f"Other {other} {index}"
    return named


def write_triples(path: Path, many: Iterator[Person]) -> int:
    """Write the people and what stands above them as N-Triples; the number of triples."""
    triples = 0
    with path.open("w", encoding="utf-8") as file:
        for lines in chain([_frame()], map(_triples, many)):
            file.write("".join(lines))
            triples += len(lines)
    return triples


def _frame() -> list[str]:
    pairs = [*SUBCLASSES.items(), ("Q30185", "Q708492")]  # the circle
    lines = [f"{_item(a)} <{_WDT}P279> {_item(b)} .\n" for a, b in pairs]
    lines += [f'{_item(c)} <{_LABEL}> "Country {c}"@en .\n' for c in COUNTRIES]
    lines.append(f"{_item(WRITER)} <{_WDT}P279> {_item('Q482980')} .\n")
    return lines


def _item(qid: str) -> str:
    return f"<{_WD}{qid}>"


def _triples(person: Person) -> list[str]:
    item = _item(f"Q{person.number}")
    lines, nodes = [], 0

    def add(prop: str, value: str) -> None:
        lines.append(f"{item} <{_WDT}{prop}> {value} .\n")

    def node() -> str:
        nonlocal nodes
        nodes += 1
        return f"_:unknown{person.number}x{nodes}"

    for prop, values in (("P31", person.classes), ("P21", person.genders),
                         ("P27", person.countries), ("P106", person.occupations)):  # fmt: skip
        for value in values:
            add(prop, _item(value) if value else node())
    for birth in person.births:
        add("P569", f'"{birth}T00:00:00Z"^^<{_XSD}dateTime>' if birth else node())
    if person.sitelinks is not None:
        value = f'"{person.sitelinks}"^^<{_XSD}integer>'
        lines.append(f"{item} <{_WIKIBASE}sitelinks> {value} .\n")
    for lang, name in person.labels.items():
        text = name.replace("\\", "\\\\").replace('"', '\\"')
        lines.append(f'{item} <{_LABEL}> "{text}"@{lang} .\n')
    lines.append(f'{item} <http://schema.org/description> "a person"@en .\n')
    lines.append(f'{item} <http://www.w3.org/2004/02/skos/core#altLabel> "Also"@en .\n')
    if person.deprecated:  # a value that counts no more stands in a statement, never in wdt:
        statement = f"<{_WD}statement/Q{person.number}-1>"
        lines.append(f"{item} <http://www.wikidata.org/prop/P21> {statement} .\n")
        lines.append(f"{statement} <http://www.wikidata.org/prop/statement/P21> {_item(FLUID)} .\n")
        lines.append(f"{statement} <{_WIKIBASE}rank> <{_WIKIBASE}DeprecatedRank> .\n")
    return lines


Row = tuple[str, str, str, list[str], str, list[int], list[str], list[str], int | None]


def expected(many: Iterator[Person], *, langs: tuple[str, ...] = LANGS) -> list[Row]:
    """The rows of the table without the day, in its order: by number, then by language."""
    politician = {POLITICIAN, *SUBCLASSES}
    rows: list[Row] = []
    for person in sorted(many, key=lambda one: one.number):
        occupations = sorted({one for one in person.occupations if one in politician})
        years = sorted({int(birth[: birth.index("-", 1)]) for birth in person.births if birth})
        genders = sorted({one for one in person.genders if one})
        if not occupations or not any(year < 2001 for year in years):
            continue
        if person.gender in {"", "animal"} or person.classes == [FICTIONAL]:
            continue
        countries = sorted({one for one in person.countries if one})
        rows += [
            (f"Q{person.number}", lang, person.labels[lang], genders, person.gender, years,
             countries, occupations, person.sitelinks)
            for lang in sorted(langs) if lang in person.labels
        ]  # fmt: skip
    return rows
