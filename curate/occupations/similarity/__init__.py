"""How alike a model finds *She is walking* and *The nurse is walking*, and with *he* instead."""

from __future__ import annotations

from curate.occupations.similarity.folder import SimilarityFolder, read_similarity
from curate.occupations.similarity.run import ScorerSettings, score_occupations
from curate.occupations.similarity.seeds import seeds_of, trained_name
from curate.occupations.similarity.statistics import Comparison, compare_sides

__all__ = [
    "Comparison",
    "ScorerSettings",
    "SimilarityFolder",
    "compare_sides",
    "read_similarity",
    "score_occupations",
    "seeds_of",
    "trained_name",
]
