"""What a metric is: a value for each side of a pair, and how the values of many pairs add up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Flag, auto
from typing import TYPE_CHECKING, Any, Literal, Protocol

import pyarrow as pa
from pydantic import BaseModel, ConfigDict

if TYPE_CHECKING:
    from curate.scoring.reading import PairReading

__all__ = [
    "CausalScorer",
    "Kind",
    "MaskedScorer",
    "Metric",
    "Need",
    "Options",
    "PairBatch",
    "PairValues",
    "Scorer",
    "pair_metric",
]

Kind = Literal["share", "mean", "rate", "weighted"]


class Need(Flag):
    """What a metric wants to know of a pair; the needs of several metrics are read in one pass."""

    NOTHING = 0
    SHARED = auto()
    """ln p of every shared token behind its own mask."""
    DIFFERING = auto()
    """ln p of the differing tokens of a side, all of them masked at once."""
    EVERY = auto()
    """ln p of every token behind its own mask."""
    WHOLE = auto()
    """ln p of every token with nothing masked."""
    ATTENTION = auto()
    """The attention to every token."""
    EMBEDDING = auto()
    """The mean of the last hidden layer over the tokens."""
    CAUSAL = auto()
    """ln p of every token given those on its left: another kind of model."""

    @property
    def masks(self) -> bool:
        """Whether tokens must be masked one by one, which costs a pass of the model each."""
        return bool(self & (Need.SHARED | Need.EVERY | Need.DIFFERING))


class Options(BaseModel):
    """How pairs are scored.

    `likelihood`: the A of SBM and MBE, ``aula`` or ``aul``. `masking`: ``token`` masks a token
    alone; ``within-word`` masks with it the later tokens of its word (Kauf and Ivanova 2023).
    `compat`: ``none``, or the rules of published code, ``nangia2020`` or ``kaneko2022``.
    `perturb`: ``none``, or ``last-character``, which is taken off every text.
    """

    model_config = ConfigDict(frozen=True)

    likelihood: Literal["aula", "aul"] = "aula"
    masking: Literal["token", "within-word"] = "token"
    compat: Literal["none", "nangia2020", "kaneko2022"] = "none"
    perturb: Literal["none", "last-character"] = "none"


class Scorer(Protocol):
    """A model with a name and a revision."""

    @property
    def name(self) -> str: ...
    @property
    def revision(self) -> str: ...


class MaskedScorer(Scorer, Protocol):
    """The part of `curate.models.masked.MaskedModel` that scoring needs."""

    @property
    def mask_id(self) -> int: ...
    def encode(self, texts: Sequence[str], *, words: bool) -> Sequence[Any]: ...
    def read(
        self, contexts: Sequence[Any], *, on_done: Callable[[int], None] | None
    ) -> Sequence[Any]: ...
    def sentences(
        self,
        bodies: Sequence[Any],
        *,
        attention: bool,
        embedding: bool,
    ) -> Sequence[Any]: ...
    def fill(
        self, contexts: Sequence[Any], *, k: int, candidates: Sequence[Sequence[str]] | None
    ) -> Sequence[Any]: ...


class CausalScorer(Scorer, Protocol):
    """The part of `curate.models.causal.CausalModel` that scoring needs."""

    def perplexity(self, texts: Sequence[str]) -> Sequence[Any]: ...


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


@dataclass
class PairBatch:
    """A stretch of the table with what was read of its pairs, one reading a row."""

    table: pa.Table
    readings: Sequence[PairReading]
    scorer: Any
    options: Options


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """A metric: its name, what its value says (with the source), and how to value pairs.

    `kind` says how pairs add up: ``share``, the percentage of pairs with side a preferred (50: no
    preference); ``mean``, the mean of value_a - value_b (0); ``rate``, tokens that count of all
    tokens of both sides, in percent; ``weighted``, a share over all pairs of a sentence of one
    side with a sentence of the other. Side a is preferred where its value is `preferred` (higher
    or lower). `error` says how the errors of single tokens add up in a value: as their sum or mean;
    ``none``: the value is not decided by the difference of its sides alone.
    `values(batch)` gives one row of `PairValues` for every row of the table.
    """

    name: str
    title: str
    source: str
    values: Callable[[PairBatch], PairValues]
    needs: Need = Need.NOTHING
    kind: Kind = "share"
    preferred: Literal["higher", "lower"] = "higher"
    unit: str = "percent"
    no_preference: float | None = 50.0
    error: Literal["sum", "mean", "none"] = "mean"
    settings: tuple[str, ...] = ()

    def needed(self, options: Options) -> Need:
        """What it needs with these options: of AULA and AUL only one looks at the attention."""
        if "likelihood" in self.settings and options.likelihood == "aul":
            return self.needs & ~Need.ATTENTION
        return self.needs


Sides = tuple[float, float, int, int]


def pair_metric(value: Callable[[PairReading, Options], Sides | str], **about: Any) -> Metric:
    """A metric valued by a pair's reading: (a, b, tokens of a, tokens of b), or a reason.

    A pair whose sides are the same tokens to the model has no value: it cannot tell them apart.
    """

    def values(batch: PairBatch) -> PairValues:
        found = PairValues()
        for reading in batch.readings:
            same = reading.same and batch.options.compat == "none"
            out = reading.refused or ("same-tokens" if same else value(reading, batch.options))
            if isinstance(out, str):
                found.add(None, None, reason=out)
            else:
                found.add(out[0], out[1], tokens=(out[2], out[3]))
        return found

    return Metric(values=values, **about)
