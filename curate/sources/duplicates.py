"""Which of many keys come for the first time, at eight bytes a key."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["Seen"]


class Seen:
    """A growing set of 64-bit keys, as sorted arrays of falling length (a log-structured merge).

    A hundred million keys take 0.8 GB, where a Python set takes ten times that; two different
    keys out of n are confused nowhere, two texts with the same 64-bit hash with probability
    n²/2⁶⁵.
    """

    def __init__(self) -> None:
        self._levels: list[NDArray[np.uint64]] = []

    def first(self, keys: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Where `keys` (n,) come for the first time, in this call and all before; (n,) booleans."""
        new = np.zeros(len(keys), dtype=np.bool_)
        new[np.unique(keys, return_index=True)[1]] = True
        for level in self._levels:
            at = np.minimum(np.searchsorted(level, keys), len(level) - 1)
            new &= level[at] != keys
        self._add(np.sort(keys[new]))
        return new

    def _add(self, keys: NDArray[np.uint64]) -> None:
        if not len(keys):
            return
        while self._levels and len(self._levels[-1]) <= 2 * len(keys):
            keys = np.sort(np.concatenate([self._levels.pop(), keys]), kind="stable")
        self._levels.append(keys)
