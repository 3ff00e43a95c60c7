"""Which tokens two sentences share: the equal blocks of their token ids."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

__all__ = ["differing_places", "published_alignment", "shared_places"]

Places = list[tuple[int, int]]


def shared_places(a: Sequence[int], b: Sequence[int]) -> Places:
    """Pairs of positions (in a, in b) with the same token, in order: the longest equal blocks.

    The blocks are those of Ratcliff and Obershelp's matching (Nangia et al. 2020 and Steinborn et
    al. 2022 use it through `difflib`), which can depend on which list comes first. Here the lesser
    list always does, so that exchanging the sides exchanges the positions and nothing else.
    """
    if list(a) <= list(b):
        return _blocks(a, b, autojunk=False)
    return [(i, j) for j, i in _blocks(b, a, autojunk=False)]


def published_alignment(a: Sequence[int], b: Sequence[int]) -> tuple[Places, Places]:
    """(shared, all equal) positions as the published code finds them.

    The lists hold the special tokens, the first is the first side, tokens that are frequent in a
    sequence of 200 or more are treated as junk, and the first and last equal tokens are skipped.
    """
    equal = _blocks(a, b, autojunk=True)
    return equal[1:-1], equal


def _blocks(a: Sequence[int], b: Sequence[int], *, autojunk: bool) -> Places:
    matcher = difflib.SequenceMatcher(None, a, b, autojunk=autojunk)
    return [
        (block.a + step, block.b + step)
        for block in matcher.get_matching_blocks()
        for step in range(block.size)
    ]


def differing_places(shared: Sequence[int], places: Sequence[int]) -> tuple[int, ...]:
    """Those of `places` that are not shared."""
    same = set(shared)
    return tuple(place for place in places if place not in same)
