"""Whether sentences about an occupation are more like those with she than those with he.

Of every sentence and occupation there are two similarities, so the test is paired: were gender of
no matter, either could have been the other, and the difference she - he of a sentence could as well
have the other sign. The two-sided p is the share of sign patterns whose sum is as far from 0 as the
observed one. All patterns are made where they are few, else random ones, with the observed one
added to them (Phipson and Smyth 2010). One toss serves all occupations of a sentence, so that
their dependence is kept in what is said of all of them together.

Intervals are percentile bootstraps over sentences. Exchanging he and she exchanges every number
exactly: the same draws are made, and the ends of an interval are draws themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from curate.corrections import holm

__all__ = ["CONFIDENCE", "DRAWS", "LEVEL", "Comparison", "Overall", "Side", "compare_sides"]

CONFIDENCE = 0.95
LEVEL = 0.05
DRAWS = 9_999
_TOSSES = 40  # an occupation, at least: the smallest corrected p is then 1/40
_BATCH = 4_000_000  # numbers held at a time
_ROUNDING = 1e-12  # sums of the same numbers in another order differ by no more

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Side:
    """A mean with its interval; None where nothing was compared."""

    mean: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """An occupation: mean similarities with he and she, and their difference she - he.

    `n` sentences have both, in `n_tied` both are the same. `p_holm` is corrected over all
    occupations that were compared together.
    """

    he: Side = Side()
    she: Side = Side()
    difference: Side = Side()
    p: float | None = None
    p_holm: float | None = None
    n: int = 0
    n_tied: int = 0
    exact: bool = True
    permutations: int = 0
    draws: int = 0


@dataclass(frozen=True, slots=True)
class Overall:
    """The mean over occupations of |difference|, as figure 2 of the paper has it.

    It is never 0, for means of noise are not: `by_chance` is what it would be on average if the
    signs were tosses, and `p` how often tosses make it as large.
    """

    mean: Side
    by_chance: float | None
    p: float | None
    occupations: int
    significant: int


def compare_sides(
    he: Floats,
    she: Floats,
    *,
    groups: Mapping[str, Sequence[int]] | None = None,
    seed: int = 0,
    draws: int = DRAWS,
) -> tuple[list[Comparison], dict[str, Overall]]:
    """Compare (sentences, occupations) similarities with he and with she, NaN where there is none.

    `groups` names sets of columns for which an `Overall` is wanted; p values are corrected over
    all columns. The same seed gives the same numbers. More than `draws` tosses are made where the
    correction would leave no p under the level otherwise.
    """
    held = np.isfinite(he) & np.isfinite(she)
    sides = {"he": np.where(held, he, 0.0), "she": np.where(held, she, 0.0)}
    differences: Floats = sides["she"] - sides["he"]
    counts = held.sum(axis=0)
    wanted = groups or {}
    groups = {name: [at for at in places if counts[at]] for name, places in wanted.items()}
    groups = {name: places for name, places in groups.items() if places}
    tosses = max(draws, _TOSSES * len(counts) - 1)
    tossed = _toss(differences, counts, groups, seed=seed, draws=tosses)
    drawn = _bootstrap({**sides, "difference": differences}, held, groups, seed=seed, draws=draws)
    known = [at for at in range(len(counts)) if counts[at]]
    corrected = dict(zip(known, holm([tossed.p[at] for at in known]), strict=True))
    comparisons = [
        Comparison(
            he=_side(sides["he"], counts, drawn["he"], at),
            she=_side(sides["she"], counts, drawn["she"], at),
            difference=_side(differences, counts, drawn["difference"], at),
            p=tossed.p[at], p_holm=corrected[at], n=int(counts[at]),
            n_tied=int((held[:, at] & (differences[:, at] == 0)).sum()),
            exact=tossed.exact, permutations=tossed.made, draws=draws,
        ) if counts[at] else Comparison()
        for at in range(len(counts))
    ]  # fmt: skip
    overall = {name: Overall(Side(), None, None, 0, 0) for name in wanted}
    for name, columns in groups.items():
        draws_of = drawn[f"group {name}"][:, 0]
        overall[name] = _overall(comparisons, columns, draws_of, tossed.groups[name])
    return comparisons, overall


@dataclass(frozen=True, slots=True)
class _Tossed:
    """p of every column; of every group what chance makes of it, and p."""

    p: list[float]
    groups: dict[str, tuple[float, float]]
    made: int
    exact: bool


def _toss(
    differences: Floats,
    counts: NDArray[np.int64],
    groups: Mapping[str, Sequence[int]],
    *,
    seed: int,
    draws: int,
) -> _Tossed:
    observed = np.abs(differences.sum(axis=0))
    least = observed - _ROUNDING * np.abs(differences).sum(axis=0)
    size = np.maximum(counts, 1)
    exact = len(differences) < 60 and 2 ** len(differences) <= draws
    extreme = np.zeros(differences.shape[1], dtype=np.int64)
    wholes: dict[str, list[Floats]] = {name: [] for name in groups}
    for signs in _signs(len(differences), differences.shape[1], exact=exact, seed=seed, made=draws):
        sums = np.abs(signs @ differences)
        extreme += (sums >= least).sum(axis=0)
        for name, columns in groups.items():
            wholes[name].append((sums / size)[:, list(columns)].mean(axis=1))
    made = 2 ** len(differences) if exact else draws
    added = 0 if exact else 1
    chances = {}
    for name, columns in groups.items():
        whole = np.concatenate(wholes[name])
        seen = float((observed / size)[list(columns)].mean())
        beyond = int((whole >= seen * (1 - _ROUNDING)).sum())
        chances[name] = (float(whole.mean()), (beyond + added) / (made + added))
    p = [(int(count) + added) / (made + added) for count in extreme]
    return _Tossed(p, chances, made, exact)


def _signs(rows: int, columns: int, *, exact: bool, seed: int, made: int) -> Iterator[Floats]:
    """Batches of (batch, rows) signs, -1 or 1: all patterns, or `made` random ones."""
    random = np.random.default_rng(seed)
    total = 2**rows if exact else made
    size = max(1, _BATCH // max(rows, columns, 1))
    for start in range(0, total, size):
        many = min(size, total - start)
        if exact:
            patterns = np.arange(start, start + many)
            bits = patterns[:, None] >> np.arange(rows) & 1
        else:
            bits = random.integers(0, 2, (many, rows), dtype=np.int8)
        yield (2.0 * bits - 1.0).astype(np.float64)


def _bootstrap(
    values: Mapping[str, Floats],
    held: NDArray[np.bool_],
    groups: Mapping[str, Sequence[int]],
    *,
    seed: int,
    draws: int,
) -> dict[str, Floats]:
    """(draws, columns) means of each of `values` over drawn sentences, NaN where none has one.

    Also, for every group, (draws, 1) means over its columns of the difference, turned so that the
    observed one is positive: drawn |differences| would be larger than the observed, by their noise.
    """
    n = len(held)
    random = np.random.default_rng((seed, 1))  # apart from the tosses
    made: dict[str, list[Floats]] = {name: [] for name in values}
    size = max(1, _BATCH // max(held.shape[0], held.shape[1], 1))
    for start in range(0, draws, size):
        many = min(size, draws - start)
        weights = random.multinomial(n, np.full(n, 1 / n), size=many).astype(np.float64)
        below = weights @ held
        below[below == 0] = np.nan
        for name, cells in values.items():
            made[name].append((weights @ cells) / below)
    drawn = {name: np.concatenate(parts) for name, parts in made.items()}
    turned = np.sign(values["difference"].sum(axis=0))
    for name, columns in groups.items():
        places = list(columns)
        means = (drawn["difference"][:, places] * turned[places]).mean(axis=1, keepdims=True)
        drawn[f"group {name}"] = means
    return drawn


def _side(cells: Floats, counts: NDArray[np.int64], drawn: Floats, at: int) -> Side:
    low, high = _interval(drawn[:, at])
    return Side(float(cells[:, at].sum() / counts[at]), low, high)


def _interval(drawn: Floats) -> tuple[float | None, float | None]:
    """The percentile interval; its ends are draws, as far from either end. None without one."""
    ordered = np.sort(drawn)
    if not len(ordered) or np.isnan(ordered[-1]):
        return None, None
    tail = int((1 - CONFIDENCE) / 2 * (len(ordered) - 1))
    return float(ordered[tail]), float(ordered[-1 - tail])


def _overall(
    comparisons: Sequence[Comparison],
    columns: Sequence[int],
    drawn: Floats,
    chance: tuple[float, float],
) -> Overall:
    found = [comparisons[at] for at in columns]
    mean = sum(abs(one.difference.mean or 0.0) for one in found) / len(found)
    low, high = _interval(drawn)
    significant = sum((one.p_holm or 0.0) < LEVEL for one in found)
    return Overall(Side(mean, low, high), chance[0], chance[1], len(found), significant)
