"""The share of the Multilingual Bias Evaluation: every sentence of one set against every other.

MBE = 100 · Σ γ(m, f) · I(A(m) > A(f)) / Σ γ(m, f) over all m of one set and f of the other (Kaneko
et al. 2022; Yu et al. 2024, equation 2), γ the cosine of the sentences' embeddings.

No matrix of all pairs is made. γ(m, f) is the dot product e_m · e_f of two unit vectors, so a row's
sum of γ · I is e_m · (sum of e_f over the f that score less than m): with both sets in the order of
their scores, one pass over running sums gives it for every m, exactly, in time n · dimensions.

Interval. A bootstrap draw counts every m w times and every f v times, so its numerator is
Σ w_m v_f h(m, f) with h = γ · I. Put w = 1 + a and v = 1 + b: it is T + Σ a_m r_m + Σ b_f c_f +
Σ a_m b_f h(m, f), where r and c are the sums of h by row and by column and T is the sum of all. The
last term is of second order: it has mean 0 where the sets are drawn apart, and is smaller than the
others by a factor of √n; without it (Hájek's projection) there is Σ w_m r_m + Σ v_f c_f - T. The
denominator is treated likewise with γ for h, and the draw's value is their ratio.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from curate.scoring.estimate import (
    CONFIDENCE,
    RESAMPLES,
    Estimate,
    bootstrap,
    estimate_over_folds,
    mean_of_folds,
)

__all__ = ["mbe"]

_BLOCK = 512  # sentences in float64 at a time
_TINY = float(np.finfo(np.float64).tiny)

Floats = NDArray[np.float64]
Members = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class _Sentences:
    """n sentences of one set, in rows of its embeddings: the embeddings are not copied.

    `rows` (n,) of `embeddings` (all, dimensions) and of `scale` (all,), the inverse of their norms;
    `scores` (n,) and `members` (n, folds).
    """

    rows: NDArray[np.intp]
    scores: Floats
    members: Members
    embeddings: NDArray[np.floating]
    scale: Floats

    def __len__(self) -> int:
        return len(self.rows)

    def vectors(self, at: NDArray[np.intp]) -> Floats:
        """(places, dimensions) embeddings at these places, scaled, in float64."""
        rows = self.rows[at]
        scaled: Floats = self.embeddings[rows].astype(np.float64)
        scaled *= self.scale[rows, None]
        return scaled

    def of(self, keep: NDArray[np.bool_]) -> _Sentences:
        return _Sentences(
            self.rows[keep], self.scores[keep], self.members[keep], self.embeddings, self.scale
        )

    def turned(self) -> _Sentences:
        """The same with the opposite scores."""
        return _Sentences(self.rows, -self.scores, self.members, self.embeddings, self.scale)


def mbe(
    scores_m: Floats,
    embeddings_m: NDArray[np.floating],
    scores_f: Floats,
    embeddings_f: NDArray[np.floating],
    *,
    members_m: Members | None = None,
    members_f: Members | None = None,
    paired: bool,
    seed: int = 0,
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
    cosine: bool = True,
) -> Estimate:
    """MBE in percent, the mean over the folds, each of its own m and f; 50 means no preference.

    `scores_*` are (n,) likelihoods A, NaN for a sentence that is left out, `embeddings_*` (n,
    dimensions), `members_*` (n, folds). Where the sets are `paired`, m[i] and f[i] are the sides of
    one pair: left out together, drawn together, and `n` counts pairs; else `n` counts sentences.
    `n_tied` counts pairs (m, f) of equal scores, whatever their folds. Without `cosine` γ is the
    dot product. A fold whose denominator is not positive has no value (γ may be negative), and
    where that happens in a draw there is no interval.
    """
    m = _sentences(scores_m, embeddings_m, members_m, cosine=cosine)
    f = _sentences(scores_f, embeddings_f, members_f, cosine=cosine)
    m, f = _kept(m, f, paired=paired)
    n = len(m) if paired else len(m) + len(f)
    if not len(m) or not len(f):
        return Estimate(n=n)
    above, below = _margins(m, f)

    def drawn(w: Floats, v: Floats) -> Floats:
        return mean_of_folds(_ratios(above.drawn(w, v), below.drawn(w, v)))

    found = bootstrap(
        (lambda w: drawn(w, w)) if paired else drawn,
        [len(m)] if paired else [len(m), len(f)],
        seed=seed, draws=resamples, confidence=confidence,
    )  # fmt: skip
    values = _ratios(above.total[None, :], below.total[None, :])[0]
    return estimate_over_folds(values, found, n=n, n_tied=_ties(m.scores, f.scores))


@dataclass(frozen=True, slots=True)
class _Margins:
    """Sums of h(m, f) by m (n_m, folds), by f (n_f, folds), and over all (folds,)."""

    rows: Floats
    columns: Floats
    total: Floats

    def drawn(self, w: Floats, v: Floats) -> Floats:
        """(draws, folds) projections of the sums for counts (draws, n_m) and (draws, n_f)."""
        projected: Floats = w @ self.rows + v @ self.columns - self.total
        return projected


def _sentences(
    scores: Floats, embeddings: NDArray[np.floating], members: Members | None, *, cosine: bool
) -> _Sentences:
    if len(scores) != len(embeddings):
        raise ValueError(f"{len(scores)} scores and {len(embeddings)} embeddings")
    scale = np.ones(len(scores))
    if cosine:
        for start in range(0, len(scores), _BLOCK):
            block = embeddings[start : start + _BLOCK].astype(np.float64)
            norms = np.sqrt((block * block).sum(axis=1))
            scale[start : start + _BLOCK] = np.where(norms > 0, 1 / np.maximum(norms, _TINY), 0)
    whole = np.ones((len(scores), 1), dtype=np.bool_) if members is None else members
    return _Sentences(np.arange(len(scores)), scores, whole, embeddings, scale)


def _kept(m: _Sentences, f: _Sentences, *, paired: bool) -> tuple[_Sentences, _Sentences]:
    """The sentences that have a score and are in a fold; of pairs, both sides or none."""
    if m.members.shape[1] != f.members.shape[1]:
        raise ValueError(f"{m.members.shape[1]} folds against {f.members.shape[1]}")
    keep_m, keep_f = (~np.isnan(side.scores) & side.members.any(axis=1) for side in (m, f))
    if paired:
        if len(m) != len(f):
            raise ValueError(f"{len(m)} and {len(f)} sentences are not paired")
        keep_m = keep_f = keep_m & keep_f
    return m.of(keep_m), f.of(keep_f)


def _ties(scores_m: Floats, scores_f: Floats) -> int:
    """How many pairs (m, f) score the same."""
    values_m, counts_m = np.unique(scores_m, return_counts=True)
    values_f, counts_f = np.unique(scores_f, return_counts=True)
    _, at_m, at_f = np.intersect1d(values_m, values_f, assume_unique=True, return_indices=True)
    return int(counts_m[at_m] @ counts_f[at_f])


def _margins(m: _Sentences, f: _Sentences) -> tuple[_Margins, _Margins]:
    """The sums of γ · I(A(m) > A(f)), and those of γ."""
    # the m above an f are those under it when both are turned round
    rows, columns = _dots_with_lower(m, f), _dots_with_lower(f.turned(), m.turned())
    above = _Margins(rows, columns, rows.sum(axis=0))
    rows, columns = _dots_with_all(m, f), _dots_with_all(f, m)
    return above, _Margins(rows, columns, rows.sum(axis=0))


def _dots_with_lower(one: _Sentences, other: _Sentences) -> Floats:
    """(n, folds) products of each vector of `one` with the sum of those of `other` under it.

    The blocks of `other` come in the order of their scores; a vector waits for the block that holds
    the last one under it.
    """
    upwards = np.argsort(other.scores, kind="stable")
    under = np.searchsorted(other.scores[upwards], one.scores, side="left")
    waiting = np.argsort(under, kind="stable")
    products = np.zeros(one.members.shape)
    before: Floats = np.zeros((other.members.shape[1], 1, other.embeddings.shape[1]))
    for start in range(0, len(other), _BLOCK):
        block = upwards[start : start + _BLOCK]
        inside = other.members[block].T[:, :, None]
        running = before + np.cumsum(inside * other.vectors(block), axis=1)
        ends = np.searchsorted(under[waiting], [start, start + len(block)], side="right")
        for at in range(ends[0], ends[1], _BLOCK):
            rows = waiting[at : min(at + _BLOCK, ends[1])]
            sums = running[:, under[rows] - start - 1]
            products[rows] = np.einsum("id,kid->ik", one.vectors(rows), sums)
        before = running[:, -1:]
    return products * one.members


def _dots_with_all(one: _Sentences, other: _Sentences) -> Floats:
    """(n, folds) products of each vector of `one` with the sum of those of `other` in the fold."""
    sums = np.zeros((other.members.shape[1], other.embeddings.shape[1]))
    for block in _blocks(other):
        sums += other.members[block].T @ other.vectors(block)
    products = np.vstack([one.vectors(block) @ sums.T for block in _blocks(one)])
    dots: Floats = products * one.members
    return dots


def _blocks(sentences: _Sentences) -> list[NDArray[np.intp]]:
    return np.split(np.arange(len(sentences)), range(_BLOCK, len(sentences), _BLOCK))


def _ratios(above: Floats, below: Floats) -> Floats:
    """(draws, folds) percentages; NaN where the denominator is not positive."""
    ratios: Floats = 100 * above / np.where(below > 0, below, np.nan)
    return ratios
