"""What the statistics found, as rows of the study's tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curate.politicians.study.clusters import Clustering
from curate.politicians.study.counts import WordUse
from curate.politicians.study.deviations import Deviations, SentimentContrast
from curate.politicians.study.latent import SENTIMENTS
from curate.politicians.study.pmi import Difference, Pmi
from curate.politicians.study.results import Unit, finite
from curate.politicians.study.variance import Effect

__all__ = [
    "anova_rows",
    "cluster_rows",
    "contrast_rows",
    "deviation_rows",
    "difference_rows",
    "grid_rows",
    "people_rows",
    "pmi_rows",
    "trial_rows",
]

Rows = Iterator[dict[str, Any]]

_EXAMPLES = 5


def people_rows(unit: Unit, use: WordUse, two: Sequence[str]) -> Rows:
    """How many people of every gender were counted."""
    for at, gender in enumerate(use.genders):
        yield {
            **unit, "gender": gender, "n": int(use.people_counts[at]),
            "weight": float(use.totals[at]), "in_two_genders": gender in two,
        }  # fmt: skip


def pmi_rows(unit: Unit, found: Pmi, seed: int) -> Rows:
    """Every word and gender, words in order of name.

    A word that stands beside nobody of a gender has no PMI with it: smoothing would give it one,
    which for a small gender is that of the smoothing alone.
    """
    use = found.use
    for at, word in enumerate(use.words):
        for code, gender in enumerate(use.genders):
            there = bool(use.holders[at, code])
            yield {
                **unit, "word": word, "gender": gender, "n": int(use.holders[at, code]),
                "n_gender": int(use.people_counts[code]), "weight": float(use.counts[at, code]),
                "pmi": finite(found.value[at, code]) if there else None,
                "ci_low": finite(found.low[at, code]) if there else None,
                "ci_high": finite(found.high[at, code]) if there else None,
                "draws": len(found.drawn), "seed": seed,
            }  # fmt: skip


def difference_rows(unit: Unit, found: Difference, of: Pmi, seed: int) -> Rows:
    """Every word, from the likeliest beside the first gender to that beside the second.

    `only` names the gender of a word seen beside one of the two alone: what it differs by is then
    the smoothing's, so it has no interval; without smoothing it stands at its end, the smallest p
    outermost. Words seen beside neither come last, without a difference.
    """
    use = of.use
    places = [use.genders.index(gender) for gender in (found.first, found.second)]
    held = use.holders[:, places]
    for at in _by_difference(found, held):
        first, second = (int(n) for n in held[at])
        both = bool(first and second)
        yield {
            **unit, "word": found.words[at], "first": found.first, "second": found.second,
            "n_first": first, "n_second": second,
            "difference": finite(found.value[at]) if first or second else None,
            "only": "" if both or not (first or second) else
            found.first if first else found.second,
            "ci_low": finite(found.low[at]) if both else None,
            "ci_high": finite(found.high[at]) if both else None,
            "p": float(found.p[at]), "test": found.test[at],
            "p_bonferroni": float(found.p_bonferroni[at]), "n_words": found.tests,
            "draws": len(of.drawn), "seed": seed,
        }  # fmt: skip


def _by_difference(found: Difference, held: NDArray[np.int64]) -> list[int]:
    def key(at: int) -> tuple[bool, float, float, str]:
        value = float(found.value[at])
        if not held[at].any() or np.isnan(value):
            return True, 0.0, 0.0, found.words[at]
        outermost = np.sign(value) * found.p[at] if np.isinf(value) else 0.0
        return False, -value, float(outermost), found.words[at]

    return sorted(range(len(found.words)), key=key)


def deviation_rows(unit: Unit, found: Deviations, seed: int) -> Rows:
    """Every gender, sentiment and word, the largest deviation first."""
    latent, use, margin = found.latent, found.use, found.margin
    spread = latent.deviations.std(axis=0)
    posterior, mean = latent.posterior, latent.deviation
    for code, gender in enumerate(use.genders):
        for kind, sentiment in enumerate(SENTIMENTS):
            values = mean[:, kind, code]
            order = sorted(range(len(values)), key=lambda at: (-values[at], use.words[at]))
            for rank, at in enumerate(order, start=1):
                half = None if margin is None else margin[at, kind, code]
                yield {
                    **unit, "gender": gender, "sentiment": sentiment, "rank": rank,
                    "word": use.words[at], "n": int(use.holders[at, code]),
                    "deviation": float(values[at]),
                    "ci_low": None if half is None else float(values[at] - half),
                    "ci_high": None if half is None else float(values[at] + half),
                    "grid_std": float(spread[at, kind, code]),
                    "p_sentiment": float(posterior[at, kind]),
                    "in_lexicon": bool(found.known[at]), "draws": found.draws, "seed": seed,
                }  # fmt: skip


def grid_rows(unit: Unit, found: Deviations) -> Rows:
    """Every point of the grid: how well it fits, and how close to the lexicon."""
    latent = found.latent
    for at in range(len(latent.loss)):
        yield {
            **unit, "l1_weight": float(latent.l1_weights[at]),
            "posterior_weight": float(latent.posterior_weights[at]),
            "loss": float(latent.loss[at]), "cross_entropy": float(latent.cross_entropy[at]),
            "divergence": float(latent.divergence[at]), "n_words": len(found.use.words),
            "n_known": int(found.known.sum()), "steps": latent.steps,
        }  # fmt: skip


def contrast_rows(
    unit: Unit, found: Iterable[SentimentContrast], two: Sequence[str], column: str, seed: int
) -> Rows:
    """Tests of two genders' words, their label in `column`."""
    for one in found:
        contrast = one.contrast
        yield {
            **unit, column: one.label, "first": two[0], "second": two[1],
            "mean_first": contrast.mean_first, "mean_second": contrast.mean_second,
            "difference": contrast.difference, "ci_low": contrast.low, "ci_high": contrast.high,
            "p": contrast.p, "p_bonferroni": one.p_bonferroni, "n_first": contrast.n_first,
            "n_second": contrast.n_second, "permutations": contrast.deals,
            "exact": contrast.exact, "seed": seed,
        }  # fmt: skip


def anova_rows(unit: Unit, gender: str, sentiment: str, effects: Iterable[Effect]) -> Rows:
    for effect in effects:
        yield {
            **unit, "gender": gender, "sentiment": sentiment,
            "factor": effect.factor or "intercept", "level": effect.level,
            "baseline": effect.baseline, "value": effect.value, "ci_low": effect.low,
            "ci_high": effect.high, "p": finite(effect.p), "factor_p": finite(effect.factor_p),
            "n": effect.n,
        }  # fmt: skip


def cluster_rows(
    unit: Unit, gender: str, words: Sequence[str], found: Clustering,
    weights: Mapping[str, Mapping[str, float]],
) -> Rows:  # fmt: skip
    """Every cluster of one gender's words, and the share of each gender's people in its weight.

    `weights` give a word's weight by gender, each as a share of that gender's people, so that the
    larger gender does not count more. The interval is the bootstrap's over the cluster's words.
    """
    random = np.random.default_rng(0)
    for cluster in range(found.chosen.k):
        places = np.flatnonzero(found.labels == cluster)
        near = places[np.argsort(found.distances[places], kind="stable")]
        held = np.array([list(weights[words[at]].values()) for at in places])
        drawn = held[random.integers(0, len(held), (999, len(held)))].sum(axis=1)
        shares = drawn / drawn.sum(axis=1, keepdims=True)
        low, high = np.nanquantile(shares, [0.025, 0.975], axis=0)
        total = held.sum(axis=0)
        for at, name in enumerate(weights[words[0]]):
            yield {
                **unit, "gender": gender, "cluster": cluster + 1, "n": len(places),
                "words": ", ".join(words[place] for place in near[:_EXAMPLES]),
                "of_gender": name, "weight": float(total[at]),
                "share": finite(total[at] / total.sum()), "ci_low": finite(low[at]),
                "ci_high": finite(high[at]), "k": found.chosen.k, "seed": found.chosen.seed,
                "silhouette": found.chosen.silhouette,
            }  # fmt: skip


def trial_rows(unit: Unit, gender: str, found: Clustering) -> Rows:
    for trial in found.trials:
        yield {
            **unit, "gender": gender, "k": trial.k, "seed": trial.seed,
            "inertia": trial.inertia, "silhouette": trial.silhouette, "n": len(found.labels),
        }  # fmt: skip
