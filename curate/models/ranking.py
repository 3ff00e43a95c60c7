"""Which of a few texts a masked model finds more likely, where the margin is wide enough."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from curate.models.encoding import MaskedText

if TYPE_CHECKING:  # numpy comes with it, and most swaps ask no model
    from curate.models.masked import MaskedModel

__all__ = ["MARGIN", "TextRanker", "pseudo_log_likelihoods"]

# nats; measured on sentences whose forms are known (tests/bench/ranking.py)
MARGIN = 4.0
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


class TextRanker:
    """Chooses the most likely of a few texts; the model is loaded when it is first needed.

    The score is the pseudo-log-likelihood: the sum over the words of ln P(w | the text without w),
    words of several vocabulary entries read left to right (Kauf and Ivanova 2023). A choice is made
    only where the best text is `margin` nats ahead of the second.
    """

    def __init__(self, load: Callable[[], MaskedModel], *, margin: float = MARGIN) -> None:
        self._load = load
        self._model: MaskedModel | None = None
        self._margin = margin

    def choose(self, candidates: Sequence[str]) -> int | None:
        """The index of the best text, or None where no margin separates it."""
        if self._model is None:
            self._model = self._load()
        scores = pseudo_log_likelihoods(self._model, candidates)
        order = sorted(range(len(scores)), key=lambda i: -scores[i])
        best, second = scores[order[0]], scores[order[1]] if len(order) > 1 else -math.inf
        if not math.isfinite(best) or best - second < self._margin:
            return None
        return order[0]


def pseudo_log_likelihoods(model: MaskedModel, texts: Sequence[str]) -> list[float]:
    """For each text the sum of ln P(word | rest) over its words, in nats; -inf if refused."""
    contexts: list[MaskedText] = []
    candidates: list[list[str]] = []
    owners: list[int] = []
    for owner, text in enumerate(texts):
        for match in _WORD.finditer(text):
            contexts.append(MaskedText(text, match.start(), match.end()))
            candidates.append([match.group()])
            owners.append(owner)
    scores = [0.0] * len(texts)
    fills = model.fill(contexts, k=1, candidates=candidates)
    for owner, wanted, fill in zip(owners, candidates, fills, strict=True):
        p = fill.words.get(wanted[0], 0.0)
        scores[owner] += math.log(p) if p > 0 else -math.inf
    return scores
