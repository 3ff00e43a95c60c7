"""SentiVAE: sentiment lexica of different scales merged into one (Hoyle et al. 2019).

Every word has a latent z on the simplex of negative, neutral and positive, with a flat Dirichlet
prior; what lexicon d says of it is drawn from p_d(x | z). The posterior of z is a Dirichlet whose
concentration is 1 plus the sum, over the lexica that hold the word, of what each one's encoder
makes of its value: three weights that sum to one. Encoders and decoders are fitted together by the
evidence lower bound; a word that a lexicon lacks takes nothing from it.

A decoder of categories has a distribution over them for each sentiment, mixed by z; one of a
continuous scale a normal distribution whose mean is mixed so. They begin where the scale's own ends
say: that keeps the sentiments in their places.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curate.errors import UsageError
from curate.politicians.study.extras import optional
from curate.politicians.study.latent_model import SENTIMENTS
from curate.politicians.study.lexica import Scale, View
from curate.politicians.study.sentivae_parts import make_part

__all__ = ["Merged", "SentiVae", "Training", "merge_lexica", "train_sentivae"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Training:
    """Steps of Adam over all words at once, its learning rate, draws of z a step, and the seed."""

    steps: int = 800
    rate: float = 0.03
    draws: int = 4
    seed: int = 0


@dataclass(frozen=True)
class Merged:
    """A merged lexicon: (words, 3) concentrations over `SENTIMENTS`, at least 1 each of a training.

    Those of a lexicon that was only read are its shares.
    """

    words: tuple[str, ...]
    concentration: Floats

    @property
    def mean(self) -> Floats:
        """(words, 3) expected sentiment."""
        mean: Floats = self.concentration / self.concentration.sum(axis=1, keepdims=True)
        return mean

    def view(self, name: str = "merged") -> View:
        return View(name, Scale("merged"), self.words, self.mean)


@dataclass(frozen=True, slots=True)
class _Said:
    """By lexicon (patterns, values) and (patterns,) 1 where it holds the word; `weight` are the
    patterns' shares of all words.
    """

    values: list[Any]
    seen: list[Any]
    weight: Any


class SentiVae:
    """Trained encoders; `merge` uses them on any words of the same lexica."""

    def __init__(self, torch: Any, scales: Sequence[Scale], parts: Sequence[Any]) -> None:
        self._torch, self._scales, self._parts = torch, tuple(scales), parts

    def merge(self, views: Sequence[View]) -> Merged:
        """The lexicon of all words of `views`, which come in the order of training."""
        if tuple(view.scale for view in views) != self._scales:
            raise UsageError("these lexica are not those that the model was trained on")
        words = tuple(sorted({word for view in views for word in view.words}))
        place = {word: at for at, word in enumerate(words)}
        concentration = np.ones((len(words), len(SENTIMENTS)))
        with self._torch.no_grad():
            for view, part in zip(views, self._parts, strict=True):
                values = self._torch.tensor(view.values, dtype=self._torch.float32)
                at = [place[word] for word in view.words]
                concentration[at] += part.encode(values).double().numpy()
        return Merged(words, concentration)


def merge_lexica(views: Sequence[View], *, training: Training | None = None) -> Merged:
    """Train on `views` and merge them; one merged lexicon alone is only read."""
    if len(views) == 1 and views[0].scale.kind == "merged":
        return Merged(views[0].words, views[0].values)  # its mean is what the file says
    return train_sentivae(views, training=training).merge(views)


def train_sentivae(views: Sequence[View], *, training: Training | None = None) -> SentiVae:
    """Fit encoders and decoders of `views`. The same input and seed give the same model."""
    if not views:
        raise UsageError("no sentiment lexicon", hint="give at least one")
    torch = optional("torch", package="torch", extra="models")
    how = training or Training()
    said = _patterns(torch, views)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(how.seed)
        parts = [make_part(torch, view.scale) for view in views]
        parameters = [one for part in parts for one in part.parameters]
        optimizer = torch.optim.Adam(parameters, lr=how.rate)
        schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=max(how.steps, 1))
        for _ in range(how.steps):
            optimizer.zero_grad(set_to_none=True)
            _loss(torch, parts, said, draws=how.draws).backward()
            optimizer.step()
            schedule.step()
    return SentiVae(torch, [view.scale for view in views], parts)


def _patterns(torch: Any, views: Sequence[View]) -> _Said:
    """What the lexica say together, each different saying once, and how many words have it."""
    words = sorted({word for view in views for word in view.words})
    place = {word: at for at, word in enumerate(words)}
    columns = []
    for view in views:
        table = np.full((len(words), view.values.shape[1] + 1), 0.0)
        at = [place[word] for word in view.words]
        table[at, 0] = 1.0
        table[at, 1:] = view.values.round(6)
        columns.append(table)
    rows, counts = np.unique(np.hstack(columns), axis=0, return_counts=True)
    values, seen = [], []
    start = 0
    for table in columns:
        own = torch.tensor(rows[:, start : start + table.shape[1]], dtype=torch.float32)
        seen.append(own[:, 0])
        values.append(own[:, 1:])
        start += table.shape[1]
    return _Said(values, seen, torch.tensor(counts / counts.sum(), dtype=torch.float32))


def _loss(torch: Any, parts: Sequence[Any], said: _Said, *, draws: int) -> Any:
    """Minus the evidence lower bound of a word, with `draws` draws of z."""
    prior = torch.ones(len(said.weight), len(SENTIMENTS))
    concentration = prior
    for part, own, there in zip(parts, said.values, said.seen, strict=True):
        concentration = concentration + part.encode(own) * there[:, None]
    posterior = torch.distributions.Dirichlet(concentration)
    z = posterior.rsample((draws,))
    likelihood = torch.zeros(len(said.weight))
    for part, own, there in zip(parts, said.values, said.seen, strict=True):
        likelihood = likelihood + there * part.log_likelihood(own, z).mean(dim=0)
    apart = torch.distributions.kl_divergence(posterior, torch.distributions.Dirichlet(prior))
    return (said.weight * (apart - likelihood)).sum()
