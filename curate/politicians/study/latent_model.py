"""The parameters of the latent-sentiment model over a grid, its loss and the loss's gradient.

Tensors are (points, sentiments, genders, words): the softmax over words runs along the last, close
in memory. The gradient is written out, for it needs one exponential where a general one needs many:
with l = ln p(w, s, g), the cross-entropy's is -seen(w, g) p(s | w, g), and that of the divergence
p(s, g | w) - q(s | w) p(g | s, w).

eta is kept as a sum, u_{w,g} + a_{w,s} + v_{w,s,g}. The model is the same, but a step of Adam then
sees the counts' pull on u apart from the lexicon's pull on a, which may be a hundred thousand times
stronger and would drown it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["SENTIMENTS", "LatentModel"]

SENTIMENTS = ("negative", "neutral", "positive")

_LEAST = 1e-30  # a probability whose logarithm is still a number in single precision

Floats = NDArray[np.float64]


class _Grid(Protocol):
    @property
    def l1_weights(self) -> Sequence[float]: ...

    @property
    def posterior_weights(self) -> Sequence[float]: ...

    @property
    def device(self) -> str: ...


class _Fitted(Protocol):
    @property
    def deviations(self) -> Floats: ...

    @property
    def shares(self) -> Floats: ...


class LatentModel:
    """Parameters at every point of the grid; `counts` (words, 2), `target` (words, 3) or NaN."""

    def __init__(
        self, torch: Any, counts: Floats, target: Floats, grid: _Grid, start: _Fitted | None
    ) -> None:
        points = list(product(grid.l1_weights, grid.posterior_weights))
        make = {"dtype": torch.float32, "device": grid.device}
        self.l1_weights = torch.tensor([l1 for l1, _ in points], **make)
        self.posterior_weights = torch.tensor([weight for _, weight in points], **make)
        self._seen = torch.tensor((counts / counts.sum()).T, **make)
        self._background = torch.tensor(np.log(counts.sum(axis=1) / counts.sum()), **make)
        known: NDArray[np.bool_] = np.isfinite(target[:, :1])
        self.known = torch.tensor(known[:, 0], **make)
        filled = np.where(known, target, 1.0)
        self._target = torch.tensor((filled / filled.sum(axis=1, keepdims=True)).T, **make)
        self._start(torch, len(points), len(counts), start, make)
        self.parameters = [self._u, self._a, self._v, self._sigma, self._phi]

    def _start(
        self, torch: Any, points: int, words: int, start: _Fitted | None, make: dict[str, Any]
    ) -> None:
        kinds, genders = len(SENTIMENTS), 2
        self._u = torch.zeros(points, 1, genders, words, **make)
        self._a = torch.zeros(points, kinds, 1, words, **make)
        self._v = torch.zeros(points, kinds, genders, words, **make)
        self._sigma = torch.zeros(points, kinds, genders, **make)
        self._phi = self._seen.sum(dim=1).log().expand(points, genders).clone()
        if start is not None:
            self._v += torch.tensor(start.deviations.transpose(0, 2, 3, 1), **make)
            self._sigma += torch.tensor(np.log(start.shares), **make)

    @property
    def eta(self) -> Any:
        return self._u + self._a + self._v

    def log_joint(self) -> Any:
        """ln p(w, s, g)."""
        words = (self._background + self.eta).log_softmax(dim=3)
        return words + (self._sigma.log_softmax(dim=1) + self._log_gender())[..., None]

    def associations(self) -> Any:
        """(points, genders, words) ln p(w | g) - m_w."""
        words = self.log_joint().logsumexp(dim=1) - self._phi.log_softmax(dim=1)[..., None]
        return words - self._background

    def losses(self) -> tuple[Any, Any, Any]:
        """(points,) loss, cross-entropy and divergence summed over the known words."""
        joint = self.log_joint()
        entropy = -(joint.logsumexp(dim=1) * self._seen).sum(dim=(1, 2))
        posterior = joint.logsumexp(dim=2).log_softmax(dim=1)
        target = self._target.clamp_min(_LEAST)
        apart = (target * (target.log() - posterior)).sum(dim=1)
        divergence = (apart * self.known).sum(dim=1)
        size = (
            self.eta.abs().sum(dim=(1, 2, 3))
            + self._sigma.abs().sum(dim=(1, 2))
            + self._phi.abs().sum(dim=1)
        )
        loss = entropy + self.posterior_weights * divergence + self.l1_weights * size
        return loss, entropy, divergence

    def set_gradients(self) -> None:
        """The gradient of every point's loss, as `grad` of the parameters."""
        eta = self.eta
        words = (self._background + eta).softmax(dim=3)
        kinds, genders = self._sigma.softmax(dim=1), self._phi.softmax(dim=1)
        joint = words * (kinds * genders[:, None, :])[..., None]
        joint = joint.clamp_min(_LEAST)
        pull = self._pull(joint)
        # through the softmax over words, over sentiments and over genders
        by_cell = pull.sum(dim=3)
        slope = pull.addcmul(words, by_cell[..., None], value=-1)
        slope += self.l1_weights[:, None, None, None] * eta.sign()
        by_gender = by_cell.sum(dim=1)
        l1 = self.l1_weights[:, None]
        self._u.grad = slope.sum(dim=1, keepdim=True)
        self._a.grad = slope.sum(dim=2, keepdim=True)
        self._v.grad = slope
        self._sigma.grad = by_cell - kinds * by_gender[:, None] + l1[:, None] * self._sigma.sign()
        whole = by_gender.sum(dim=1, keepdim=True)
        self._phi.grad = by_gender - genders * whole + l1 * self._phi.sign()

    def _pull(self, joint: Any) -> Any:
        """The gradient by ln p(w, s, g)."""
        by_word_gender = joint.sum(dim=1, keepdim=True)
        by_word_kind = joint.sum(dim=2, keepdim=True)
        by_word = by_word_kind.sum(dim=1, keepdim=True)
        weight = (self.posterior_weights[:, None] * self.known)[:, None, None, :]
        factor = weight / by_word
        factor = factor - weight * self._target[None, :, None, :] / by_word_kind
        return joint * (factor - self._seen[None, None] / by_word_gender)

    def _log_gender(self) -> Any:
        return self._phi.log_softmax(dim=1)[:, None, :]
