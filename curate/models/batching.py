"""Batches of equal length under a token budget: no padding, so a row's result is its own."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import TypeVar

__all__ = ["TOKEN_BUDGET", "distinct", "equal_length_batches", "token_budget"]

# more tokens at a time leave the caches of a processor, and are faster on a GPU
TOKEN_BUDGET = 1536
_GPU_BUDGET = 16_384
# rows x length^2: what attention weights may take, whatever the budget
_SQUARES = 3_000_000

Key = TypeVar("Key", bound=Hashable)


def token_budget(budget: int, device: str) -> int:
    """Tokens a batch: `budget`, or where it is 0 what suits `device`."""
    return budget or (TOKEN_BUDGET if device == "cpu" else _GPU_BUDGET)


def equal_length_batches(
    lengths: Sequence[int], *, budget: int = TOKEN_BUDGET
) -> Iterator[list[int]]:
    """Lists of indices, shortest first; one length a list, at most `budget` tokens (or one row).

    Rows of one length need neither padding nor an attention mask. Long rows come in fewer, so that
    the attention weights of a batch stay small too.
    """
    by_length: dict[int, list[int]] = {}
    for index, length in enumerate(lengths):
        by_length.setdefault(length, []).append(index)
    for length in sorted(by_length):
        rows = by_length[length]
        width = max(1, min(budget // max(1, length), _SQUARES // max(1, length) ** 2))
        for start in range(0, len(rows), width):
            yield rows[start : start + width]


def distinct(keys: Sequence[Key]) -> tuple[list[int], list[int]]:
    """(index of each distinct key's first place, for every key its place among the distinct)."""
    places: dict[Key, int] = {}
    firsts: list[int] = []
    inverse: list[int] = []
    for index, key in enumerate(keys):
        place = places.setdefault(key, len(firsts))
        if place == len(firsts):
            firsts.append(index)
        inverse.append(place)
    return firsts, inverse
