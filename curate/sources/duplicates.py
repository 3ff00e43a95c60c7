"""Which of many keys come for the first time, at nine or ten bytes a key."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["Seen"]

_Keys = NDArray[np.uint64]
_Flags = NDArray[np.bool_]

_IN_A_BIN = 4
_STEPS = 64


class Seen:
    """A growing set of 64-bit keys, as sorted arrays of falling length (a log-structured merge).

    A hundred million keys take a GB, where a Python set takes ten times that; two different
    keys out of n are confused nowhere, two texts with the same 64-bit hash with probability
    n²/2⁶⁵. Any keys will do; those that are spread evenly, as hashes are, are found fastest.
    """

    def __init__(self) -> None:
        self._levels: list[_Sorted] = []

    def first(self, keys: _Keys) -> _Flags:
        """Where `keys` (n,) come for the first time, in this call and all before; (n,) booleans."""
        new = np.ones(len(keys), dtype=np.bool_)
        if not len(keys):
            return new
        # sorted keys are looked up in the order in which the levels lie in memory
        ordered = np.sort(keys)
        heads = np.append(True, ordered[1:] != ordered[:-1])
        distinct = ordered[heads]
        old = np.zeros(len(distinct), dtype=np.bool_)
        for level in self._levels:
            old |= level.holds(distinct)
        if len(distinct) < len(keys) or old.any():
            order = np.argsort(keys, kind="stable")
            new[order] = heads & ~old[np.cumsum(heads) - 1]
        self._add(distinct[~old])
        return new

    def _add(self, keys: _Keys) -> None:
        if not len(keys):
            return
        while self._levels and len(self._levels[-1].keys) <= 2 * len(keys):
            keys = np.concatenate([self._levels.pop().keys, keys])
            keys.sort()
        self._levels.append(_Sorted(keys))


class _Sorted:
    """Sorted keys, and where those begin that share their first bits."""

    def __init__(self, keys: _Keys) -> None:
        self.keys = keys
        bits = max(1, (len(keys) // _IN_A_BIN).bit_length())
        self._shift = np.uint64(64 - bits)
        firsts = np.arange(1 << bits, dtype=np.uint64) << self._shift
        self._starts = np.searchsorted(keys, firsts).astype(np.uint32)

    def holds(self, wanted: _Keys) -> _Flags:
        """Which of `wanted` are here."""
        at = self._starts[wanted >> self._shift].astype(np.int64)
        found = np.zeros(len(wanted), dtype=np.bool_)
        left: NDArray[np.intp] = np.arange(len(wanted))
        last = len(self.keys) - 1
        for _ in range(_STEPS):
            here = self.keys[np.minimum(at, last)]
            asked = wanted[left]
            found[left[here == asked]] = True
            further = np.flatnonzero((here < asked) & (at < last))
            if not len(further):
                return found
            left, at = left[further], at[further] + 1
        # so many in one bin: these keys are not spread evenly
        place = np.minimum(np.searchsorted(self.keys, wanted[left]), last)
        found[left] = self.keys[place] == wanted[left]
        return found
