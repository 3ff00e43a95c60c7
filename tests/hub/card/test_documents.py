"""The datasheet and CITATION.cff."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

import pytest
import yaml
from pydantic import BaseModel, ConfigDict, Field, model_validator

from curate.hub.card import render_citation, render_datasheet
from tests.hub.card.conftest import Release, pair

Name = Annotated[str, Field(min_length=1)]
Doi = Annotated[str, Field(pattern=r"^10\.\d{4,9}(\.\d+)?/[A-Za-z0-9:/_;\-.()\[\]\\]+$")]
Web = Annotated[str, Field(pattern=r"^(https?|s?ftp)://.+")]
Orcid = Annotated[str, Field(pattern=r"^https://orcid\.org/\d{4}-\d{4}-\d{4}-\d{3}[\dX]$")]


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Party(Part):
    """A person or an entity of the Citation File Format 1.2.0, as far as we write them."""

    name: Name | None = None
    family: Name | None = Field(None, alias="family-names")
    given: Name | None = Field(None, alias="given-names")
    affiliation: Name | None = None
    orcid: Orcid | None = None
    email: Annotated[str, Field(pattern=r"^[\S]+@[\S]+\.[\S]{2,}$")] | None = None
    website: Web | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> Party:
        person = self.family or self.given or self.affiliation
        if bool(person) == bool(self.name):
            raise ValueError("a person has no name, an entity nothing else")
        return self


class Reference(Part):
    type: Literal["article", "conference-paper"]
    title: Name
    authors: Annotated[list[Party], Field(min_length=1)]
    year: int
    notes: Name
    doi: Doi | None = None


class Citation(Part):
    version_of_format: Literal["1.2.0"] = Field(alias="cff-version")
    message: Name
    type: Literal["dataset"]
    title: Name
    authors: Annotated[list[Party], Field(min_length=1)]
    version: Name
    released: date | None = Field(None, alias="date-released")
    doi: Doi | None = None
    url: Web | None = None
    repository: Web | None = None
    license: Annotated[str, Field(pattern=r"^[A-Za-z0-9.-]+$")] | None = None
    contact: Annotated[list[Party], Field(min_length=1)] | None = None
    keywords: list[Name]
    references: list[Reference] = []


def citation(release: Release) -> dict[str, Any]:
    return dict(yaml.safe_load(render_citation(release.folder, release.manifest)))


def test_the_citation_is_valid(release: Release) -> None:
    found = citation(release)
    Citation.model_validate(found)
    assert found["authors"] == [
        {"name": "Ada Example", "orcid": "https://orcid.org/0000-0002-1825-0097"}
    ]
    assert found["date-released"] == "2026-01-31"  # a text, not a YAML day
    assert found["repository"] == "https://huggingface.co/datasets/me/toy"
    assert "license" not in found  # several would be read as a choice
    assert [one["year"] for one in found["references"]] == [2020, 2022, 2023, 2024, 2024]


@pytest.mark.parametrize(
    "about",
    [
        {},
        {"authors": [{"name": "A B", "given_names": "A", "family_names": "B", "affiliation": "X"}]},
        {
            "authors": [{"name": "The group", "affiliation": "X"}],
            "contact": "https://example.org/c",
        },
        {"contact": "Room 4", "doi": "10.5281/zenodo.1234567", "homepage": "https://example.org"},
    ],
)
def test_whatever_is_stated(empty: Release, about: dict[str, Any]) -> None:
    empty.pairs([pair("A king", "A queen")])
    empty.manifest["about"] = about
    found = citation(empty)
    Citation.model_validate(found)
    assert found["license"] == "CC-BY-2.0"
    assert "date-released" not in found


@pytest.mark.parametrize("day", ["soon", "2026-13-01", "2026-1-1", ""])
def test_a_date_that_is_none_is_left_out(empty: Release, day: str) -> None:
    empty.pairs([pair("A king", "A queen")])
    empty.manifest["date"] = day
    assert "date-released" not in citation(empty)


def test_the_datasheet(release: Release) -> None:
    sheet = render_datasheet(release.folder, release.manifest)
    assert "`en-lsg` kept 3 rows and dropped 3" in sheet
    assert "**Who made it?** Ada Example" in sheet
    assert "**Who paid for it?** Not stated." in sheet
    assert "People were retrieved on: 2026-01-31." in sheet
    assert "`en-msg`: not checked by rule." in sheet
    assert sheet == render_datasheet(release.folder, release.manifest)


def test_what_people_say_is_printed(release: Release) -> None:
    release.manifest["about"] = {
        "purpose": "For a thesis.", "consent": "Asked in writing.", "ethics": "Board 7.",
        "compensation": "15 an hour.", "annotators": "Two linguists.", "maintenance": "The lab.",
    }  # fmt: skip
    sheet = render_datasheet(release.folder, release.manifest)
    for text in release.manifest["about"].values():
        assert text in sheet
