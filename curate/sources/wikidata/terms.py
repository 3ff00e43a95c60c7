"""The terms of an answer: items by their QIDs."""

from __future__ import annotations

import re

__all__ = ["ENTITY", "QID", "Binding", "qid_of"]

ENTITY = "http://www.wikidata.org/entity/"
QID = re.compile(r"Q[1-9][0-9]{0,18}")

Binding = dict[str, dict[str, str]]
"""A row of an answer: by variable, a term as SPARQL 1.1 Query Results JSON writes it."""


def qid_of(term: dict[str, str] | None) -> str:
    """The QID of an item; empty for any other term, so for an unknown value too.

    An unknown value is a blank node, or an address under ``.well-known/genid``.
    """
    if term is None or term.get("type") != "uri":
        return ""
    value = term["value"]
    qid = value[len(ENTITY) :] if value.startswith(ENTITY) else ""
    return qid if QID.fullmatch(qid) else ""
