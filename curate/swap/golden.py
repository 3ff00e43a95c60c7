"""Run a lexicon's golden sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from curate.lexicon import Lexicon
from curate.lexicon.model import GoldenRow
from curate.swap.swapper import Swapper

__all__ = ["GoldenFailure", "golden_failures"]


@dataclass(frozen=True, slots=True)
class GoldenFailure:
    row: GoldenRow
    got: str
    detail: str


def golden_failures(lexicon: Lexicon, swapper: Swapper | None = None) -> Iterator[GoldenFailure]:
    """Golden rows whose outcome is not the expected text or refusal code."""
    swapper = swapper or Swapper(lexicon)
    for row in lexicon.golden:
        result = swapper.swap(row.sentence, to=row.direction)
        got = f"REFUSE:{result.refused}" if result.refused else (result.counterpart or "")
        if got != row.expected:
            yield GoldenFailure(row, got, result.detail)
