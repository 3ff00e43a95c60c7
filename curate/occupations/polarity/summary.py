"""One row a word and measure: mean over sentences, spread, interval, and chances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curate.occupations.polarity.placebo import placebo_reach
from curate.occupations.polarity.resampling import mean_intervals
from curate.occupations.polarity.settings import Settings
from curate.occupations.polarity.significance import corrected, sign_flip_tests
from curate.occupations.polarity.values import MEASURES, TESTED, Values
from curate.occupations.polarity.vectors import PRONOUNS, Subject, TableVectors

__all__ = ["everyone", "finite", "summary_rows"]

Floats = NDArray[np.float64]
Chances = Sequence[float | None]

_FORMS = dict(zip(PRONOUNS, ("masculine", "feminine"), strict=True))


def everyone(vectors: TableVectors) -> list[tuple[str, Subject]]:
    """(kind, subject) of each row of the values: he, she, then the occupations."""
    pronouns = [("pronoun", Subject(name, name, form, "", None)) for name, form in _FORMS.items()]
    return [*pronouns, *(("occupation", subject) for subject in vectors.subjects)]


def finite(value: float) -> float | None:
    """The value as a plain number; None for NaN and infinities."""
    return float(value) if np.isfinite(value) else None


@dataclass(frozen=True)
class _Tests:
    """Chances of the occupations, in order."""

    p: Chances
    p_holm: Chances
    p_placebo: Chances


def summary_rows(vectors: TableVectors, values: Values, settings: Settings) -> list[dict[str, Any]]:
    """Rows of `tables.SUMMARY`: by measure he, she and the occupations in the table's order."""
    ends = mean_intervals(
        vectors, direction=settings.direction, resamples=settings.resamples, seed=settings.seed
    )
    fixed = {
        "lang": vectors.lang, "model": settings.model, "revision": settings.revision,
        "layer": settings.layer, "seed": settings.seed,
    }  # fmt: skip
    rows = []
    for measure in MEASURES:
        own = values.of(measure)
        tests = _tests(vectors, own[len(PRONOUNS) :], measure, settings)
        for at, (kind, subject) in enumerate(everyone(vectors)):
            place = at - len(PRONOUNS)
            chances: dict[str, float | None] = {
                name: found[place] if place >= 0 else None for name, found in vars(tests).items()
            }
            interval = {
                "ci_low": finite(ends[measure].low[at]), "ci_high": finite(ends[measure].high[at])
            }  # fmt: skip
            row = {"measure": measure, "kind": kind, **asdict(subject), **_moments(own[at])}
            rows.append(row | interval | chances | fixed)
    return rows


def _moments(values: Floats) -> dict[str, Any]:
    """n, what is missing, mean, standard deviation (n - 1) and median of a word's values."""
    known = values[np.isfinite(values)]
    return {
        "n": len(known),
        "n_dropped": len(values) - len(known),
        "mean": float(known.mean()) if len(known) else None,
        "std": float(known.std(ddof=1)) if len(known) > 1 else None,
        "median": float(np.median(known)) if len(known) else None,
    }


def _tests(vectors: TableVectors, own: Floats, measure: str, settings: Settings) -> _Tests:
    none: Chances = [None] * len(own)
    if measure not in TESTED:
        return _Tests(none, none, none)
    p = sign_flip_tests(own, permutations=settings.permutations, seed=settings.seed)
    placebo: Chances = none
    if measure == "centred":
        means = np.array(
            [row[np.isfinite(row)].mean() if np.isfinite(row).any() else np.nan for row in own]
        )
        placebo = placebo_reach(vectors, means, direction=settings.direction, seed=settings.seed).p
    return _Tests(p, corrected(p), placebo)
