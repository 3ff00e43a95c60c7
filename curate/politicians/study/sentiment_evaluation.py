"""How good a sentiment lexicon is: on words held out from it, and on labelled texts.

On words, the lexica are compared with the labels of words that none of them was fitted on; a word a
lexicon lacks counts as wrong, as it would in use, and the accuracy on the words it holds stands
beside. On texts, the paper's way (its section 3.3): a text has the mean sentiment of its words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from curate.politicians.study.latent_model import SENTIMENTS
from curate.politicians.study.lexica import View

__all__ = ["Accuracy", "accuracy_on_texts", "accuracy_on_words", "label_text", "split_words"]

Floats = NDArray[np.float64]
_DRAWS = 9_999


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The share that is right, with interval (bootstrap over items); of `n` items `n_known` are
    known to the lexicon, and `known` is the share right among these.
    """

    value: float
    low: float
    high: float
    n: int
    n_known: int
    known: float


def split_words(words: Sequence[str], *, share: float, seed: int) -> tuple[list[str], list[str]]:
    """(kept, held out) words, the latter a random `share`; both sorted."""
    order = np.random.default_rng(seed).permutation(len(words))
    ordered = sorted(words)
    held = {ordered[at] for at in order[: round(share * len(words))]}
    return [word for word in ordered if word not in held], sorted(held)


def accuracy_on_words(
    view: View, gold: Mapping[str, str], *, words: Sequence[str], seed: int = 0
) -> Accuracy:
    """Of `words`, whose labels (of `SENTIMENTS`) are in `gold`.

    The lexicon's label is its most weighty among the labels that occur in `gold`; one polarity
    is positive or negative beyond a third of the way, or beyond nothing where no word is neutral.
    """
    neutral = "neutral" in gold.values()
    held = {word: at for at, word in enumerate(view.words)}
    told = _labels(view, neutral=neutral)
    known = np.array([word in held for word in words], dtype=np.bool_)
    right = np.array(
        [word in held and told[held[word]] == gold[word] for word in words], dtype=np.float64
    )
    return _accuracy(right, known, seed)


def label_text(words: Sequence[str], lexicon: Mapping[str, float], *, neutral: float) -> str:
    """The sentiment of a text: the mean polarity of its known words, neutral within `neutral`."""
    found = [lexicon[word] for word in words if word in lexicon]
    mean = float(np.mean(found)) if found else 0.0
    if mean == 0.0 or abs(mean) <= neutral:
        return "neutral"
    return "positive" if mean > 0 else "negative"


def accuracy_on_texts(
    view: View,
    texts: Sequence[Sequence[str]],
    labels: Sequence[str],
    *,
    neutral: float = 0.0,
    seed: int = 0,
) -> Accuracy:
    """Of texts (lists of words) with labels; one without a known word is told neutral."""
    lexicon = dict(zip(view.words, (float(value) for value in view.polarity), strict=True))
    told = [label_text(text, lexicon, neutral=neutral) for text in texts]
    known = np.array([any(word in lexicon for word in text) for text in texts], dtype=np.bool_)
    right = np.array([own == label for own, label in zip(told, labels, strict=True)], dtype=float)
    return _accuracy(right, known, seed)


def _labels(view: View, *, neutral: bool) -> list[str]:
    if view.scale.kind == "merged":
        places = [0, 1, 2] if neutral else [0, 2]
        return [SENTIMENTS[places[int(at)]] for at in view.values[:, places].argmax(axis=1)]
    edge = 1 / 3 if neutral else 0.0
    return [
        "positive" if value > edge else "negative" if value < -edge else "neutral"
        for value in view.polarity
    ]


def _accuracy(right: Floats, known: NDArray[np.bool_], seed: int) -> Accuracy:
    n = len(right)
    if not n:
        return Accuracy(float("nan"), float("nan"), float("nan"), 0, 0, float("nan"))
    value = float(right.mean())
    # a draw of right and wrong items is a binomial number
    drawn = np.random.default_rng(seed).binomial(n, value, _DRAWS) / n
    low, high = (float(end) for end in np.quantile(drawn, [0.025, 0.975]))
    inside = float(right[known].mean()) if known.any() else float("nan")
    return Accuracy(value, low, high, n, int(known.sum()), inside)
