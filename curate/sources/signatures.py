"""MinHash signatures of texts in bands: texts that share a band are worth comparing.

Broder 1997 (the chance that the least hash of two sets is the same is their Jaccard similarity);
banding after Leskovec, Rajaraman and Ullman, Mining of Massive Datasets, §3.4.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from curate.errors import MissingExtraError, UsageError
from curate.sources.shingles import Shingles, mix

__all__ = ["KEY_BITS", "Banding", "Signer", "banding"]

KEY_BITS = 36
"""Bits of a band's key: the index keeps the number of a text in the other 28."""

# The recall at the threshold itself that a banding must have, and the most bands it may take:
# eight bytes each in every text that is kept.
_RECALL = 0.98
_MOST_BANDS = 20
# Shingles hashed at once, so that the permuted hashes stay in a processor's cache.
_AT_ONCE = 2_048


class Banding(NamedTuple):
    """`bands` of `rows` least hashes each."""

    bands: int
    rows: int

    def found(self, similarity: float) -> float:
        """The chance that two texts so similar share a band."""
        return 1.0 - (1.0 - similarity**self.rows) ** self.bands


def banding(threshold: float) -> Banding:
    """The most rows a band (so the fewest needless comparisons) that find 98 % at the threshold.

    Above the threshold the share found rises fast. Raises UsageError outside 0.5 to 1.
    """
    if not 0.5 <= threshold <= 1.0:
        raise UsageError(
            f"a threshold of {threshold:g} makes no near-duplicates",
            hint="similarities from 0.5 to 1 tell near-duplicates, such as 0.8",
        )
    best = Banding(1, 1)
    for rows in range(1, 21):
        missed = 1.0 - threshold**rows
        needed = 1 if missed <= 0.0 else math.ceil(math.log(1.0 - _RECALL) / math.log(missed))
        if needed <= _MOST_BANDS:
            best = Banding(needed, rows)
    return best


class Signer:
    """Makes the band keys of texts with datasketch's permutations; the same seed, the same keys.

    Raises MissingExtraError without datasketch, UsageError for a senseless threshold.
    """

    def __init__(self, threshold: float, seed: int) -> None:
        self.banding = banding(threshold)
        try:
            from datasketch import MinHash
        except ImportError:
            raise MissingExtraError("datasketch", "clean") from None
        size = self.banding.bands * self.banding.rows
        drawn = MinHash(num_perm=size, seed=seed, scheme="affine32").permutations
        self._factors: NDArray[np.uint32] = drawn[0]
        self._terms: NDArray[np.uint32] = drawn[1]

    def least_hashes(self, shingles: Shingles) -> NDArray[np.uint32]:
        """datasketch's ``MinHash.hashvalues`` of many texts at once, (n, permutations)."""
        hashes = _premixed(shingles.hashes.astype(np.uint32))
        starts, whole = shingles.starts[:-1], np.arange(0, len(hashes), _AT_ONCE)
        if not len(starts):
            return np.empty((0, len(self._factors)), dtype=np.uint32)
        # pieces of texts that end where a block does, so that blocks are as small for long texts
        pieces = np.union1d(starts, whole)
        least = np.empty((len(pieces), len(self._factors)), dtype=np.uint32)
        ends = np.append(np.searchsorted(pieces, whole), len(pieces))
        for at, first, end in zip(whole, ends[:-1], ends[1:], strict=True):
            part = hashes[at : at + _AT_ONCE, None] * self._factors + self._terms
            np.minimum.reduceat(part, pieces[first:end] - at, axis=0, out=least[first:end])
        if len(pieces) == len(starts):
            return least
        return np.minimum.reduceat(least, np.searchsorted(pieces, starts), axis=0)

    def keys(self, shingles: Shingles, apart: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """Keys of `KEY_BITS` bits, (n, bands + 1); the first is one of all the shingles together.

        Texts with different `apart` (n,) share no key, but by chance.
        """
        least = self.least_hashes(shingles)
        n = len(least)
        keys = np.empty((n, self.banding.bands + 1), dtype=np.uint64)
        starts = shingles.starts[:-1]
        keys[:, 0] = np.add.reduceat(mix(shingles.hashes + np.uint64(1)), starts) if n else 0
        for band in range(self.banding.bands):
            key: NDArray[np.uint64] = np.full(n, band + 1, dtype=np.uint64)
            for row in range(band * self.banding.rows, (band + 1) * self.banding.rows):
                key = mix(key) + least[:, row]
            keys[:, band + 1] = key
        return mix(keys + mix(apart)[:, None]) >> np.uint64(64 - KEY_BITS)


def _premixed(hashes: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """MurmurHash3's last step on 32 bits: datasketch takes it before its permutations."""
    hashes = (hashes ^ hashes >> np.uint32(16)) * np.uint32(0x85EBCA6B)
    hashes = (hashes ^ hashes >> np.uint32(13)) * np.uint32(0xC2B2AE35)
    return hashes ^ hashes >> np.uint32(16)
