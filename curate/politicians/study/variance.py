"""Analysis of variance of words' sentiment over models and languages (the paper's Tables 5, 8).

Every one of a model's largest-deviation words is an observation, whether it has a sentiment the
outcome, and the model's architecture, size and language are the factors. Effects are main effects;
each coefficient is the difference from the factor's first level, p is that of the factor, given the
others (type II).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curate.politicians.study.extras import optional

__all__ = ["Effect", "analyse_variance"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Effect:
    """A level's difference from the baseline of its factor, or the intercept (factor "").

    `n` observations have the level. `p` is the level's own (t test), `factor_p` the whole factor's
    (F test, type II); None where there is none. `baseline`: this level is the one compared with.
    """

    factor: str
    level: str
    value: float
    low: float | None
    high: float | None
    p: float | None
    factor_p: float | None
    n: int
    baseline: bool = False


def analyse_variance(
    outcome: Sequence[float] | Floats,
    factors: Mapping[str, Sequence[str]],
    *,
    confidence: float = 0.95,
) -> list[Effect]:
    """Effects of `factors` on (observations,) outcomes: the intercept, then level after level.

    A factor with one level is left out; where none has two, only the intercept is there. Levels are
    in order of name. Where one factor's levels tell another's (every architecture in one size), the
    data cannot part them: the coefficients are then the shortest solution, without intervals and p.
    """
    api = optional("statsmodels.api", package="statsmodels")
    values = np.asarray(outcome, dtype=np.float64)
    used = {name: list(levels) for name, levels in factors.items() if len(set(levels)) > 1}
    design, columns = _design(len(values), used)
    fit = _Fit(api, values, design, confidence)
    effects = [fit.effect(0, "", "", len(values), None)]
    for name, levels in used.items():
        factor_p = _factor_p(api, values, used, name) if fit.whole else None
        counts = {level: levels.count(level) for level in sorted(set(levels))}
        first = next(iter(counts))
        effects.append(
            Effect(name, first, 0.0, None, None, None, factor_p, counts[first], baseline=True)
        )
        for level in list(counts)[1:]:
            effects.append(fit.effect(columns[name, level], name, level, counts[level], factor_p))
    return effects


class _Fit:
    """Least squares; `whole`: every coefficient has a value of its own, and an error."""

    def __init__(self, api: Any, values: Floats, design: Floats, confidence: float) -> None:
        rank = np.linalg.matrix_rank(design)
        self.whole = bool(rank == design.shape[1] < len(values))
        if not self.whole:
            self._values = np.linalg.lstsq(design, values)[0]
            return
        fitted = api.OLS(values, design).fit()
        self._values, self._p = fitted.params, fitted.pvalues
        self._bounds = fitted.conf_int(alpha=1 - confidence)

    def effect(self, at: int, *said: Any) -> Effect:
        """The effect of a column; `said` are its factor, level, n and the factor's p."""
        factor, level, n, factor_p = said
        value = float(self._values[at])
        if not self.whole:
            return Effect(factor, level, value, None, None, None, factor_p, n)
        low, high = (float(bound) for bound in self._bounds[at])
        return Effect(factor, level, value, low, high, float(self._p[at]), factor_p, n)


def _design(size: int, factors: Mapping[str, list[str]]) -> tuple[Floats, dict[Any, int]]:
    """Treatment coding: a column of ones, then one for every level but the first."""
    columns: dict[Any, int] = {}
    parts: list[Any] = [np.ones(size)]
    for name, levels in factors.items():
        for level in sorted(set(levels))[1:]:
            columns[name, level] = len(parts)
            parts.append(np.array([one == level for one in levels], dtype=np.float64))
    return np.column_stack(parts), columns


def _factor_p(
    api: Any, values: Floats, factors: Mapping[str, list[str]], name: str
) -> float | None:
    """The F test of the model with the factor against the one without it."""
    design, _ = _design(len(values), factors)
    rest, _ = _design(len(values), {key: own for key, own in factors.items() if key != name})
    fitted = api.OLS(values, design).fit()
    if fitted.ssr <= 0:
        return None
    _, p, _ = fitted.compare_f_test(api.OLS(values, rest).fit())
    return float(p)
