"""Polarity of a table in a model: values by sentence, their summaries, and what they go with."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from curate.errors import UsageError
from curate.occupations.polarity.contrasts import form_contrast, status_means
from curate.occupations.polarity.direction import DIRECTIONS, Stability, stability
from curate.occupations.polarity.related import Extrinsic, correlation_rows
from curate.occupations.polarity.resampling import CONFIDENCE
from curate.occupations.polarity.settings import Settings
from curate.occupations.polarity.significance import SAME, enough_permutations
from curate.occupations.polarity.summary import everyone, finite, summary_rows
from curate.occupations.polarity.values import MEASURES, Values, polarity_values
from curate.occupations.polarity.vectors import PRONOUNS, TableVectors

__all__ = ["Polarity", "measure_polarity"]


@dataclass(frozen=True)
class Polarity:
    """Rows for the tables (`polarity.tables`) and, in `about`, what is said of all of them."""

    values: list[dict[str, Any]]
    stability: list[dict[str, Any]]
    summary: list[dict[str, Any]]
    correlations: list[dict[str, Any]]
    drops: list[dict[str, Any]]
    about: dict[str, Any]


def measure_polarity(
    vectors: TableVectors, settings: Settings, *, extrinsic: Extrinsic | None = None
) -> Polarity:
    """Measure the polarity of every occupation of `vectors`.

    Katsarou et al. (2022), section 3.2; what is added to it stands in `values` and `placebo`. The
    same vectors and settings give the same rows. Where `settings.permutations` are too few for any
    word to be significant after correction, more are made; `about` says how many.
    """
    if settings.direction not in DIRECTIONS:
        raise UsageError(
            f"unknown direction {settings.direction!r}", hint=f"one of {', '.join(DIRECTIONS)}"
        )
    flips = enough_permutations(settings.permutations, words=len(vectors.subjects))
    settings = replace(settings, permutations=flips)
    values = polarity_values(vectors, direction=settings.direction)
    steady = stability(vectors.he, vectors.she)
    summary = summary_rows(vectors, values, settings)
    about = {
        **asdict(settings),
        "lang": vectors.lang,
        "confidence": CONFIDENCE,
        "n": len(vectors.sentences),
        "subjects": len(vectors.subjects),
        "dropped": dict(sorted(Counter(drop["code"] for drop in vectors.drops).items())),
        "stability": _described(steady),
        "forms": form_contrast(vectors, values, settings),
        "status": status_means(summary, settings),
        "one_vector": _one_vector(vectors),
        "related": {"share_women": {"": _shares(vectors)}, "similarity": dict(extrinsic or {})},
    }
    return Polarity(
        values=_value_rows(vectors, values),
        stability=_stability_rows(vectors, steady),
        summary=summary,
        correlations=correlation_rows(summary, settings, extrinsic or {}),
        drops=vectors.drops,
        about=about,
    )


def _value_rows(vectors: TableVectors, values: Values) -> list[dict[str, Any]]:
    rows = []
    for at, (kind, subject) in enumerate(everyone(vectors)):
        for place, (sent_id, row) in enumerate(vectors.sentences):
            own = {measure: finite(values.of(measure)[at, place]) for measure in MEASURES}
            if all(value is None for value in own.values()):
                continue
            tokens = int(vectors.tokens[at - len(PRONOUNS), place]) if kind == "occupation" else 0
            rows.append(
                {
                    "sent_id": sent_id, "row": row, "lang": vectors.lang, "kind": kind,
                    "occupation": subject.occupation, "form": subject.form,
                    "column": subject.column, "n_tokens": tokens, **own,
                }
            )  # fmt: skip
    return rows


def _stability_rows(vectors: TableVectors, steady: Stability) -> list[dict[str, Any]]:
    return [
        {"sent_id": sent_id, "row": row}
        | {name: finite(values[at]) for name, values in vars(steady).items()}
        for at, (sent_id, row) in enumerate(vectors.sentences)
    ]


def _described(steady: Stability) -> dict[str, dict[str, float | None]]:
    """Mean, standard deviation (n - 1), and quartiles of each measure of stability."""
    found: dict[str, dict[str, float | None]] = {}
    for name, values in vars(steady).items():
        known = values[np.isfinite(values)]
        if not len(known):
            found[name] = {"mean": None, "std": None}
            continue
        least, first, median, third, most = np.percentile(known, (0, 25, 50, 75, 100))
        found[name] = {
            "mean": float(known.mean()), "std": float(known.std(ddof=1)),
            "min": float(least), "first_quartile": float(first), "median": float(median),
            "third_quartile": float(third), "max": float(most),
        }  # fmt: skip
    return found


def _shares(vectors: TableVectors) -> dict[str, float]:
    return {one.column: one.share_women for one in vectors.subjects if one.share_women is not None}


def _one_vector(vectors: TableVectors) -> bool:
    """Whether he, and she, have one vector throughout: nothing of the sentence reaches them."""
    return all(
        float(np.ptp(own, axis=0).max()) <= SAME * (1 + float(np.abs(own).max())) * 10
        for own in (vectors.he, vectors.she)
    )
