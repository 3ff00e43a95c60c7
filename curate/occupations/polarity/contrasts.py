"""Groups of occupations beside each other: feminine and masculine forms, high and low status.

Feminine forms ought to lie nearer to she than masculine ones, for they are said of women: where
they do not, the direction that he and she give is not that of gender, or a word's vector does not
hold it. By status (the major group of ISCO-08): Katsarou et al. (2022), section 5, find occupations
of higher status nearer to he.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curate.occupations.polarity.resampling import bounds
from curate.occupations.polarity.settings import Settings
from curate.occupations.polarity.significance import sign_flip_tests
from curate.occupations.polarity.values import Values
from curate.occupations.polarity.vectors import PRONOUNS, TableVectors

__all__ = ["form_contrast", "status_means"]


def form_contrast(
    vectors: TableVectors, values: Values, settings: Settings
) -> dict[str, Any] | None:
    """The mean over occupations of centred polarity, feminine form less masculine; None without.

    The forms of an occupation are compared in the sentences that have a value of both. ``n``
    occupations have such sentences, ``towards_she`` of them lie on the expected side; interval and
    sign-flip test are over occupations.
    """
    forms: dict[str, dict[str, NDArray[np.float64]]] = {"feminine": {}, "masculine": {}}
    for subject, own in zip(vectors.subjects, values.centred[len(PRONOUNS) :], strict=True):
        if subject.form in forms:
            forms[subject.form][subject.occupation] = own
    apart = [
        forms["feminine"][name] - forms["masculine"][name]
        for name in forms["feminine"]
        if name in forms["masculine"]
    ]
    found = np.array([one[np.isfinite(one)].mean() for one in apart if np.isfinite(one).any()])
    if len(found) < 2:
        return None
    low, high = _interval(found, settings)
    p = sign_flip_tests(found[None], permutations=settings.permutations, seed=settings.seed)[0]
    return {
        "n": len(found), "towards_she": int((found > 0).sum()), "mean": float(found.mean()),
        "ci_low": low, "ci_high": high, "p": p,
    }  # fmt: skip


def status_means(
    summary: Sequence[Mapping[str, Any]], settings: Settings
) -> dict[str, dict[str, Any]]:
    """The mean centred polarity of the occupations of each status, their number and an interval.

    A form of an occupation counts as one; those whose status is not known stay out.
    """
    groups: dict[str, list[float]] = {}
    for row in summary:
        if row["measure"] == "centred" and row["status"] and row["mean"] is not None:
            groups.setdefault(row["status"], []).append(row["mean"])
    found = {}
    for status, values in sorted(groups.items()):
        low, high = _interval(np.array(values), settings)
        mean = float(np.mean(values))
        found[status] = {"n": len(values), "mean": mean, "ci_low": low, "ci_high": high}
    return found


def _interval(values: NDArray[np.float64], settings: Settings) -> tuple[float, float]:
    """Percentile bounds of the mean over occupations, drawn anew."""
    random = np.random.default_rng(settings.seed)
    drawn = random.integers(0, len(values), size=(settings.resamples, len(values)))
    return bounds(values[drawn].mean(axis=1))
