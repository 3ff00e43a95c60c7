"""Reliability as rows: for tables that are read, and for one long table that programs read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from curate.annotation.reliability import Reliability
from curate.annotation.reliability.agreement import FieldAgreement
from curate.annotation.reliability.alpha import Alpha
from curate.annotation.reliability.corrections import Corrections
from curate.annotation.reliability.fields import ALL
from curate.annotation.reliability.share import Share
from curate.annotation.reliability.verdicts import Verdicts

__all__ = [
    "AGREEMENT_HEADER",
    "CORRECTION_HEADER",
    "MEASURE_COLUMNS",
    "VERDICT_HEADER",
    "agreement_rows",
    "correction_rows",
    "measure_rows",
    "notes",
    "verdict_rows",
]

AGREEMENT_HEADER = ("lang", "field", "people", "agreement %", "tasks", "alpha")
VERDICT_HEADER = (
    "lang", "people", "verdicts", "accepted %", "revised %", "rejected %", "outcome alpha",
)  # fmt: skip
CORRECTION_HEADER = (
    "lang", "all", "corrected", "right as it is", "could not: meaning", "could not: grammar",
    "could not: culture", "people differ", "still open",
)  # fmt: skip
MEASURE_COLUMNS = (
    "table", "lang", "stage", "field", "people", "measure", "value", "ci_low", "ci_high", "n",
    "n_values", "n_coders", "n_categories", "draws", "seed", "confidence",
    "method", "note",
)  # fmt: skip
"""Columns of the long table. `n` counts units, verdicts or pairs; shares are in percent."""


def agreement_rows(found: Sequence[FieldAgreement]) -> list[tuple[str, ...]]:
    """Rows under `AGREEMENT_HEADER`; tasks are those on which two people filled in the field."""
    return [
        (
            _lang(one.lang),
            one.field,
            ", ".join(one.people) or "all",
            _percent(one.agreement),
            f"{one.agreement.n:,}",
            _value(one.alpha),
        )
        for one in found
    ]


def verdict_rows(found: Sequence[Verdicts]) -> list[tuple[str, ...]]:
    """Rows under `VERDICT_HEADER`; people are the translator, then the validator."""
    return [
        (
            _lang(one.lang),
            ", ".join(filter(None, (one.translator, one.validator))) or "all",
            f"{one.n:,}",
            *map(_percent, (one.accepted, one.revised, one.rejected)),
            _value(one.outcome_alpha).partition(" ")[0],  # its interval finds no room on a line
        )
        for one in found
    ]


def correction_rows(found: Sequence[Corrections]) -> list[tuple[str, ...]]:
    """Rows under `CORRECTION_HEADER`: Table 2 of Fort et al. (2024), a row a language."""
    rows = []
    for one in found:
        counts = [number for name, number in one.as_json().items() if name != "lang"]
        rows.append((_lang(one.lang), *(f"{number:,}" for number in counts)))
    return rows


def notes(found: Reliability) -> list[str]:
    """What the tables must not leave unsaid: why a value or an interval is missing."""
    said = [
        f"{_lang(one.lang)}, {one.stage}, {one.field}: {one.alpha.note}"
        for one in found.agreement
        if one.alpha.note and not one.people
    ]
    own = sum(one.own for one in found.verdicts if not one.translator and one.lang != ALL)
    if own:
        said.append(f"{own:,} verdicts on the validator's own translation do not count")
    return said


def measure_rows(found: Reliability) -> list[dict[str, str]]:
    """A row a measure, under `MEASURE_COLUMNS`; empty cells where a measure has no such thing."""
    rows = [*_agreement(found), *_verdicts(found), *_corrections(found)]
    return [{name: _cell(row.get(name)) for name in MEASURE_COLUMNS} for row in rows]


def _agreement(found: Reliability) -> Iterator[dict[str, Any]]:
    for one in found.agreement:
        about = {
            "table": "agreement", "lang": one.lang, "stage": one.stage, "field": one.field,
            "people": " ".join(one.people),
        }  # fmt: skip
        yield about | {"measure": "percentage agreement"} | _of_share(one.agreement)
        yield about | {"measure": f"alpha ({one.distance})"} | _of_alpha(one.alpha)


def _verdicts(found: Reliability) -> Iterator[dict[str, Any]]:
    for one in found.verdicts:
        people = f"{one.translator} {one.validator}".strip()
        about = {"table": "verdicts", "lang": one.lang, "stage": "validate", "people": people}
        for name, share in (
            ("accepted", one.accepted), ("revised", one.revised), ("rejected", one.rejected)
        ):  # fmt: skip
            yield about | {"field": "verdict", "measure": name} | _of_share(share)
        about["field"] = "outcome"
        yield about | {"measure": "percentage agreement"} | _of_share(one.outcome_agreement)
        yield about | {"measure": "alpha (nominal)"} | _of_alpha(one.outcome_alpha)


def _corrections(found: Reliability) -> Iterator[dict[str, Any]]:
    for one in found.corrections:
        for name, number in one.as_json().items():
            if name != "lang":
                about = {"table": "corrections", "lang": one.lang, "stage": "correct"}
                yield about | {
                    "field": "response", "measure": name, "value": number, "n": one.total,
                }  # fmt: skip


def _of_share(share: Share) -> dict[str, Any]:
    return {
        "value": share.percent, "ci_low": share.ci_low, "ci_high": share.ci_high, "n": share.n,
        "confidence": share.confidence, "method": share.method,
    }  # fmt: skip


def _of_alpha(alpha: Alpha) -> dict[str, Any]:
    return {
        "value": alpha.value, "ci_low": alpha.ci_low, "ci_high": alpha.ci_high, "n": alpha.units,
        "n_values": alpha.values, "n_coders": alpha.coders, "n_categories": alpha.categories,
        "draws": alpha.draws, "seed": alpha.seed,
        "confidence": alpha.confidence, "method": alpha.method, "note": alpha.note,
    }  # fmt: skip


def _lang(lang: str) -> str:
    return "all" if lang == ALL else lang


def _cell(value: Any) -> str:
    return "" if value is None else str(value)


def _percent(share: Share) -> str:
    if share.percent is None:
        return "none"
    return f"{share.percent:.1f} ({share.ci_low:.0f}–{share.ci_high:.0f})"


def _value(alpha: Alpha) -> str:
    if alpha.value is None:
        return "none"
    # rounding leaves no minus before a zero
    value, low, high = (
        f"{end:.2f}".replace("-0.00", "0.00")
        for end in (alpha.value, alpha.ci_low, alpha.ci_high)
        if end is not None
    )
    return f"{value} ({low}, {high})"
