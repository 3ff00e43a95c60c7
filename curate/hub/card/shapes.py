"""The shapes of what is counted in a configuration of each kind."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "Counts", "CrowsFacts", "DropFacts", "Example", "FillFacts", "Lengths", "LexiconFacts",
    "PairFacts", "PeopleFacts", "SourceFacts",
]  # fmt: skip

Counts = tuple[tuple[str, int], ...]
"""Values with how many rows have them, most frequent first, then by value."""


@dataclass(frozen=True)
class SourceFacts:
    """Rows that come from one source under one licence, as the rows name them."""

    source: str
    licence: str
    rows: int


@dataclass(frozen=True)
class Lengths:
    """Lengths of sentences in code points, both sides of every pair taken together."""

    least: int
    median: float
    mean: float
    most: int


@dataclass(frozen=True)
class Example:
    """A pair of middling length: the first such row. `first` is masculine or the more
    stereotypical side, `second` the other."""

    first: str
    second: str


@dataclass(frozen=True)
class FillFacts:
    """The masked language models that filled in words, with their settings (joined by ``/`` where
    rows differ), and in how many pairs both genders or only one were among the predictions."""

    model: str
    revision: str
    k: str
    threshold: str
    context: str
    both: int
    masculine: int
    feminine: int


@dataclass(frozen=True)
class PairFacts:
    """Pairs: sides they were found on, folds, distinct lexicon entries, lengths."""

    masculine: int
    feminine: int
    folds: int
    in_folds: int
    entries: int
    lengths: Lengths | None
    example: Example | None
    fill: FillFacts | None


@dataclass(frozen=True)
class CrowsFacts:
    """Pairs that people judged; `gendered`: rows whose masculine and feminine side are known."""

    bias_types: Counts
    directions: Counts
    rounds: Counts
    gendered: int
    lengths: Lengths | None
    example: Example | None


@dataclass(frozen=True)
class PeopleFacts:
    """People: `people` distinct ones, (language, gender, rows), and rows by every raw value (a
    person with several values counts for each)."""

    people: int
    by_gender: tuple[tuple[str, str, int], ...]
    raw_values: Counts
    retrieved: tuple[str, ...]


@dataclass(frozen=True)
class DropFacts:
    """Rows of a run that became no pair, by reason."""

    rows: int
    reasons: Counts


@dataclass(frozen=True)
class LexiconFacts:
    """What the lexicon configuration holds of a language: lexemes and rows of forms."""

    version: str
    lexemes: int
    rows: int
