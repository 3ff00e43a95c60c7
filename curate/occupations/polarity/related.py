"""Mean polarities beside what else is known of the occupations, as rows of a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curate.occupations.polarity.correlations import LEAST, correlate
from curate.occupations.polarity.settings import Settings

__all__ = ["Extrinsic", "correlation_rows"]

Floats = NDArray[np.float64]

Extrinsic = Mapping[str, Mapping[str, float]]
"""For every source, a column of the table and its difference of mean similarities, she - he."""

_MEASURES = ("polarity", "centred")  # from_midpoint is polarity less a constant
_KINDS = ("spearman", "pearson")
_ALL = "all"


def correlation_rows(
    summary: Sequence[Mapping[str, Any]], settings: Settings, extrinsic: Extrinsic
) -> list[dict[str, Any]]:
    """Rows of `tables.CORRELATIONS`, of all occupations and, where there are several, of each form.

    With the share of women among those who work so, and with every source of `extrinsic`.
    """
    rows = []
    for measure in _MEASURES:
        own = [r for r in summary if r["measure"] == measure and r["kind"] == "occupation"]
        forms = sorted({row["form"] for row in own})
        for form in [_ALL, *(forms if len(forms) > 1 else [])]:
            chosen = [row for row in own if form in {_ALL, row["form"]}]
            for (against, source), other in _sides(chosen, extrinsic).items():
                about = {"measure": measure, "against": against, "source": source, "form": form}
                rows += [about | row for row in _pair(chosen, other, settings)]
    return rows


def _sides(
    rows: Sequence[Mapping[str, Any]], extrinsic: Extrinsic
) -> dict[tuple[str, str], Floats]:
    """By (against, source), a number for every row."""
    sides = {("share_women", ""): _floats(row["share_women"] for row in rows)}
    for source, differences in extrinsic.items():
        sides["similarity", source] = _floats(differences.get(row["column"]) for row in rows)
    return sides


def _pair(
    rows: Sequence[Mapping[str, Any]], other: Floats, settings: Settings
) -> list[dict[str, Any]]:
    means = _floats(row["mean"] for row in rows)
    if int(np.isfinite(means + other).sum()) < LEAST:
        return []
    found = []
    for kind in _KINDS:
        one = correlate(
            means, other, kind=kind, resamples=settings.resamples,
            permutations=settings.permutations, seed=settings.seed,
        )  # fmt: skip
        found.append(
            {
                "kind": kind, "n": one.n, "value": one.value, "ci_low": one.low,
                "ci_high": one.high, "p": one.p, "seed": settings.seed,
            }
        )  # fmt: skip
    return found


def _floats(values: Iterable[float | None]) -> Floats:
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
