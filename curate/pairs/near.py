"""Pairs that repeat an earlier pair but for a little: left out where that is asked for."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from curate.sources.near_duplicates import NearDuplicates

__all__ = ["NearPairs"]


class NearPairs:
    """Compares the masculine sides of pairs whose two gender words are the same.

    Two pairs are near-duplicates from the similarity `threshold` on (Jaccard, of shingles); the
    first one stays. The feminine sides are then as much alike, but for what agrees.
    """

    def __init__(self, threshold: float, seed: int) -> None:
        self._seen = NearDuplicates(threshold, seed)
        self._ids: list[NDArray[np.bytes_]] = []
        self._ends: list[int] = []

    def repeated(self, table: pa.Table) -> list[str]:
        """For each pair the id of the one it repeats and how alike they are; empty: it stays.

        `table` has ``pair_id masculine word_m word_f``; pairs come in the order of the corpus.
        """
        texts = table.column("masculine").to_pylist()
        words = zip(
            table.column("word_m").to_pylist(), table.column("word_f").to_pylist(), strict=True
        )
        signatures = self._seen.signatures(texts, [f"{m}\n{f}".lower() for m, f in words])
        self._ids.append(np.array(table.column("pair_id").to_pylist(), dtype=np.bytes_))
        self._ends.append((self._ends[-1] if self._ends else 0) + len(texts))
        return [
            f"{self._id(match.text)} {match.similarity:.3f}" if match else ""
            for match in self._seen.matches(texts, signatures)
        ]

    def _id(self, number: int) -> str:
        at = int(np.searchsorted(self._ends, number, side="right"))
        start = self._ends[at - 1] if at else 0
        return bytes(self._ids[at][number - start]).decode()
