"""The encoder and decoder of one lexicon, by the kind of its scale."""

from __future__ import annotations

from typing import Any, Protocol

from curate.politicians.study.lexica import Scale

__all__ = ["Part", "make_part"]

_CENTRES = (-1.0, 0.0, 1.0)  # negative, neutral, positive on a scale from -1 to 1
_SHARPNESS = 2.0


class Part(Protocol):
    """`encode`: (words, values) to (words, 3) weights that sum to one. `log_likelihood`: of (words,
    values) and (draws, words, 3) draws of z, ln p(x | z) as (draws, words).
    """

    parameters: list[Any]

    def encode(self, values: Any) -> Any: ...

    def log_likelihood(self, values: Any, z: Any) -> Any: ...


def make_part(torch: Any, scale: Scale) -> Part:
    """An untrained encoder and decoder for a scale."""
    if scale.kind == "continuous":
        return _Continuous(torch)
    centres = torch.tensor(_CENTRES)
    places = centres if scale.kind == "merged" else torch.tensor(scale.polarities).float()
    return _Categories(-_SHARPNESS * (places[:, None] - centres[None, :]) ** 2)


class _Categories:
    """A table each way: (categories, sentiments) logits."""

    def __init__(self, logits: Any) -> None:
        self._encoder = logits.clone().requires_grad_()
        self._decoder = logits.clone().requires_grad_()
        self.parameters = [self._encoder, self._decoder]

    def encode(self, values: Any) -> Any:
        return (values @ self._encoder).softmax(dim=-1)

    def log_likelihood(self, values: Any, z: Any) -> Any:
        # of each category under each sentiment, mixed by z
        given = self._decoder.softmax(dim=0)
        mixed = z @ given.T
        return (values * mixed.clamp_min(1e-8).log()).sum(dim=-1)


class _Continuous:
    """Bumps around three centres one way, a normal distribution with a mixed mean the other."""

    def __init__(self, torch: Any) -> None:
        centres = torch.tensor(_CENTRES)
        self._centres = centres.clone().requires_grad_()
        self._sharpness = torch.full((3,), _SHARPNESS).log().requires_grad_()
        self._bias = torch.zeros(3, requires_grad=True)
        self._means = (0.8 * centres).requires_grad_()
        self._spread = torch.tensor(-1.0, requires_grad=True)
        self.parameters = [
            self._centres, self._sharpness, self._bias, self._means, self._spread
        ]  # fmt: skip

    def encode(self, values: Any) -> Any:
        away = (values - self._centres) ** 2
        return (self._bias - self._sharpness.exp() * away).softmax(dim=-1)

    def log_likelihood(self, values: Any, z: Any) -> Any:
        # a spread under a hundredth of the scale would make a likelihood without bound
        spread = self._spread.clamp_min(-4.0)
        scaled = (values[:, 0] - z @ self._means) / spread.exp()
        return -0.5 * scaled**2 - spread
