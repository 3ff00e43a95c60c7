"""Which texts repeat an earlier one but for a little: MinHash bands find, exact Jaccard decides.

Two texts are near-duplicates when the Jaccard similarity of their shingles (`curate.sources
.shingles`) is at least the threshold. At 0.8 sentences that differ in case, punctuation or a
letter are; those that differ in one word are only if they are long (some 14 words). What must
never be merged, however alike, is told by a key beside each text (`apart`): for minimal pairs the
gender words, for *he* and *she* in a long sentence are one word apart too.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from curate.errors import CurateError
from curate.sources.kept_keys import KeptKeys
from curate.sources.shingles import Shingles, fold_texts, jaccard, shingle_folded
from curate.sources.signatures import KEY_BITS, Banding, Signer

__all__ = ["Match", "NearDuplicates"]

# Texts, and characters of texts, that are looked up at once; shingles that are compared at once.
_BLOCK = 4_096
_CHARACTERS = 1 << 19
_SHINGLES = 1 << 20
# Of the kept texts that share a band, how many are compared: the first ones.
_COMPARED = 16

Matches = dict[int, "Match"]


class Match(NamedTuple):
    """The earlier text that is repeated, counted from 0 over all calls, and how alike it is."""

    text: int
    similarity: float


class NearDuplicates:
    """A growing set of texts of which none repeats another; about 0.2 GB a million short sentences.

    A text repeats the earliest kept text that it is as similar to as `threshold` says; then it is
    not kept itself. How the texts are cut into calls changes nothing. Texts that are the same
    shingles are always found, others by the chance that `banding.found` gives for their similarity
    (0.98 at the threshold). Raises UsageError for a threshold outside 0.5 to 1, MissingExtraError
    without datasketch.
    """

    def __init__(self, threshold: float = 0.8, seed: int = 0) -> None:
        self._threshold = threshold
        self._signer = Signer(threshold, seed)
        self._keys = KeptKeys(most=_COMPARED)
        self._given = 0
        self._kept = _KeptTexts()

    @property
    def banding(self) -> Banding:
        """How many bands of how many least hashes."""
        return self._signer.banding

    @property
    def kept(self) -> int:
        """How many texts repeat none before them."""
        return len(self._kept)

    def signatures(
        self, texts: Sequence[str], apart: Sequence[str] | None = None
    ) -> NDArray[np.uint64]:
        """What the index asks of `texts`, (n, bands + 1): any process may make it beforehand.

        Texts with different `apart` never repeat each other.
        """
        parts: list[NDArray[np.uint64]] = [np.empty((0, self.banding.bands + 1), dtype=np.uint64)]
        for here in _blocks([len(text) for text in texts], _CHARACTERS):
            shingles = shingle_folded(fold_texts(texts[here]))
            keys = None if apart is None else apart[here]
            parts.append(self._signer.keys(shingles, _hashed(keys, len(shingles.sizes))))
        return np.concatenate(parts)

    def earlier(
        self, texts: Sequence[str], signatures: NDArray[np.uint64] | None = None
    ) -> list[int | None]:
        """For each text the kept one that it repeats, counted over all calls; None: it is kept."""
        return [match and match.text for match in self.matches(texts, signatures)]

    def matches(
        self, texts: Sequence[str], signatures: NDArray[np.uint64] | None = None
    ) -> list[Match | None]:
        """As `earlier`, with the similarity; `signatures` are those of `texts` if made already."""
        keys = self.signatures(texts) if signatures is None else signatures
        if keys.shape != (len(texts), self.banding.bands + 1):
            raise ValueError(f"signatures of shape {keys.shape} for {len(texts)} texts")
        found: list[Match | None] = []
        for here in _blocks([len(text) for text in texts], _CHARACTERS):
            found += self._block(fold_texts(texts[here]), keys[here])
        return found

    def _block(self, folded: list[str], keys: NDArray[np.uint64]) -> list[Match | None]:
        shingles = shingle_folded(folded)
        texts, candidates, shared = self._keys.look_up(keys)
        found = self._compare(shingles, texts, candidates)
        left = np.ones(len(folded), dtype=np.bool_)
        left[list(found)] = False
        found |= self._among_themselves(shingles, keys, np.flatnonzero(left), shared)
        new = [place for place in range(len(folded)) if place not in found]
        self._keys.add(keys[new], len(self._kept))
        places = np.array(new, dtype=np.int64)
        self._kept.add([folded[p] for p in new], shingles.sizes[places], self._given + places)
        self._given += len(folded)
        return [found.get(place) for place in range(len(folded))]

    def _compare(
        self, shingles: Shingles, texts: NDArray[np.int64], candidates: NDArray[np.int64]
    ) -> Matches:
        """The earliest candidate of each text that is similar enough; pairs are text by text."""
        sizes, others = shingles.sizes[texts], self._kept.sizes(candidates)
        # no similarity can be more than this one, as a fraction rounded in the same way
        near = np.minimum(sizes, others) / np.maximum(sizes, others) >= self._threshold
        texts, candidates, sizes = texts[near], candidates[near], (sizes + others)[near]
        found: Matches = {}
        for here in _blocks(sizes.tolist(), _SHINGLES, most=len(sizes)):
            numbers, places = np.unique(candidates[here], return_inverse=True)
            alike = jaccard(shingles, texts[here], self._kept.shingles(numbers), places)
            for pair in np.flatnonzero(alike >= self._threshold).tolist():
                kept = self._kept.position(int(candidates[here][pair]))
                found.setdefault(int(texts[here][pair]), Match(kept, float(alike[pair])))
        return found

    def _among_themselves(
        self, shingles: Shingles, keys: NDArray[np.uint64],
        left: NDArray[np.int64], shared: NDArray[np.int64],
    ) -> Matches:  # fmt: skip
        """What repeats a text of its own block, in order; `shared` (n, bands + 1) were compared.

        As if each text were looked up after the one before it was kept.
        """
        place, band = _repeated(keys[left])
        found: Matches = {}
        kept: dict[int, list[int]] = {}
        own: dict[int, list[tuple[int, int]]] = {}
        for text, column in zip(left[place].tolist(), band.tolist(), strict=True):
            own.setdefault(text, []).append((int(keys[text, column]), int(shared[text, column])))
        sets: dict[int, frozenset[int]] = {}
        for text, met in own.items():
            near = {
                other
                for key, before in met
                if key in kept
                for other in kept[key][: max(0, _COMPARED - before)]
            }
            for other in sorted(near):
                for one in (text, other):
                    if one not in sets:
                        sets[one] = shingles.of(one)
                common = len(sets[text] & sets[other])
                alike = common / (len(sets[text]) + len(sets[other]) - common)
                if alike >= self._threshold:
                    found[text] = Match(self._given + other, alike)
                    break
            else:
                for key, _ in met:
                    kept.setdefault(key, []).append(text)
        return found


class _KeptTexts:
    """The folded texts that were kept, one after another in memory."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._ends = array("q", [0])
        self._positions = array("q")
        self._sizes = array("i")

    def __len__(self) -> int:
        return len(self._positions)

    def add(
        self, folded: Sequence[str], sizes: NDArray[np.int64], positions: NDArray[np.int64]
    ) -> None:
        if len(self) + len(folded) > 1 << (64 - KEY_BITS):
            raise CurateError(
                f"more than {1 << (64 - KEY_BITS):,} sentences to keep apart",
                hint="cut the corpus, or leave near-duplicates alone (--no-near)",
            )
        for text in folded:
            self._bytes += text.encode("utf-8", "surrogatepass")
            self._ends.append(len(self._bytes))
        self._positions.extend(positions.tolist())
        self._sizes.extend(sizes.tolist())

    def position(self, number: int) -> int:
        return self._positions[number]

    def sizes(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """How many shingles the kept texts have, (n,)."""
        return np.frombuffer(self._sizes, dtype=np.intc)[numbers].astype(np.int64)

    def shingles(self, numbers: NDArray[np.int64]) -> Shingles:
        texts = (self._bytes[self._ends[n] : self._ends[n + 1]] for n in numbers.tolist())
        return shingle_folded([text.decode("utf-8", "surrogatepass") for text in texts])


def _blocks(sizes: Sequence[int], largest: int, *, most: int = 0) -> Iterator[slice]:
    """Slices of `most` (without it `_BLOCK`) items and sizes that sum to `largest`, or of one."""
    start, total = 0, 0
    for place, size in enumerate(sizes):
        if place > start and (total + size > largest or place - start == (most or _BLOCK)):
            yield slice(start, place)
            start, total = place, 0
        total += size
    if len(sizes) > start:
        yield slice(start, len(sizes))


def _hashed(apart: Sequence[str] | None, n: int) -> NDArray[np.uint64]:
    """A 64-bit number for each key; for the empty one, and without keys, it is zero."""
    numbers = np.zeros(n, dtype=np.uint64)
    for place, key in enumerate(apart or ()):
        if key:
            digest = blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest()
            numbers[place] = int.from_bytes(digest, "big")
    return numbers


def _repeated(keys: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Row and column of every key that more than one row has, row by row."""
    flat = keys.ravel()
    order = np.argsort(flat, kind="stable")
    same = flat[order][1:] == flat[order][:-1]
    often = np.zeros(len(flat), dtype=np.bool_)
    often[order[1:][same]] = True
    often[order[:-1][same]] = True
    row, column = np.nonzero(often.reshape(keys.shape))
    return row, column
