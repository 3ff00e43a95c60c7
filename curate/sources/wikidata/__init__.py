"""SPARQL 1.1 endpoints such as Wikidata's: asked one query at a time, politely, tried again."""

from __future__ import annotations

from curate.sources.wikidata.address import checked_address, shown_address
from curate.sources.wikidata.client import Endpoint, checked_contact
from curate.sources.wikidata.failures import QueryTimeoutError
from curate.sources.wikidata.terms import ENTITY, QID, Binding, qid_of

__all__ = [
    "ENTITY",
    "QID",
    "Binding",
    "Endpoint",
    "QueryTimeoutError",
    "checked_address",
    "checked_contact",
    "qid_of",
    "shown_address",
]
