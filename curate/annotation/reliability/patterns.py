"""Units by the values that people gave them, counted so that many samples are cheap.

Krippendorff's coincidences need no pairs of values to be listed: of a unit it is enough to know how
often each category was given, and how far the categories are apart.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from curate.errors import UsageError

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["Distance", "Floats", "Patterns", "Values", "gather", "with_two_more"]

_FEW = 50  # categories whose pairs are told apart; more are texts, each nearly its own category

Floats = NDArray[np.float64]
Values = Sequence[Sequence[Hashable | None]]
"""Units by coders; None (or NaN) where a coder gave none."""
Distance = Literal["nominal"] | Callable[[Any, Any], float]
"""How far two different categories are apart, 0 or more, symmetric; used as it is, not squared."""


@dataclass(frozen=True, slots=True)
class Patterns:
    """Units with the same values, gathered: what one of them adds, and how many there are.

    `counts` (patterns, categories): values of each category; `sizes` (patterns,): values;
    `observed` (patterns,): disagreement over the values of the unit; `times` (patterns,): units;
    `deltas` (categories, categories): distances, or None where all differ by 1.
    """

    counts: csr_array
    sizes: Floats
    observed: Floats
    times: Floats
    deltas: Floats | None
    coders: int

    def alphas(self, weights: Floats) -> Floats:
        """(draws,) alphas of (draws, patterns) numbers of units; NaN where it is undefined."""
        total = weights @ self.sizes
        by_category = (self.counts.T @ weights.T).T
        if self.deltas is None:
            expected = total**2 - (by_category**2).sum(axis=1)
        else:
            expected = ((by_category @ self.deltas) * by_category).sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = (total - 1) * (weights @ self.observed) / expected
        found: Floats = np.where(expected > 0, 1 - ratio, np.nan)
        return found


def gather(values: Values, distance: Distance) -> Patterns | None:
    """The pairable units by their values; None where no unit has two.

    Patterns are numbered as they come and categories by the units they are in, so that neither the
    names of the categories nor the order of the coders changes a draw.
    """
    units = [[_no_gap(value) for value in row] for row in values]
    units = [row for row in units if sum(value is not None for value in row) > 1]
    if not units:
        return None
    counted = [Counter(value for value in row if value is not None) for row in units]
    numbers = _numbers(counted)
    held = ([(numbers[value], n) for value, n in unit.items()] for unit in counted)
    tally = Counter(tuple(sorted(cells)) for cells in held)
    counts = _matrix(tally, len(numbers))
    deltas = None if distance == "nominal" else _deltas(list(numbers), distance)
    return _measured(
        counts,
        times=np.array(list(tally.values()), dtype=np.float64),
        deltas=deltas,
        coders=len({at for row in units for at, value in enumerate(row) if value is not None}),
    )


def with_two_more(patterns: Patterns) -> Patterns:
    """The units, and two that nobody saw: one that agrees and one that disagrees.

    Each is shared out evenly, over the categories and over their pairs: `times` are no longer whole
    numbers. Of many categories the even shares stand in one pattern each.
    """
    categories = patterns.counts.shape[1]
    if categories > _FEW:
        return _joined(patterns, *_even(patterns))
    pairs = list(combinations(range(categories), 2))
    more: list[tuple[tuple[int, int], ...]] = [((at, 2),) for at in range(categories)]
    more += [((one, 1), (other, 1)) for one, other in pairs]
    times = [1 / categories] * categories + [1 / len(pairs)] * len(pairs)
    added = _measured(
        _matrix(more, categories), times=np.array(times), deltas=patterns.deltas, coders=2
    )
    return _joined(patterns, added.counts, added.observed, added.times)


def _even(patterns: Patterns) -> tuple[csr_array, Floats, Floats]:
    """Counts, disagreement and number of a unit that agrees and of one that does not."""
    from scipy.sparse import csr_array

    categories = patterns.counts.shape[1]
    pairs = categories * (categories - 1)
    mean = 1.0 if patterns.deltas is None else float(patterns.deltas.sum()) / pairs
    counts = csr_array(np.full((2, categories), 2 / categories))
    return counts, np.array([0.0, 2 * mean]), np.ones(2)


def _joined(patterns: Patterns, counts: csr_array, observed: Floats, times: Floats) -> Patterns:
    from scipy.sparse import csr_array, vstack

    return replace(
        patterns,
        counts=csr_array(vstack([patterns.counts, counts])),
        sizes=np.append(patterns.sizes, np.full(len(times), 2.0)),
        observed=np.append(patterns.observed, observed),
        times=np.append(patterns.times, times),
    )


def _measured(counts: csr_array, *, times: Floats, deltas: Floats | None, coders: int) -> Patterns:
    """`observed`: the sum of the distances between the values of a unit, over its values - 1."""
    sizes = np.asarray(counts.sum(axis=1), dtype=np.float64)
    if deltas is None:
        apart = sizes**2 - np.asarray((counts * counts).sum(axis=1))
    else:
        apart = np.asarray(((counts @ deltas) * counts.toarray()).sum(axis=1))
    return Patterns(counts, sizes, apart / (sizes - 1), times, deltas, coders)


def _numbers(counted: list[Counter[Hashable]]) -> dict[Hashable, int]:
    """Numbers of the categories; two that nothing tells apart are in the same units as often."""
    places: dict[Hashable, list[tuple[int, int]]] = defaultdict(list)
    for at, unit in enumerate(counted):
        for value, n in unit.items():
            places[value].append((at, n))
    return {value: at for at, value in enumerate(sorted(places, key=places.__getitem__))}


def _matrix(patterns: Iterable[tuple[tuple[int, int], ...]], categories: int) -> csr_array:
    """(patterns, categories) counts; sparse, since most texts are a category of their own."""
    from scipy.sparse import csr_array

    held = list(patterns)
    cells = [(at, *cell) for at, pattern in enumerate(held) for cell in pattern]
    places, columns, counts = (np.array(part) for part in zip(*cells, strict=True))
    shape = (len(held), categories)
    return csr_array((counts.astype(np.float64), (places, columns)), shape=shape)


def _no_gap(value: Hashable | None) -> Hashable | None:
    return None if isinstance(value, float) and math.isnan(value) else value


def _deltas(categories: list[Hashable], distance: Distance) -> Floats:
    if isinstance(distance, str):
        raise UsageError(f"no distance is called {distance!r}", hint="nominal, or a function")
    found = np.zeros((len(categories), len(categories)))
    for row, first in enumerate(categories):
        for column, second in enumerate(categories[:row]):
            found[row, column] = found[column, row] = distance(first, second)
    if not (found >= 0).all():
        raise ValueError("a distance is 0 or more")
    return found
