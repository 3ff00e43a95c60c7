"""How far the words of occupations lie towards *she* or *he* in a model's hidden states."""

from __future__ import annotations

from curate.occupations.polarity.folder import read_polarity, write_polarity
from curate.occupations.polarity.measure import Polarity, measure_polarity
from curate.occupations.polarity.settings import Settings
from curate.occupations.polarity.vectors import TableVectors, table_vectors

__all__ = [
    "Polarity",
    "Settings",
    "TableVectors",
    "measure_polarity",
    "read_polarity",
    "table_vectors",
    "write_polarity",
]
