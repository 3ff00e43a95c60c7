"""How to cite a release, for programs: CITATION.cff in the Citation File Format 1.2.0."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from curate.hub.card.about import Author
from curate.hub.card.bibtex import makers, repository_link
from curate.hub.card.facts import Facts, read_facts
from curate.hub.card.licences import release_licences
from curate.hub.card.papers import Paper, papers_of

__all__ = ["citation_fields", "render_citation"]

MESSAGE = "If you use this data set, please cite it, and the works under references."
_DATE = re.compile(r"\d{4}-(0[1-9]|1[012])-(0[1-9]|[12]\d|3[01])")
_EMAIL = re.compile(r"\S+@\S+\.\S{2,}")


def render_citation(folder: Path, manifest: Mapping[str, Any]) -> str:
    """The text of CITATION.cff. Raises InputError as `read_facts` does."""
    fields = citation_fields(read_facts(folder, manifest))
    return str(yaml.safe_dump(fields, sort_keys=False, allow_unicode=True, width=10**6))


def citation_fields(facts: Facts) -> dict[str, Any]:
    """The fields of the file, in a fixed order; what is not stated is left out."""
    authors = [_author(one) for one in facts.about.authors] or [{"name": makers(facts)}]
    licences = {one.spdx for one in release_licences(facts)}
    fields: dict[str, Any] = {
        "cff-version": "1.2.0",
        "message": MESSAGE,
        "type": "dataset",
        "title": facts.title,
        "authors": authors,
        "version": facts.version,
        "date-released": facts.date if _DATE.fullmatch(facts.date) else "",
        "doi": facts.about.doi or "",
        "url": facts.about.homepage or "",
        "repository": repository_link(facts) if facts.repository else "",
        # several licences would be read as a choice between them, which they are not
        "license": licences.pop() if len(licences) == 1 else "",
        "contact": _contact(facts.about.contact),
        "keywords": ["gender bias", "language models", "minimal pairs", "evaluation"],
        "references": [_reference(paper) for paper in papers_of(facts)],
    }
    return {key: value for key, value in fields.items() if value not in ("", [])}


def _author(author: Author) -> dict[str, str]:
    """A person where the parts of the name are known, else an entity, which has one name.

    An entity has no affiliation in this format.
    """
    orcid = {"orcid": f"https://orcid.org/{author.orcid}"} if author.orcid else {}
    if author.given_names is None and author.family_names is None:
        return {"name": author.name} | orcid
    parts = {
        "family-names": author.family_names,
        "given-names": author.given_names,
        "affiliation": author.affiliation,
    }
    return {key: value for key, value in parts.items() if value} | orcid


def _contact(contact: str | None) -> list[dict[str, str]]:
    if not contact:
        return []
    if _EMAIL.fullmatch(contact):
        return [{"name": "Contact", "email": contact}]
    if re.fullmatch(r"https?://\S+", contact):
        return [{"name": "Contact", "website": contact}]
    return [{"name": contact}]


def _reference(paper: Paper) -> dict[str, Any]:
    authors: list[dict[str, str]] = [
        {"family-names": family, "given-names": given} for family, given in paper.authors
    ]
    return {
        "type": "article" if paper.doi else "conference-paper",
        "title": paper.title,
        "authors": authors + ([{"name": "others"}] if paper.others else []),
        "year": paper.year,
        "notes": paper.venue,
        **({"doi": paper.doi} if paper.doi else {}),
    }
