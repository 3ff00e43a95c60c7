"""A model of words, their latent sentiment and gender (Stanczak et al. 2023, section 4).

    p(w, g) = sum over s of p(w | s, g) p(s | g) p(g)                         (equation 12)
    p(w | s, g) = softmax over words of m_w + eta_{w,s,g}                     (equation 11)
    p(s | g) = softmax over sentiments of sigma_{s,g},  p(g) = softmax of phi_g

The loss (equation 13) is the cross-entropy of the words and genders that were seen, plus
`posterior_weight` times the sum over words of KL(q(s | w) || p(s | w)), plus `l1_weight` times the
absolute sum of eta, sigma and phi. The paper's text swaps the two weights' letters; its grids are
those of `L1_WEIGHTS` and `POSTERIOR_WEIGHTS`. What it reports is the mean over the grid.

The background m_w is the log frequency of the word, which the paper's list of parameters leaves out
and its eta deviates from. A word that the sentiment lexicon does not know has no second term.

All points of the grid are fitted at once, as one more dimension of every tensor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curate.errors import UsageError
from curate.politicians.study.extras import optional
from curate.politicians.study.latent_model import SENTIMENTS, LatentModel

__all__ = [
    "L1_WEIGHTS",
    "POSTERIOR_WEIGHTS",
    "SENTIMENTS",
    "Fit",
    "Latent",
    "fit_latent",
]

L1_WEIGHTS = (0.0, 1e-5, 1e-4, 1e-3, 1e-2)
POSTERIOR_WEIGHTS = (1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0)

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Latent:
    """What was fitted, over a grid of (points,) weights.

    `deviations` (points, words, sentiments, genders) are eta: how much likelier a word is than on
    the whole, in nats, up to what is the same for all words. `posteriors` (points, words,
    sentiments) are p(s | w), `associations` (points, words, genders) ln p(w | g) - m_w, which is
    the model's PMI (equation 6), `shares` (points, sentiments, genders) p(s | g). `loss`,
    `cross_entropy` and `divergence` are (points,); the last is the mean KL of a known word, close
    to 0 where the classes are the lexicon's sentiments.
    """

    l1_weights: Floats
    posterior_weights: Floats
    deviations: Floats
    posteriors: Floats
    associations: Floats
    shares: Floats
    loss: Floats
    cross_entropy: Floats
    divergence: Floats
    steps: int

    @property
    def deviation(self) -> Floats:
        """(words, sentiments, genders) mean over the grid, as the paper reports."""
        mean: Floats = self.deviations.mean(axis=0)
        return mean

    @property
    def posterior(self) -> Floats:
        """(words, sentiments) p(s | w), mean over the grid."""
        mean: Floats = self.posteriors.mean(axis=0)
        return mean

    @property
    def association(self) -> Floats:
        """(words, genders) ln p(w | g) - m_w, mean over the grid."""
        mean: Floats = self.associations.mean(axis=0)
        return mean


@dataclass(frozen=True)
class Fit:
    """How to fit: steps of Adam, its first learning rate (it falls to 0), and the grid."""

    steps: int = 1500
    rate: float = 0.05
    l1_weights: Sequence[float] = L1_WEIGHTS
    posterior_weights: Sequence[float] = POSTERIOR_WEIGHTS
    device: str = "cpu"


def fit_latent(
    counts: Floats, target: Floats, *, fit: Fit | None = None, start: Latent | None = None
) -> Latent:
    """Fit (words, 2) counts, the genders in any order, to the model.

    `target` is (words, 3), q(s | w) over `SENTIMENTS`; a row of NaN for a word that the lexicon
    does not know. `start` is an earlier result of the same words and grid, from which to go on.
    Nothing is random: the same input gives the same result.

    Raises UsageError for counts of other than two genders, a word or gender that was never seen.
    """
    _check(counts, target)
    chosen = fit or Fit()
    torch = optional("torch", package="torch", extra="models")
    model = LatentModel(torch, counts, target, chosen, start)
    optimizer = torch.optim.Adam(model.parameters, lr=chosen.rate, betas=(0.9, 0.99))
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=max(chosen.steps, 1))
    with torch.no_grad():
        for _ in range(chosen.steps):
            model.set_gradients()
            optimizer.step()
            schedule.step()
        return _result(model, chosen)


def _check(counts: Floats, target: Floats) -> None:
    if counts.ndim != 2 or counts.shape[1] != 2:
        raise UsageError("the latent model takes two genders", hint="choose two of them")
    if target.shape != (len(counts), len(SENTIMENTS)):
        raise UsageError("the target has not three sentiments for every word")
    if not (counts.sum(axis=0) > 0).all() or not (counts.sum(axis=1) > 0).all():
        raise UsageError("a word or a gender has no count", hint="leave it out")


def _result(model: LatentModel, fit: Fit) -> Latent:
    loss, entropy, divergence = model.losses()
    joint = model.log_joint()
    posteriors = joint.logsumexp(dim=2).softmax(dim=1)

    def array(tensor: Any, *order: int) -> Floats:
        values: Floats = tensor.permute(*order).cpu().numpy().astype(np.float64)
        return values

    return Latent(
        l1_weights=array(model.l1_weights, 0),
        posterior_weights=array(model.posterior_weights, 0),
        deviations=array(model.eta, 0, 3, 1, 2),
        posteriors=array(posteriors, 0, 2, 1),
        associations=array(model.associations(), 0, 2, 1),
        shares=array(joint.logsumexp(dim=3).softmax(dim=1), 0, 1, 2),
        loss=array(loss, 0),
        cross_entropy=array(entropy, 0),
        divergence=array(divergence, 0) / max(int(model.known.sum()), 1),
        steps=fit.steps,
    )
