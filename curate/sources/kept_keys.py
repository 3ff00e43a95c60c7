"""Which of the kept texts share a key with others, at eight bytes a key."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from curate.sources.signatures import KEY_BITS

__all__ = ["KeptKeys"]

_NUMBER_BITS = np.uint64(64 - KEY_BITS)
_NUMBERS = np.uint64((1 << (64 - KEY_BITS)) - 1)

Entries = NDArray[np.uint64]


class KeptKeys:
    """Keys of numbered texts, as sorted arrays of falling length (a log-structured merge).

    An entry is a key with the number of its text below it. Every array holds the numbers between
    those of its neighbours, so that the first texts of a key are found first; of one key only the
    first `most` texts are ever found.
    """

    def __init__(self, *, most: int) -> None:
        self._most = most
        self._levels: list[Entries] = []

    def look_up(
        self, keys: NDArray[np.uint64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Rows of `keys` (n, bands) beside numbers of texts that share a key with them, (p,) each.

        Sorted by row, then number, without repetition; with it how many each key found, (n, bands).
        """
        n, bands = keys.shape
        order = np.argsort(keys.ravel())
        wanted = keys.ravel()[order] << _NUMBER_BITS
        rows = order // bands if bands else order
        count = np.zeros(len(wanted), dtype=np.int64)
        pairs = [np.zeros(0, dtype=np.uint64)]
        for level in self._levels:
            begin = np.searchsorted(level, wanted)
            hit = np.flatnonzero(_matches(level, begin, wanted) & (count < self._most))
            begin = begin[hit]
            end = np.searchsorted(level, wanted[hit] | _NUMBERS, side="right")
            taken = np.minimum(end - begin, self._most - count[hit])
            count[hit] += taken
            numbers = level[_ranges(begin, taken)] & _NUMBERS
            pairs.append(np.repeat(rows[hit].astype(np.uint64), taken) << _NUMBER_BITS | numbers)
        found = np.unique(np.concatenate(pairs))
        counts = np.empty_like(count)
        counts[order] = count
        texts = (found >> _NUMBER_BITS).astype(np.int64)
        return texts, (found & _NUMBERS).astype(np.int64), counts.reshape(n, bands)

    def add(self, keys: NDArray[np.uint64], first: int) -> None:
        """Add the keys (n, bands) of the texts numbered from `first` on, after all before."""
        n, bands = keys.shape
        if not n:
            return
        numbers = np.repeat(np.arange(first, first + n, dtype=np.uint64), bands)
        entries = np.sort(keys.ravel() << _NUMBER_BITS | numbers)
        while self._levels and len(self._levels[-1]) <= 2 * len(entries):
            # both are sorted: the stable sort only merges them
            entries = np.sort(np.concatenate([self._levels.pop(), entries]), kind="stable")
        self._levels.append(entries)


def _matches(level: Entries, begin: NDArray[np.intp], wanted: Entries) -> NDArray[np.bool_]:
    """Whether there is an entry of the wanted key where it would begin."""
    there = np.minimum(begin, len(level) - 1)
    same: NDArray[np.bool_] = level[there] >> _NUMBER_BITS == wanted >> _NUMBER_BITS
    return same & (begin < len(level))


def _ranges(begin: NDArray[np.intp], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """begin[0], begin[0] + 1, … for sizes[0] places, then begin[1] and so on."""
    ends = np.cumsum(sizes)
    total = int(ends[-1]) if len(ends) else 0
    places: NDArray[np.int64] = np.arange(total) + np.repeat(begin - (ends - sizes), sizes)
    return places
