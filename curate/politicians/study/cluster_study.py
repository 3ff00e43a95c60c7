"""Clusters of the words beside each gender, by their representations in a model."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from curate.politicians.study.clusters import Clustering, cluster_words
from curate.politicians.study.counts import WordUse
from curate.politicians.study.representations import represent_words

__all__ = ["GenderClusters", "cluster_by_gender"]

_SEEDS = 3
_FEWEST = 3


@dataclass
class GenderClusters:
    """By gender its words and their clusters; genders with too few words; and for every word the
    share of each gender's people beside whom it stands.
    """

    shares: dict[str, dict[str, float]]
    words: dict[str, list[str]] = field(default_factory=dict)
    clusterings: dict[str, Clustering] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)


def cluster_by_gender(use: WordUse, *, model: str, device: str, seed: int) -> GenderClusters:
    """k-means of the words of every gender alone, as the paper made them (its section 5.2.1).

    `model` gives the representations; words that it cannot write are left out.
    """
    words, vectors = represent_words(use.words, model=model, device=device)
    place = {word: at for at, word in enumerate(words)}
    share = use.holders / np.maximum(use.people_counts, 1)
    found = GenderClusters(
        {
            word: dict(zip(use.genders, own.tolist(), strict=True))
            for word, own in zip(use.words, share, strict=True)
        }
    )
    for at, gender in enumerate(use.genders):
        counts = dict(zip(use.words, use.holders[:, at].tolist(), strict=True))
        held = [word for word in words if counts[word]]
        if len(held) < _FEWEST:
            found.left_out.append(gender)
            continue
        seeds = tuple(range(seed, seed + _SEEDS))
        chosen = vectors[[place[word] for word in held]]
        found.words[gender] = held
        found.clusterings[gender] = cluster_words(chosen, seeds=seeds)
    return found
