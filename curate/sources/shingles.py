"""Texts as sets of character shingles: what near-duplicates are measured by.

A shingle is three letters in a row, or two where one of them writes a syllable or a word (Han,
kana, Hangul, Ethiopic, Yi). Case, punctuation, width and white space do not count; the space
between words does, and one stands at either end.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from curate.language.scripts import weight

__all__ = ["Shingles", "fold_texts", "jaccard", "mix", "shingle_folded"]

_BREAK = ord("\n")
_SPACE = ord(" ")
_UNKNOWN, _GAP, _LETTER, _SYLLABLE = range(4)
# What each code point is, found out when it is met: a megabyte at most.
_kinds: NDArray[np.uint8] = np.zeros(0x110000, dtype=np.uint8)
# The numbers that MurmurHash3 mixes 64 bits with.
_MIX = (np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53))
_HALF = np.uint64(33)
_LOW = np.uint64(0xFFFFFFFF)


class Shingles(NamedTuple):
    """The shingles of n texts: those of text i are ``hashes[starts[i]:starts[i + 1]]``.

    `hashes` are 32-bit hashes as uint64, distinct and rising within a text; every text has one at
    least. `starts` (n + 1,) are int64.
    """

    hashes: NDArray[np.uint64]
    starts: NDArray[np.int64]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many shingles each text has, (n,)."""
        return np.diff(self.starts)

    def of(self, text: int) -> frozenset[int]:
        return frozenset(self.hashes[self.starts[text] : self.starts[text + 1]].tolist())


def fold_texts(texts: Sequence[str]) -> list[str]:
    """The texts as they are compared: letters, vowel signs and digits, a space between words.

    A text that has none of these stays as it is.
    """
    if not texts:
        return []
    whole = "\n".join(texts)
    if whole.count("\n") >= len(texts):
        whole = "\n".join(text.replace("\n", " ") for text in texts)
    if not whole.isascii():
        whole = unicodedata.normalize("NFKC", whole)
    points = _points(whole.casefold())
    points[(_kind(points) == _GAP) & (points != _BREAK)] = _SPACE
    folded = [line.strip() for line in _text(_single(points)).split("\n")]
    return [line or " ".join(text.split()) for line, text in zip(folded, texts, strict=True)]


def shingle_folded(folded: Sequence[str]) -> Shingles:
    """The shingles of texts that `fold_texts` gave."""
    if not folded:
        return Shingles(np.zeros(0, dtype=np.uint64), np.zeros(1, dtype=np.int64))
    points = _points(" " + " \n ".join(folded) + " ").astype(np.uint64)
    kinds = _kind(points)
    line = np.cumsum(points == _BREAK).astype(np.uint64)
    first, second, third = points[:-2], points[1:-1], points[2:]
    broken = points == _BREAK
    short = (kinds[:-2] == _SYLLABLE) | (kinds[1:-1] == _SYLLABLE)
    whole = ~(broken[:-2] | broken[1:-1]) & (short | ~broken[2:])
    # 21 bits a code point: different shingles are different numbers before they are mixed
    code = first | second << np.uint64(21) | np.where(short, 0, third) << np.uint64(42)
    found = line[:-2][whole] << np.uint64(32) | mix(code[whole]) & _LOW
    n = len(folded)
    found = np.concatenate([found, _last(points, kinds, broken, line)])
    bare = np.setdiff1d(np.arange(n, dtype=np.uint64), found >> np.uint64(32))
    found = np.unique(np.concatenate([found, bare << np.uint64(32)]))
    starts = np.searchsorted(found, np.arange(n + 1, dtype=np.uint64) << np.uint64(32))
    return Shingles(found & _LOW, starts.astype(np.int64))


def jaccard(
    left: Shingles, lefts: NDArray[np.int64], right: Shingles, rights: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The Jaccard similarity of text ``lefts[p]`` of `left` and ``rights[p]`` of `right`, (p,).

    It is that of their 32-bit hashes: exact but where two of some hundred shingles share a hash.
    """
    a, b = _tagged(left, lefts), _tagged(right, rights)
    both = np.sort(np.concatenate([a, b]))
    shared = both[1:][both[1:] == both[:-1]] >> np.uint64(32)
    common = np.bincount(shared.astype(np.int64), minlength=len(lefts))
    sizes = left.sizes[lefts] + right.sizes[rights]
    alike: NDArray[np.float64] = common / (sizes - common)
    return alike


def mix(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """64-bit numbers spread over all 64 bits, one to one (MurmurHash3's last step)."""
    for factor in _MIX:
        values = (values ^ values >> _HALF) * factor
    return values ^ values >> _HALF


def _tagged(shingles: Shingles, texts: NDArray[np.int64]) -> NDArray[np.uint64]:
    """The hashes of some texts, each with the place of its text above them."""
    sizes = shingles.sizes[texts]
    ends = np.cumsum(sizes)
    places = np.arange(sizes.sum()) + np.repeat(shingles.starts[texts] - (ends - sizes), sizes)
    tags = np.repeat(np.arange(len(texts), dtype=np.uint64) << np.uint64(32), sizes)
    tagged: NDArray[np.uint64] = tags | shingles.hashes[places]
    return tagged


def _last(
    points: NDArray[np.uint64], kinds: NDArray[np.uint8],
    broken: NDArray[np.bool_], line: NDArray[np.uint64],
) -> NDArray[np.uint64]:  # fmt: skip
    """The last two characters of all, which no window of three begins with."""
    if broken[-2] or broken[-1] or _SYLLABLE not in (kinds[-2], kinds[-1]):
        return np.zeros(0, dtype=np.uint64)
    code = points[-2:-1] | points[-1:] << np.uint64(21)
    return line[-1:] << np.uint64(32) | mix(code) & _LOW


def _points(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4").copy()


def _text(points: NDArray[np.uint32]) -> str:
    return points.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")


def _single(points: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Without the spaces that follow a space."""
    space = points == _SPACE
    space[1:] &= space[:-1].copy()
    space[:1] = False
    single: NDArray[np.uint32] = points[~space]
    return single


def _kind(points: NDArray[np.uint32] | NDArray[np.uint64]) -> NDArray[np.uint8]:
    kinds = _kinds[points]
    if not kinds.all():
        for point in np.unique(points[kinds == _UNKNOWN]).tolist():
            character = chr(point)
            if unicodedata.category(character)[0] not in "LMN":
                _kinds[point] = _GAP
            else:
                _kinds[point] = _SYLLABLE if weight(character) > 1 else _LETTER
        kinds = _kinds[points]
    return kinds
