"""How far the people who judged agree, as the manifest holds it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["AlphaFacts", "alpha_facts"]


@dataclass(frozen=True)
class AlphaFacts:
    """Krippendorff's alpha of one field, of all people, with its interval and what it rests on.

    `value` is None where it is undefined; `note` then says why. `units` are tasks that two people
    or more answered, `coders` the people.
    """

    lang: str
    stage: str
    field: str
    value: float | None
    low: float | None
    high: float | None
    confidence: float
    units: int
    coders: int
    note: str


def alpha_facts(entry: Mapping[str, Any] | None) -> tuple[AlphaFacts, ...]:
    """The records of all people (no two pseudonyms are named on a card) of the figures that
    `curate translate reliability --json` gives."""
    records = (entry or {}).get("agreement") or ()
    return tuple(_fact(one) for one in records if not one.get("people"))


def _fact(record: Mapping[str, Any]) -> AlphaFacts:
    alpha = record.get("alpha") or {}
    value, low, high = (alpha.get(key) for key in ("value", "ci_low", "ci_high"))
    return AlphaFacts(
        lang=str(record.get("lang", "")),
        stage=str(record.get("stage", "")),
        field=str(record.get("field", "")),
        value=None if value is None else float(value),
        low=None if low is None else float(low),
        high=None if high is None else float(high),
        confidence=float(alpha.get("confidence") or 0.95),
        units=int(alpha.get("units") or 0),
        coders=int(alpha.get("coders") or 0),
        note=str(alpha.get("note") or ""),
    )
