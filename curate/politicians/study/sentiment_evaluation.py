"""How good sentiment lexica are, side by side: on words held out, and on labelled texts.

On words, the lexica are compared with the labels of words that the merging was not fitted on; a
word a lexicon lacks counts as wrong, as it would in use. On texts, the paper's way (its section 3.3
and table S3): a text has the mean sentiment of its words, over negative, neutral and positive, and
the label with the largest mean among those that are given; equal ones, and a text without a known
word, are told neutral.

Beside every single lexicon stand their plain union (a word has the mean of what the lexica that
hold it say), the one merged by SentiVAE, and the label that most items have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curate.politicians.study.label_scores import agreement, better, majority
from curate.politicians.study.labelled import Finder, folded, tokenizer_of, tokens
from curate.politicians.study.latent_model import SENTIMENTS
from curate.politicians.study.lexica import Scale, View
from curate.politicians.study.sentivae import Training, merge_lexica, train_sentivae

__all__ = [
    "compare_on_texts",
    "compare_on_words",
    "label_texts",
    "label_words",
    "shares",
    "split_words",
    "union",
]

Floats = NDArray[np.float64]
Rows = Iterator[dict[str, Any]]
_Told = tuple[str, str, list[str], list[bool]]  # kind, lexicon, labels, whether known
_NEUTRAL = SENTIMENTS.index("neutral")


def shares(view: View) -> Floats:
    """(words, 3) shares of `SENTIMENTS`; a polarity lies between neutral and one of the ends."""
    if view.scale.kind == "merged":
        return view.values
    places = view.polarity if view.scale.kind == "continuous" else view.scale.polarities
    split = np.stack([np.maximum(-places, 0), 1 - np.abs(places), np.maximum(places, 0)], axis=1)
    found: Floats = split if view.scale.kind == "continuous" else view.values @ split
    return found


def union(views: Sequence[View]) -> View:
    """The lexica put together without a model: each word's mean shares over those that hold it."""
    held: dict[str, list[Floats]] = {}
    for view in views:
        for word, own in zip(view.words, shares(view), strict=True):
            held.setdefault(word, []).append(own)
    words = tuple(sorted(held))
    values = np.stack([np.mean(held[word], axis=0) for word in words])
    return View("union", Scale("merged"), words, values)


def split_words(words: Sequence[str], *, share: float, seed: int) -> tuple[list[str], list[str]]:
    """(kept, held out) words, the latter a random `share`, one at least; both sorted."""
    order = np.random.default_rng(seed).permutation(len(words))
    ordered = sorted(words)
    held = {ordered[at] for at in order[: max(1, round(share * len(words)))]}
    return [word for word in ordered if word not in held], sorted(held)


def label_words(view: View, *, neutral: bool) -> dict[str, str]:
    """Each word's label: the weightiest of a merged lexicon's, or the third of the scale it is in.

    Without `neutral`, only the sign counts.
    """
    if view.scale.kind == "merged":
        places = [0, 1, 2] if neutral else [0, 2]
        best = view.values[:, places].argmax(axis=1)
        return {
            word: SENTIMENTS[places[int(at)]] for word, at in zip(view.words, best, strict=True)
        }
    edge = 1 / 3 if neutral else 0.0
    return {
        word: "positive" if value > edge else "negative" if value < -edge else "neutral"
        for word, value in zip(view.words, view.polarity, strict=True)
    }


def label_texts(
    view: View, texts: Sequence[tuple[str, ...]], *, lang: str, neutral: bool
) -> tuple[list[str], list[bool]]:
    """Labels of tokenized texts, and whether each holds a word of the lexicon."""
    finder = Finder(view.words, tokenizer_of(lang, view.words))
    values = shares(view)
    told, known = [], []
    for text in texts:
        places = finder.find(text)
        known.append(bool(places))
        mean = values[places].mean(axis=0) if places else np.zeros(len(SENTIMENTS))
        if not neutral:
            mean[_NEUTRAL] = -1.0
        best = np.flatnonzero(mean >= mean.max() - 1e-9)
        told.append(SENTIMENTS[int(best[0])] if len(best) == 1 else "neutral")
    return told, known


def compare_on_texts(
    lang: str, views: Sequence[View], merged: View, texts: Sequence[str], labels: Sequence[str],
    *, seed: int = 0,
) -> Rows:  # fmt: skip
    """A row a lexicon (see `results`), of texts with labels.

    Where no spaces stand between words, each lexicon's own are kept whole: what others hold must
    not hide its words.
    """
    neutral = "neutral" in labels
    told: list[_Told] = []
    words: tuple[str, ...] | None = None
    for kind, view in _kinds(views, merged):
        if view.words != words:
            words = view.words
            cut = tokenizer_of(lang, words)
            cuts = [tokens(text, cut) for text in texts]
        told.append((kind, view.name, *label_texts(view, cuts, lang=lang, neutral=neutral)))
    yield from _rows({"lang": lang, "items": "texts"}, told, labels, seed)


def compare_on_words(
    lang: str, views: Sequence[View], gold: Mapping[str, str], *, share: float = 0.2, seed: int = 0,
    training: Training | None = None,
) -> Rows:  # fmt: skip
    """A row a lexicon, of a `share` of the words in `gold`, which the merging was not fitted on.

    Words are the same whatever their case, as in texts.
    """
    gold = {folded(word): label for word, label in gold.items()}
    _, held = split_words(list(gold), share=share, seed=seed)
    how, out = training or Training(seed=seed), set(held)
    away = {word for view in views for word in view.words if folded(word) in out}
    fitted = [part for view in views if len((part := view.without(away)).words)]
    if len(fitted) == len(views) and any(view.scale.kind != "merged" for view in views):
        merged = train_sentivae(fitted, training=how).merge(views).view()
    else:  # merged before, or nothing left to fit on: as it would be used
        merged = merge_lexica(views, training=how).view()
    labels = [gold[word] for word in held]
    neutral = "neutral" in gold.values()
    told = []
    for kind, view in _kinds(views, merged):
        own: dict[str, str] = {}
        for word, label in label_words(view, neutral=neutral).items():
            own.setdefault(folded(word), label)
        # a word that is not there is as wrong as a word can be
        said = [own.get(word) or _wrong(gold[word]) for word in held]
        told.append((kind, view.name, said, [word in own for word in held]))
    yield from _rows({"lang": lang, "items": "words held out"}, told, labels, seed)


def _wrong(label: str) -> str:
    return "neutral" if label != "neutral" else "negative"


def _kinds(views: Sequence[View], merged: View) -> list[tuple[str, View]]:
    single = [("single", view) for view in views]
    return [*single, ("union", union(views)), ("merged", merged)]


def _rows(
    unit: Mapping[str, str], told: Sequence[_Told],
    labels: Sequence[str], seed: int,
) -> Rows:  # fmt: skip
    best = next(said for kind, _, said, _ in told if kind == "merged")
    most = majority(labels)
    baseline: _Told = ("majority", most, [most] * len(labels), [True] * len(labels))
    for kind, name, said, known in [*told, baseline]:
        found = agreement(said, labels, known, seed=seed)
        yield {
            **unit, "lexicon": name, "kind": kind, "n": found.n, "n_known": found.n_known,
            "accuracy": found.accuracy, "ci_low": found.low, "ci_high": found.high,
            "macro_f1": found.macro_f1, "f1_low": found.f1_low, "f1_high": found.f1_high,
            "accuracy_known": found.known,
            "p_merged": None if kind == "merged" else better(best, said, labels), "seed": seed,
        }  # fmt: skip
