"""The queries of a fetch: plain SPARQL 1.1, so that any endpoint with Wikidata's data will do.

No label service and no hints. A list of occupations is a FILTER, not VALUES: engines that join
VALUES first would look at everybody for every country. The people of a batch are VALUES inside
every branch, so that no engine works out a branch for everybody.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = [
    "BIRTH",
    "CLASS",
    "COUNTRY",
    "GENDER",
    "LABEL",
    "OCCUPATION",
    "SITELINKS",
    "TEMPLATES",
    "Born",
    "countries_query",
    "facts_query",
    "labels_query",
    "people_query",
    "subclasses_query",
]

Born = tuple[int | None, int | None]
"""The first year, and the first year no more; None where it is open."""

_WDT = "http://www.wikidata.org/prop/direct/"
GENDER, COUNTRY, BIRTH = _WDT + "P21", _WDT + "P27", _WDT + "P569"
OCCUPATION, CLASS = _WDT + "P106", _WDT + "P31"
SITELINKS = "http://wikiba.se/ontology#sitelinks"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"

_PREFIXES = """\
PREFIX wd: <http://www.wikidata.org/entity/>
PREFIX wdt: <http://www.wikidata.org/prop/direct/>
PREFIX wikibase: <http://wikiba.se/ontology#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
"""
_FACTS = ("wdt:P21", "wdt:P27", "wdt:P31", "wdt:P106", "wdt:P569", "wikibase:sitelinks")
_BRANCHES = "\n  UNION\n".join(
    f"  {{ VALUES ?person {{ <PEOPLE> }} ?person {name} ?value BIND({name} AS ?property) }}"
    for name in _FACTS
)

TEMPLATES = {
    "subclasses": f"{_PREFIXES}SELECT DISTINCT ?class WHERE {{ ?class wdt:P279* wd:<ROOT> }}",
    "countries": f"""{_PREFIXES}\
SELECT ?country (COUNT(DISTINCT ?person) AS ?people) WHERE {{
  ?person wdt:P106 ?occupation ; wdt:P27 ?country .
  FILTER(?occupation IN (<OCCUPATIONS>))<CONDITIONS>
}} GROUP BY ?country""",
    "people": f"""{_PREFIXES}\
SELECT DISTINCT ?person WHERE {{
  ?person wdt:P27 wd:<COUNTRY> ; wdt:P106 ?occupation .
  FILTER(?occupation IN (<OCCUPATIONS>))<CONDITIONS>
}}""",
    "everybody": f"""{_PREFIXES}\
SELECT DISTINCT ?person WHERE {{
  ?person wdt:P106 ?occupation .
  FILTER(?occupation IN (<OCCUPATIONS>))<CONDITIONS>
}}""",
    "people without a country": f"""{_PREFIXES}\
SELECT DISTINCT ?person WHERE {{
  ?person wdt:P106 ?occupation .
  FILTER(?occupation IN (<OCCUPATIONS>))
  FILTER NOT EXISTS {{
    ?person wdt:P27 ?country
    FILTER(STRSTARTS(STR(?country), "http://www.wikidata.org/entity/Q"))
  }}<CONDITIONS>
}}""",
    "facts": f"""{_PREFIXES}\
SELECT ?person ?property ?value WHERE {{
{_BRANCHES}
  UNION
  {{ VALUES ?person {{ <PEOPLE> }} ?person rdfs:label ?value BIND(rdfs:label AS ?property)
    FILTER(LANG(?value) IN (<LANGS>)) }}
}}""",
    "country names": f"""{_PREFIXES}\
SELECT ?item ?label WHERE {{
  VALUES ?item {{ <ITEMS> }}
  ?item rdfs:label ?label .
  FILTER(LANG(?label) IN (<LANGS>))
}}""",
    "condition: born": "\n  ?person wdt:P569 ?birth . FILTER(<YEARS>)",
    # whatever is no date has no year, and the comparison then fails
    "condition: undated": (
        "\n  FILTER NOT EXISTS { ?person wdt:P569 ?birth FILTER(YEAR(?birth) < 100000) }"
    ),
    "condition: ending": '\n  FILTER(STRENDS(STR(?person), "<ENDING>"))',
}
"""The texts of all queries, with the names in angle brackets to be filled in; CONDITIONS are any
of the last three."""


def _filled(name: str, **values: str) -> str:
    text = TEMPLATES[name]
    for key, value in values.items():
        text = text.replace(f"<{key}>", value)
    return text


def _items(qids: Iterable[str], separator: str) -> str:
    return separator.join(f"wd:{qid}" for qid in qids)


def _tags(langs: Iterable[str]) -> str:
    return ", ".join(f'"{lang}"' for lang in langs)


def subclasses_query(root: str) -> str:
    """`class`: `root` and every class below it (P279)."""
    return _filled("subclasses", ROOT=root)


def countries_query(occupations: Sequence[str], *, ending: str = "") -> str:
    """`country` and `people`: the citizenships of the holders of `occupations`.

    `ending`: only people whose QID ends so.
    """
    conditions = _conditions(ending=ending)
    return _filled("countries", OCCUPATIONS=_items(occupations, ", "), CONDITIONS=conditions)


def people_query(
    occupations: Sequence[str], *,
    country: str | None = None, born: Born = (None, None), undated: bool = False, ending: str = "",
) -> str:  # fmt: skip
    """`person`: the holders of `occupations` who are citizens of `country`, of none where it
    is empty, or of any or none where it is None.

    `born`: only those with a birth in these years; `undated`: those without a date of birth.
    """
    name = {None: "everybody", "": "people without a country"}.get(country, "people")
    return _filled(
        name,
        COUNTRY=country or "",
        OCCUPATIONS=_items(occupations, ", "),
        CONDITIONS=_conditions(born=born, undated=undated, ending=ending),
    )


def _conditions(*, born: Born = (None, None), undated: bool = False, ending: str = "") -> str:
    text = ""
    years = [
        f"YEAR(?birth) {sign} {year}"
        for sign, year in zip((">=", "<"), born, strict=True)
        if year is not None
    ]
    if years:
        text += _filled("condition: born", YEARS=" && ".join(years))
    if undated:
        text += TEMPLATES["condition: undated"]
    return text + (_filled("condition: ending", ENDING=ending) if ending else "")


def facts_query(people: Sequence[str], langs: Sequence[str]) -> str:
    """`person`, `property`, `value`: every truthy fact that is kept, and the labels in `langs`."""
    return _filled("facts", PEOPLE=_items(people, " "), LANGS=_tags(langs))


def labels_query(items: Sequence[str], langs: Sequence[str]) -> str:
    """`item` and `label` of any items."""
    return _filled("country names", ITEMS=_items(items, " "), LANGS=_tags(langs))
