"""Croissant 1.1 metadata of a release: its files, columns, and how the data may be used."""

from curate.hub.croissant.document import CROISSANT, croissant_document, write_croissant

__all__ = ["CROISSANT", "croissant_document", "write_croissant"]
