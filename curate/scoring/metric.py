"""What a metric is: two values a pair, from a masked language model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import pyarrow as pa

if TYPE_CHECKING:
    from curate.models.masked import MaskedText

__all__ = ["Likelihoods", "MaskFill", "MaskedScorer", "Metric", "PairValues", "SentenceScore"]


class SentenceScore(Protocol):
    """AUL and AULA of one text, or why there are none."""

    @property
    def mean_logp(self) -> float | None: ...
    @property
    def aula(self) -> float | None: ...
    @property
    def n_tokens(self) -> int: ...
    @property
    def refused(self) -> str | None: ...


class MaskFill(Protocol):
    """Probabilities of the candidate words at a mask, or why there are none."""

    @property
    def words(self) -> Mapping[str, float]: ...
    @property
    def refused(self) -> str | None: ...


class MaskedScorer(Protocol):
    """The part of `curate.models.masked.MaskedModel` that scoring needs."""

    @property
    def name(self) -> str: ...
    @property
    def revision(self) -> str: ...
    def aul(self, texts: Sequence[str], *, attention: bool) -> Sequence[SentenceScore]: ...
    def fill(
        self,
        contexts: Sequence[MaskedText],
        *,
        k: int,
        candidates: Sequence[Sequence[str]] | None,
    ) -> Sequence[MaskFill]: ...


@dataclass
class PairValues:
    """A metric's values by row of the table; None (with a reason) where a pair is left out."""

    value_a: list[float | None] = field(default_factory=list)
    value_b: list[float | None] = field(default_factory=list)
    n_tokens_a: list[int | None] = field(default_factory=list)
    n_tokens_b: list[int | None] = field(default_factory=list)
    reasons: list[str | None] = field(default_factory=list)

    def add(
        self,
        a: float | None,
        b: float | None,
        *,
        tokens: tuple[int | None, int | None] = (None, None),
        reason: str | None = None,
    ) -> None:
        """Append a row; a pair with a missing value or a reason has no value on either side."""
        out = reason or ("no-value" if a is None or b is None else None)
        self.value_a.append(None if out else a)
        self.value_b.append(None if out else b)
        self.n_tokens_a.append(tokens[0])
        self.n_tokens_b.append(tokens[1])
        self.reasons.append(out)

    def extend(self, other: PairValues) -> None:
        """Append the rows of `other`."""
        for name in ("value_a", "value_b", "n_tokens_a", "n_tokens_b", "reasons"):
            getattr(self, name).extend(getattr(other, name))


class Likelihoods:
    """A model's sentence scores, each text read once however many metrics ask for it."""

    def __init__(self, scorer: MaskedScorer) -> None:
        self.scorer = scorer
        self._known: dict[str, SentenceScore] = {}

    def forget(self) -> None:
        """Let go of the texts read so far, so that memory stays flat."""
        self._known.clear()

    def of(self, texts: Sequence[str]) -> list[SentenceScore]:
        """The scores of `texts`, in order."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            scores = self.scorer.aul(new, attention=True)
            self._known.update(zip(new, scores, strict=True))
        return [self._known[text] for text in texts]


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric: its name, what it measures (with the source), and how to value pairs.

    `values(table, likelihoods, options)` gives one row of `PairValues` for every row of the table.
    """

    name: str
    title: str
    source: str
    values: Callable[[pa.Table, Likelihoods, Mapping[str, Any]], PairValues]
