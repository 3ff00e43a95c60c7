"""The share of gendered sentences that a lexicon reaches (Yu et al. 2024, Table 1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from curate.swap.swapper import Swapper
from curate.swap.trials import wilson

__all__ = ["GO", "Coverage", "Miss", "measure_coverage"]

GO = 0.5
"""Languages under this share are not used for evaluation (Yu et al. 2024)."""


@dataclass(frozen=True, slots=True)
class Miss:
    """An English gender word in sentences whose other side holds none; one sentence of them."""

    word: str
    missed: int
    seen: int
    english: str
    other: str


@dataclass(slots=True)
class Coverage:
    """`n`: rows whose English side holds a gender word; `covered`: those whose other side does."""

    n: int = 0
    covered: int = 0
    rows: int = 0
    misses: list[Miss] = field(default_factory=list)

    @property
    def share(self) -> float:
        return self.covered / self.n if self.n else 0.0

    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the share."""
        return wilson(self.covered, self.n)


def measure_coverage(english: Swapper, other: Swapper, rows: Iterable[tuple[str, str]]) -> Coverage:
    """Of the rows whose English side holds a gender word, the share whose other side holds one.

    A gender word is a form of pairs.tsv (or of an open class of it) that the `select` rules leave
    as one; words with one form for both genders do not count, nor do given names. `misses` are by
    English word, most missed first.
    """
    result = Coverage()
    seen: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    examples: dict[str, tuple[str, str]] = {}
    for source, target in rows:
        result.rows += 1
        words = set(english.gender_words(source))
        if not words:
            continue
        result.n += 1
        seen.update(words)
        if other.gender_words(target):
            result.covered += 1
            continue
        missed.update(words)
        for word in words:
            examples.setdefault(word, (source, target))
    result.misses = [
        Miss(word, count, seen[word], *examples[word])
        for word, count in sorted(missed.items(), key=lambda item: (-item[1], item[0]))
    ]
    return result
