"""The documents of a release: card, datasheet, citation, all computed from data and manifest."""

from curate.hub.card.about import About, about_of, read_about
from curate.hub.card.checking import check_card, check_metadata
from curate.hub.card.citation import render_citation
from curate.hub.card.datasheet import render_datasheet
from curate.hub.card.facts import ConfigFacts, Facts, read_facts
from curate.hub.card.front_matter import card_configs, front_matter
from curate.hub.card.licences import (
    config_licences,
    licence_findings,
    refuse_licences,
    release_licences,
    whole_licence,
)
from curate.hub.card.metadata import metadata, size_category
from curate.hub.card.render import render_card

__all__ = [
    "About",
    "ConfigFacts",
    "Facts",
    "about_of",
    "card_configs",
    "check_card",
    "check_metadata",
    "config_licences",
    "front_matter",
    "licence_findings",
    "metadata",
    "read_about",
    "read_facts",
    "refuse_licences",
    "release_licences",
    "render_card",
    "render_citation",
    "render_datasheet",
    "size_category",
    "whole_licence",
]
