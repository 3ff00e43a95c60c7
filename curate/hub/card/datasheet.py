"""The datasheet of a release: DATASHEET.md, questions about a data set with answers from facts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from curate.hub.card.facts import read_facts
from curate.hub.card.render import shared_values
from curate.hub.card.templates import environment

__all__ = ["render_datasheet"]

TEMPLATE = "datasheet.md.j2"


def render_datasheet(folder: Path, manifest: Mapping[str, Any]) -> str:
    """The text of DATASHEET.md, after the questions of Gebru et al. (2021, Datasheets for Datasets)
    and Bender and Friedman (2018, Data Statements), in our own words.

    Answers are counted, or come from ``manifest["about"]``, or are "not stated". Raises InputError
    as `read_facts` does.
    """
    return environment().get_template(TEMPLATE).render(shared_values(read_facts(folder, manifest)))
