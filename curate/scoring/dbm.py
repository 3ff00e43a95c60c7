"""DBM, the direct comparison metric: P(masculine word) > P(feminine word) at the mask.

Yu et al. 2024, section 3.5. Both words are those that a model generated (MSG), so the metric is
defined for pairs that have a fill; pairs with both probabilities under the threshold are left out.
The model that filled the mask need not be asked again; any other is, with the same words and mask.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from curate.scoring.metric import MaskedScorer, Metric, PairBatch, PairValues

__all__ = ["DBM", "mask_place"]

DEFAULT_THRESHOLD = 0.01
_NO_FILL, _NO_PLACE, _UNDER = "no-fill", "no-mask-place", "under-threshold"
_NO_WORD = "not-in-vocabulary"
_COLUMNS = ("masculine", "feminine", "original", "edits_m", "edits_f", "fill")


@dataclass(frozen=True, slots=True)
class _Question:
    """Where to mask for one pair (one context, or one a side), and the words as written."""

    contexts: tuple[tuple[str, int, int], ...]
    words: tuple[str, str]


def mask_place(text: str, word: str, edits: list[dict[str, Any]] | None) -> tuple[int, int] | None:
    """Where `word` (any case) stands in `text`, in code points; None unless there is one place.

    The pair's own edits say so; where they do not, the text must hold the word exactly once.
    """
    marked = [(edit["start"], edit["end"]) for edit in edits or ()]
    found = [place for place in marked if text[place[0] : place[1]].lower() == word.lower()]
    if not found:
        whole = rf"(?<!\w){re.escape(word)}(?!\w)"
        found = [match.span() for match in re.finditer(whole, text, re.IGNORECASE)]
    if not found:  # scripts without spaces
        found = [match.span() for match in re.finditer(re.escape(word), text, re.IGNORECASE)]
    return found[0] if len(set(found)) == 1 else None


def _question(row: Mapping[str, Any]) -> _Question | None:
    fill = row["fill"]
    sides = (
        (row["masculine"], fill["word_m"], row["edits_m"]),
        (row["feminine"], fill["word_f"], row["edits_f"]),
    )
    places = [mask_place(*side) for side in sides]
    if places[0] is None or places[1] is None:
        return None
    contexts = tuple(
        (side[0], *place) for side, place in zip(sides, places, strict=True) if place is not None
    )
    words = [text[start:end] for text, start, end in contexts]
    if fill["context"] != "matched":
        contexts = (contexts[0 if row["original"] == "masculine" else 1],)
    return _Question(contexts, (words[0], words[1]))


def _stored(row: Mapping[str, Any], scorer: MaskedScorer) -> tuple[float, float] | None:
    """The probabilities that the generating model gave, where it is the one that is scored."""
    fill = row["fill"]
    own = (fill["model"], fill["revision"]) == (scorer.name, scorer.revision)
    if not own or fill["p_m"] is None or fill["p_f"] is None:
        return None
    return fill["p_m"], fill["p_f"]


def _ask(scorer: MaskedScorer, questions: Mapping[int, _Question]) -> dict[int, Any]:
    """By row: (p of the masculine word, p of the feminine word), or the reason of a refusal."""
    from curate.models.masked import MaskedText

    at = [(row, i) for row, question in questions.items() for i in range(len(question.contexts))]
    fills = scorer.fill(
        [MaskedText(*questions[row].contexts[i]) for row, i in at],
        k=1,
        candidates=[list(questions[row].words) for row, _ in at],
    )
    by_place = dict(zip(at, fills, strict=True))
    answers: dict[int, Any] = {}
    for row, question in questions.items():
        own = [by_place[row, i] for i in range(len(question.contexts))]
        refused = next((fill.refused for fill in own if fill.refused), None)
        if refused:
            answers[row] = refused
        else:
            p_m = own[0].words.get(question.words[0])
            p_f = own[-1].words.get(question.words[1])
            answers[row] = _NO_WORD if p_m is None or p_f is None else (p_m, p_f)
    return answers


def _dbm(batch: PairBatch) -> PairValues:
    table, scorer = batch.table, batch.scorer
    rows = table.select([n for n in _COLUMNS if n in table.schema.names]).to_pylist()
    answers: dict[int, Any] = {}
    questions: dict[int, _Question] = {}
    for at, row in enumerate(rows):
        if not row.get("fill"):
            answers[at] = _NO_FILL
            continue
        stored = _stored(row, scorer) if batch.options.perturb == "none" else None
        question = _question(row) if stored is None else None
        if question is not None:
            questions[at] = question
        else:
            answers[at] = stored if stored is not None else _NO_PLACE
    if questions:
        answers |= _ask(scorer, questions)
    values = PairValues()
    for at, row in enumerate(rows):
        answer = answers[at]
        if isinstance(answer, str):
            values.add(None, None, reason=answer)
            continue
        threshold = row["fill"]["threshold"]
        threshold = DEFAULT_THRESHOLD if threshold is None else threshold
        values.add(*answer, reason=_UNDER if max(answer) < threshold else None)
    return values


DBM = Metric(
    name="dbm", title="masculine word preferred at the mask",
    source="Yu et al. 2024, section 3.5", values=_dbm, error="none",
)  # fmt: skip
