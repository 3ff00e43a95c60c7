"""Groups among words by their representations in a model: k-means (the paper's section 5.2.1).

The paper does not say how many clusters it took. Every k is tried with several seeds; the best by
silhouette is taken, and inertia and silhouette of all are reported.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from curate.errors import UsageError
from curate.politicians.study.extras import optional

__all__ = ["Clustering", "Trial", "cluster_words"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Trial:
    """One run of k-means: its inertia (sum of squared distances) and mean silhouette."""

    k: int
    seed: int
    inertia: float
    silhouette: float


@dataclass(frozen=True, slots=True)
class Clustering:
    """The chosen trial, the cluster of (words,) from 0, each word's distance to its centre."""

    chosen: Trial
    labels: NDArray[np.int64]
    distances: Floats
    trials: tuple[Trial, ...]


def cluster_words(
    vectors: Floats, *, ks: Sequence[int] = tuple(range(2, 11)), seeds: Sequence[int] = (0, 1, 2)
) -> Clustering:
    """k-means of (words, size) representations, for every k and seed; the best by silhouette.

    Clusters are numbered from the largest. Raises UsageError with fewer than three words, or where
    no k leaves a cluster with company.
    """
    possible = [k for k in ks if 2 <= k < len(vectors)]
    if not possible:
        raise UsageError(
            f"{len(vectors)} words cannot be put into clusters", hint="give more words"
        )
    cluster = optional("sklearn.cluster", package="scikit-learn")
    metrics = optional("sklearn.metrics", package="scikit-learn")
    best: tuple[Trial, NDArray[np.int64], Floats] | None = None
    trials = []
    for k in possible:
        for seed in seeds:
            made = cluster.KMeans(n_clusters=k, n_init=1, random_state=seed).fit(vectors)
            labels = np.asarray(made.labels_, dtype=np.int64)
            if not 1 < len(set(labels.tolist())) < len(vectors):
                continue
            silhouette = float(metrics.silhouette_score(vectors, labels, random_state=0))
            trials.append(Trial(k, seed, float(made.inertia_), silhouette))
            if best is None or silhouette > best[0].silhouette:
                centres = np.asarray(made.cluster_centers_)[labels]
                best = (trials[-1], labels, np.linalg.norm(vectors - centres, axis=1))
    if best is None:
        raise UsageError("all words have the same representation: no clusters")
    chosen, labels, distances = best
    return Clustering(chosen, _by_size(labels), distances, tuple(trials))


def _by_size(labels: NDArray[np.int64]) -> NDArray[np.int64]:
    counts = np.bincount(labels)
    order = np.argsort(-counts, kind="stable")
    places = np.empty(len(order), dtype=np.int64)
    places[order] = np.arange(len(order))
    return places[labels]
