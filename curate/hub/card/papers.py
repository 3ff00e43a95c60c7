"""The papers a release rests on, from ``hub_cards/papers.toml``."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass

from curate.hub.card.facts import Facts
from curate.hub.card.markdown import in_words
from curate.resources import hub_cards_folder

__all__ = ["Paper", "papers_of"]


@dataclass(frozen=True)
class Paper:
    """One paper; `authors` are (family names, given names), `others`: there are more of them."""

    key: str
    authors: tuple[tuple[str, str], ...]
    others: bool
    title: str
    venue: str
    year: int
    doi: str

    @property
    def by(self) -> str:
        """The authors in words."""
        names = [f"{given} {family}" for family, given in self.authors]
        if self.others:
            return f"{', '.join(names)} and others"
        return in_words(names)


def papers_of(facts: Facts) -> tuple[Paper, ...]:
    """Those whose methods or data are in the release, oldest first."""
    used = {one.method for one in facts.configs} | {one.kind for one in facts.configs}
    path = hub_cards_folder() / "papers.toml"
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    found = (
        Paper(
            key=key,
            authors=tuple((family, given) for family, given in entry["authors"]),
            others=bool(entry.get("others")),
            title=entry["title"],
            venue=entry["venue"],
            year=entry["year"],
            doi=entry.get("doi", ""),
        )
        for key, entry in table.items()
        if used & set(entry["uses"])
    )
    return tuple(sorted(found, key=lambda paper: (paper.year, paper.key)))
