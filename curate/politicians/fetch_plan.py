"""How a fetch is cut up: by country, then decade, year, and the last digits of a QID."""

from __future__ import annotations

from dataclasses import dataclass

from curate.politicians.queries import Born, people_query

__all__ = ["ANY_COUNTRY", "LARGEST", "NO_COUNTRY", "Part", "endings", "first_parts"]

LARGEST = 20_000
"""People of a country up to which it is asked for in one query."""

_FIRST_DECADE = 1800
_DEEPEST = 5
_DIGITS = "0123456789"

NO_COUNTRY, ANY_COUNTRY = "", "*"
_NAMES = {NO_COUNTRY: "none", ANY_COUNTRY: "all"}


@dataclass(frozen=True)
class Part:
    """Some of the holders of an occupation, few enough to be listed in one query.

    `country` is a QID, `NO_COUNTRY` for those without one, or `ANY_COUNTRY`. `born` are years,
    open where None; `undated` those without a date of birth; `ending` the last digits of the QID,
    or ``Q`` and all of them.
    """

    country: str
    born: Born | None = None
    undated: bool = False
    ending: str = ""

    @property
    def name(self) -> str:
        """Unlike every other part's, and fit for a file name."""
        pieces = [_NAMES.get(self.country, self.country)]
        if self.born:
            first, after = self.born
            last = "" if after is None else str(after - 1)
            pieces.append(f"{'' if first is None else first}-{last}")
        if self.undated:
            pieces.append("undated")
        if self.ending:
            pieces.append(f"x{self.ending}")
        return ".".join(pieces)

    def query(self, occupations: list[str]) -> str:
        return people_query(
            occupations, country=None if self.country == ANY_COUNTRY else self.country,
            born=self.born or (None, None), undated=self.undated, ending=self.ending,
        )  # fmt: skip

    def split(self, last_year: int) -> list[Part]:
        """Smaller parts that together hold everybody in this one; empty where it cannot be cut.

        Decades run up to `last_year`; whoever has several dates of birth is in several parts. To
        find those without a country an endpoint must look at everybody's, however few are asked
        for; where that is too much, everybody is listed, by the last digits alone, and those who
        came with a country before are left out here.
        """
        if self.country == NO_COUNTRY:
            return [Part(ANY_COUNTRY, ending=digit) for digit in _DIGITS]
        if self.born is None and not self.undated and not self.ending:
            return self._decades(last_year)
        if self.born and None not in self.born and not self.ending:
            first, after = self.born
            assert first is not None and after is not None
            if after - first > 1:
                return [Part(self.country, (year, year + 1)) for year in range(first, after)]
        return [
            Part(self.country, self.born, self.undated, longer) for longer in endings(self.ending)
        ]

    def _decades(self, last_year: int) -> list[Part]:
        starts = list(range(_FIRST_DECADE, max(last_year, _FIRST_DECADE) + 1, 10))
        cuts: list[Born] = [(None, starts[0])]
        cuts += [(start, start + 10) for start in starts[:-1]]
        cuts.append((starts[-1], None))
        return [*(Part(self.country, born) for born in cuts), Part(self.country, undated=True)]


def endings(ending: str) -> list[str]:
    """The ends of QIDs that are one digit longer than `ending`; none where it is long enough."""
    if len(ending) >= _DEEPEST or ending.startswith("Q"):
        return []
    whole = ["Q" + ending] if ending else []  # no digit stands before these
    return [*(digit + ending for digit in _DIGITS), *whole]


def first_parts(countries: dict[str, int], last_year: int) -> list[Part]:
    """A part a country, the largest first, those without one last; a large country by decades."""
    parts: list[Part] = []
    for country in sorted(countries, key=lambda qid: (-countries[qid], int(qid[1:]))):
        whole = Part(country)
        parts += whole.split(last_year) if countries[country] > LARGEST else [whole]
    return [*parts, Part(NO_COUNTRY)]
