"""What a study has found: of one set of people, and of all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from curate.politicians.study.results import TABLES, Unit
from curate.politicians.study.subsets import EVERYONE

__all__ = ["Findings", "Study", "place_of"]

Row = Mapping[str, Any]


@dataclass
class Findings:
    """Rows by table, notes, and the sentiments of the largest-deviation words by gender.

    `largest` rows hold a gender and, under the name of each sentiment, 1 where it is the word's.
    """

    rows: dict[str, list[Row]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    largest: list[Row] = field(default_factory=list)

    def add(self, table: str, found: Iterable[Row]) -> None:
        self.rows.setdefault(table, []).extend(found)

    def note(self, unit: Unit, text: str) -> None:
        self.notes.append(f"{place_of(unit)}: {text}")


@dataclass
class Study:
    """The rows of every table of `curate.politicians.study.results`, and what was left out."""

    rows: dict[str, list[Row]] = field(default_factory=lambda: {name: [] for name in TABLES})
    notes: list[str] = field(default_factory=list)

    def add(self, found: Findings) -> None:
        for table, rows in found.rows.items():
            self.rows[table].extend(rows)
        self.notes.extend(found.notes)

    def genders(self) -> list[set[str]]:
        """The genders of each set of people that was counted."""
        held: dict[tuple[Any, ...], set[str]] = {}
        for row in self.rows["people"]:
            unit = (row["lang"], row["upos"], row["model"], row["subset"])
            held.setdefault(unit, set()).add(row["gender"])
        return list(held.values())


def place_of(unit: Unit) -> str:
    """A unit in words; everyone goes without saying."""
    return " ".join(value for value in unit.values() if value != EVERYONE)
